// Joins mast and boom; the boom slides through, so that the lens can be set above the board's middle.
include <sizes.scad>
use <grip.scad>

deep = 40;
long = 44;

// Upright: the mast enters from below (axis z), the boom passes along x above it.
module elbow_upright() {
    boom_at = deep + web + tube / 2;
    difference() {
        union() {
            grip_body(deep + web);
            translate([-long / 2, 0, boom_at]) rotate([90, 0, 90]) grip_body(long);
        }
        grip_hole_from_below();
        translate([-long / 2, 0, boom_at]) rotate([90, 0, 90]) grip_hole(long, long / 2);
    }
}
module grip_hole_from_below() { translate([0, 0, deep]) mirror([0, 0, 1]) grip_hole(deep, deep - 8); }
module elbow() {
    // printed lying on the flat side away from both screws
    translate([0, 0, grip_out / 2]) rotate([90, 0, 0]) elbow_upright();
}
elbow();

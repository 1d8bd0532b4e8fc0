// A block around a square tube with one M4 screw that holds it: screw through the wall, nut in a slot.
include <sizes.scad>

// Along z from 0 to `long`, axis at the origin; the screw comes from +y.
module grip_body(long) { translate([-grip_out / 2, -grip_out / 2, 0]) cube([grip_out, grip_out + 3, long]); }
module grip_hole(long, screw_at) {
    translate([-(tube + fit) / 2, -(tube + fit) / 2, -0.01]) cube([tube + fit, tube + fit, long + 0.02]);
    translate([0, 0, screw_at]) rotate([-90, 0, 0]) cylinder(d = screw_m4, h = grip_out);
    // the nut slides in from the end of the block, through a slot 7.3 wide and 3.5 thick
    translate([-3.65, tube / 2 + 2.2, screw_at - 4.2]) cube([7.3, 3.5, long]);
}

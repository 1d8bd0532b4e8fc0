// The foot of the mast: screwed to the plywood base that the board stands on as well.
include <sizes.scad>
use <grip.scad>

flange = 90;
deep = 50;

module foot() {
    difference() {
        union() {
            translate([-flange / 2, -flange / 2, 0]) linear_extrude(5) rounded(flange, flange, 6);
            grip_body(web + deep);
            for (turn = [0:90:270]) rotate(turn) rotate([90, 0, 0]) translate([0, 0, -2.5])
                linear_extrude(5) polygon([[0, 4], [40, 4], [40, 6], [grip_out / 2, 40], [0, 40]]);
        }
        translate([0, 0, web]) grip_hole(deep, deep - 8);
        for (x = [-36, 36], y = [-36, 36]) translate([x, y, -0.01]) {
            cylinder(d = 4.2, h = 6);
            translate([0, 0, 2.6]) cylinder(d1 = 4.2, d2 = 9, h = 2.5);
        }
    }
}
foot();

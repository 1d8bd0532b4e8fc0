// Nine loose LEDs in a row on the outside of the rim, hollow behind for their legs and resistors.
include <sizes.scad>
include <rim_body.scad>

lamps = 9;
apart = 11;
ends = 8;

module led_bar(lamps = lamps) {
    long = (lamps - 1) * apart + 2 * ends;
    difference() {
        rotate([90, 0, 90]) linear_extrude(long) rim_section();
        translate([2.5, 0, 0]) rotate([90, 0, 90]) linear_extrude(long - 5)
            polygon([[-1, 2.5], [16, 2.5], [16, 7.5], [2.5, 21.5], [-1, 21.5]]);
        for (n = [0:lamps - 1]) on_face() translate([ends + n * apart, 0, -15]) cylinder(d = lamp + 0.2, h = 30);
        translate([-1, 4, 2.5]) cube([9, 5, 4]);       // the wires
    }
}
assert((lamps - 1) * apart + 2 * ends <= side(board), "the row is longer than a side of the board");
led_bar();

// A small box for one seat's button with light, stuck to the rim beside the pixels.
include <sizes.scad>

box = [24, 22, 26];    // along the rim, outward, up

module seat_pod() {
    difference() {
        cube(box);
        translate([2, -1, 2]) cube([box[0] - 4, box[1] - 1, box[2] - 4]);                    // open to the rim
        translate([box[0] / 2, box[1] / 2, box[2] - 3]) cylinder(d = seat_button + 0.2, h = 4);
        for (x = [-1, box[0] - 3]) translate([x, 3, 4]) cube([4, 5, 4]);                     // wires
    }
}
seat_pod();

// Instead of the foot: holds the mast on the rim of the board, by one M6 screw against its outer face.
include <sizes.scad>
use <grip.scad>

jaw_open = rim + clamp_play;
jaw_deep = 26;     // how far the jaws reach down
bridge = 8;
wide = 50;
inner = 6;
outer = 14;
axis = clamp_away - clamp_play;

// Drawn upright: the bridge rests on the rim (z = 0), jaws below, the inner face of the outer jaw at y = 0, the mast above it.
module rim_clamp_upright() {
    deep = 45;
    difference() {
        union() {
            translate([-wide / 2, -inner - jaw_open, 0]) cube([wide, inner + jaw_open + outer, bridge]);
            translate([-wide / 2, -inner - jaw_open, -jaw_deep]) cube([wide, inner, jaw_deep + 1]);
            translate([-wide / 2, 0, -jaw_deep]) cube([wide, outer, jaw_deep + 1]);
            translate([0, axis, bridge]) rotate(180) grip_body(web + deep);
            for (x = [-18, 14]) translate([x, 0, bridge]) rotate([90, 0, 90])
                linear_extrude(4) polygon([[-inner - jaw_open + 2, -1], [-inner - jaw_open + 2, 1], [-10, 30], [0, 30], [0, -1]]);
        }
        translate([0, axis, bridge + web]) rotate(180) grip_hole(deep, deep - 8);
        // M6, and its nut let in from the inner face of the outer jaw
        translate([0, -1, -15]) rotate([-90, 0, 0]) cylinder(d = 6.5, h = outer + 2);
        translate([0, -0.01, -15]) rotate([-90, 30, 0]) hex_nut(10.3, 5.4);
    }
}
// Printed on its side, so that the jaws are as strong as they can be.
module rim_clamp() { translate([0, 0, wide / 2]) rotate([0, 90, 0]) rim_clamp_upright(); }
rim_clamp();

// Holds twelve pixels outside the rim of one side of the board, a cell for each, under a strip of frosted sheet.
include <sizes.scad>
include <rim_body.scad>

cell_deep = 7;
sheet = 1;             // thickness of the frosted sheet
ends = 8;              // room for solder joints and wires at either end

function pitch(pixels_per_m) = 1000 / pixels_per_m;
function holder_length(pixels, pixels_per_m) = pixels * pitch(pixels_per_m) + 2 * ends;

// x along the rim from 0, y outward from the rim's face, z up.
module strip_holder(pixels = pixels, pixels_per_m = pixels_per_m) {
    long = holder_length(pixels, pixels_per_m);
    wide = strip + fit;
    difference() {
        rotate([90, 0, 90]) linear_extrude(long) rim_section();
        on_face() {
            translate([2, -wide / 2, -cell_deep]) cube([long - 4, wide, cell_deep + 3]);
            translate([-1, -wide / 2 - 1, -2.2]) cube([long + 2, wide + 2, sheet + fit]);   // the sheet slides in
        }
        for (x = [-1, long - 3]) on_face() translate([x, -3.5, -cell_deep]) cube([4, 7, 3]);   // wires
    }
    intersection() {
        rotate([90, 0, 90]) linear_extrude(long) rim_section();
        for (n = [0:pixels]) on_face() translate([ends + n * pitch(pixels_per_m) - 0.4, -wide / 2 - 0.5, -cell_deep + 2.2])
            cube([0.8, wide + 1, cell_deep - 2.2 - 2.3]);
    }
}
assert(holder_length(pixels, pixels_per_m) <= side(board), "the strip is too long for a side: take one with more pixels a metre");
strip_holder();

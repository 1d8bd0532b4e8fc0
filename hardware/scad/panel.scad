// The little desk for buttons and OLED, its face sloped towards the player.
include <sizes.scad>

buttons = 3;
oled = true;           // 1.3 inch, 128 × 64, board 36 × 34 with holes 30.4 × 28.5
apart = 34;
deep = 62;
back = 46;
front = 18;
slope = atan((back - front) / deep);
floor_thick = 3;

function panel_width(buttons, oled) = 16 + buttons * apart + (oled ? 48 : 0);

module profile(inset) {
    polygon([[inset, -1 + (inset > 0 ? 0 : 1)], [deep - inset, -1 + (inset > 0 ? 0 : 1)], [deep - inset, back - 1.4 * inset],
             [inset, front - 0.6 * inset]]);
}
// Perpendicular to the sloped face, x along the width from the left, y up the slope from its lower edge.
module on_slope() { translate([0, 0, front]) rotate([slope, 0, 0]) children(); }
module boss(x, y) { translate([x, y, 0]) cylinder(d = 7, h = 12); }

module panel(buttons = buttons, oled = oled) {
    wide = panel_width(buttons, oled);
    up = deep / cos(slope) / 2;
    spots = [for (x = [7, wide - 7], y = [7, deep - 7]) [x, y]];
    difference() {
        union() {
            difference() {
                rotate([90, 0, 90]) linear_extrude(wide) profile(0);
                translate([2.4, 0, 0]) rotate([90, 0, 90]) linear_extrude(wide - 4.8) profile(2.4);
            }
            intersection() {
                for (spot = spots) boss(spot[0], spot[1]);
                rotate([90, 0, 90]) linear_extrude(wide) profile(0);
            }
        }
        for (spot = spots) translate([spot[0], spot[1], -1]) cylinder(d = 2.5, h = 11);
        on_slope() {
            for (n = [0:buttons - 1]) translate([8 + apart / 2 + n * apart, up, -8]) cylinder(d = button + 0.3, h = 20);
            if (oled) translate([8 + buttons * apart + 24, up, 0]) {
                translate([-16, -7, -8]) cube([32, 17, 20]);
                for (x = [-15.2, 15.2], y = [-14.25, 14.25]) translate([x, y, -8]) cylinder(d = 2.6, h = 20);
            }
        }
        translate([wide / 2 - 8, deep - 4, -1]) cube([16, 6, 9]);        // cables
    }
}
module panel_floor(buttons = buttons, oled = oled) {
    wide = panel_width(buttons, oled);
    difference() {
        linear_extrude(floor_thick) rounded(wide, deep, 1);
        for (x = [7, wide - 7], y = [7, deep - 7]) translate([x, y, -0.01]) {
            cylinder(d = 3.4, h = 9);
            cylinder(d1 = 6.4, d2 = 3.4, h = 1.8);
        }
    }
}
panel();

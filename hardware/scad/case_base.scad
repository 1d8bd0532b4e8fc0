// Lower half of the case of a Raspberry Pi 4 or 5. Its flange is tied to the mast or screwed to wood.
include <sizes.scad>
include <pi_board.scad>

gap = 1.2;             // between board and wall
wall = 2.2;
floor_thick = 2.4;
stand = 4;             // under the board
flange = 20;
function outer_x() = board_x + 2 * (gap + wall);
function outer_y() = board_y + 2 * (gap + wall);

// The board's corner is at the origin; the floor's underside at z = 0.
module case_base() {
    top = floor_thick + stand + board_thick;
    difference() {
        union() {
            translate([-gap - wall, -gap - wall, 0]) linear_extrude(top) rounded(outer_x(), outer_y(), 3);
            translate([-gap - wall, board_y + gap, 0]) linear_extrude(3) rounded(outer_x(), wall + flange, 3);
        }
        difference() {
            translate([-gap, -gap, floor_thick]) linear_extrude(top) square([board_x + 2 * gap, board_y + 2 * gap]);
            for (hole = holes) translate([hole[0], hole[1], 0]) cylinder(d = 6.4, h = floor_thick + stand);
        }
        for (hole = holes) translate([hole[0], hole[1], -0.01]) {
            cylinder(d = 2.9, h = top + 1);
            cylinder(d = 5.4, h = 1.2);                                     // the screw's head
        }
        translate([-gap - wall - 1, 18, floor_thick]) cube([wall + 2, 20, top]);      // the card
        for (x = [10:8:74]) translate([x, 12, -1]) cube([3, 32, floor_thick + 2]);    // air
        for (x = [14, board_x / 2, board_x - 14]) for (y = [4, 15])                      // ties, 5 mm wide
            translate([x - 2.6, board_y + gap + wall + y - 1.2, -1]) cube([5.2, 2.4, 9]);
        for (x = [4, board_x - 4]) translate([x, board_y + gap + wall + 10, -1]) cylinder(d = 4.2, h = 9);
    }
}
case_base();

// Upper half of the case: four posts press the board onto the base, four M2.5 × 14 screws come from below.
include <sizes.scad>
include <pi_board.scad>
use <case_base.scad>

gap = 1.2;
wall = 2.2;
roof = 2;
clear = 20;            // inside, above the board: room for the sockets, a Pi 5's cooler and plugs on the pins
cable_slot = [46, 2, 5, 20];   // for the camera's flat cable: x, y, width, length

// Printed roof down: z = 0 is the outside of the roof; y runs the other way than on the board.
module case_lid() {
    mirror([0, 1, 0]) difference() {
        union() {
            difference() {
                translate([-gap - wall, -gap - wall, 0]) linear_extrude(roof + clear) rounded(outer_x(), outer_y(), 3);
                translate([-gap, -gap, roof]) cube([board_x + 2 * gap, board_y + 2 * gap, clear + 1]);
            }
            for (hole = holes) translate([hole[0], hole[1], 0]) cylinder(d = 6, h = roof + clear);
        }
        for (hole = holes) translate([hole[0], hole[1], roof + clear - 11]) cylinder(d = 2.1, h = 12);
        translate([5, -gap - wall - 1, roof + clear - 11]) cube([55, wall + 2, 12]);           // power, HDMI, audio
        translate([board_x, 1, roof + 1.5]) cube([gap + wall + 1, board_y - 2, clear]);          // USB, network
        translate([-gap - wall - 1, 10, roof + clear - 5]) cube([wall + 2, 36, 6]);             // button and light of a Pi 5
        translate([7, 48.8, -1]) cube([51.5, 7.2, roof + 2]);                                  // the pins
        translate([cable_slot[0], cable_slot[1], -1]) cube([cable_slot[2], cable_slot[3], roof + 2]);
        for (x = [10:5:40]) translate([x, 14, -1]) cube([2.4, 28, roof + 2]);                    // air
    }
}
case_lid();

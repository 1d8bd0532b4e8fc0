// Where things are on a Raspberry Pi 4 or 5: x along the long side from the card's end, y from the power side.
board_x = 85;
board_y = 56;
board_thick = 1.6;
holes = [for (x = [3.5, 61.5], y = [3.5, 52.5]) [x, y]];

module pi_board() { // a stand-in for the pictures
    color("seagreen") linear_extrude(board_thick) difference() {
        translate([3, 3]) offset(3) square([board_x - 6, board_y - 6]);
        for (hole = holes) translate(hole) circle(d = 2.7);
    }
    translate([0, 0, board_thick]) {
        color("silver") {
            for (y = [10.2, 29.1, 47]) translate([67, y - 7, 0]) cube([20.5, 14, y < 15 ? 13.5 : 16]);
            for (x = [11.2, 25.8, 39.2]) translate([x - 4, -1.3, 0]) cube([8, 7.5, 3.2]);
            translate([22, 20, 0]) cube([17, 17, 2.4]);
        }
        color("black") translate([7.1, 50, 0]) cube([50.8, 5, 2.5]);
        color("gold") for (n = [0:19], y = [51.2, 53.8]) translate([7.9 + 2.54 * n, y - 0.3, 0]) cube([0.6, 0.6, 8.5]);
        color("ivory") translate([46, 2, 0]) cube([3, 18, 5]);
    }
}

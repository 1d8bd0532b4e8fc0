// The whole thing for the pictures, and for measuring that mast and boom bring the lens where it belongs.
// view: "small" | "table" | "cafe" | "arm" | "case" | "rim" | "leds" | "panel" | "clamp" | "lamp"
include <sizes.scad>
use <foot.scad>
use <rim_clamp.scad>
use <elbow.scad>
use <camera_head.scad>
use <case_base.scad>
use <case_lid.scad>
use <pi_board.scad>
use <strip_holder.scad>
use <led_bar.scad>
use <seat_pod.scad>
use <panel.scad>
use <rim_body.scad>

view = "table";
stand = "foot";        // or "clamp"

printed = "#e8a33d";
metal = "#b9bec4";
wood = "#c69c6d";

mast_x = mast_at(board, stand);
long_mast = mast_length(height, camera, stand);
mast_from = stand == "clamp" ? rim_high + 8 + web : web;      // above what the board stands on
boom_axis = mast_from + long_mast + web + tube / 2;
lens_at = boom_axis - boom_over_lens(camera);
echo(lens_above_felt = lens_at - felt, mast = long_mast, boom = boom_length(board, stand), side = side(board));

turned = stand == "clamp" ? 0 : 22.5;   // a corner towards the foot, a side under the clamp
module octagon(across) { rotate(turned + 22.5) circle(d = across / cos(22.5), $fn = 8); }
module bak(felt_colour = "#2f6b45") {
    color(wood) linear_extrude(felt - 2) octagon(board);
    color(wood) linear_extrude(rim_high) difference() { octagon(board); octagon(board - 40); }
    color(felt_colour) translate([0, 0, felt - 2]) linear_extrude(2) octagon(board - 39.5);
}
module die(x, y, turn, pips, z = felt) {
    spots = [[], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, 1], [-1, 1], [1, -1]],
             [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]], [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]]];
    translate([x, y, z]) rotate(turn) {
        color("ivory") translate([-8, -8, 0]) cube(16);
        color("black") for (spot = spots[pips]) translate([spot[0] * 4, spot[1] * 4, 15.6]) cylinder(d = 3, h = 0.7);
    }
}
module square_tube(long) {
    color(metal) linear_extrude(long) difference() {
        square(tube, center = true);
        square(tube - 3, center = true);
    }
}
module camera_stand_in(camera) { // hangs below z = 0
    if (camera == "hq") {
        color("seagreen") translate([-19, -19, -3]) cube([38, 38, 1.6]);
        color("#333") translate([0, 0, -lens_drop(camera)]) cylinder(d = 30, h = lens_drop(camera) - 4);
    } else if (camera == "usb") {
        color("#333") translate([-35, -12, -lens_drop(camera) + 3]) cube([70, 24, 24]);
        color("#111") translate([0, 0, -lens_drop(camera)]) cylinder(d = 14, h = 4);
    } else {
        color("seagreen") translate([-14, -12.5, -2.2]) cube([24, 25, 1.1]);
        color("#333") translate([-4.5, -4.5, -lens_drop(camera)]) cube([9, 9, lens_drop(camera) - 2]);
    }
}
module arm(apart = 0) {
    if (stand == "clamp") color(printed) translate([board / 2 + clamp_play, 0, rim_high]) rotate(-90) rim_clamp_upright();
    else color(printed) translate([mast_x, 0, 0]) foot();
    translate([mast_x, 0, mast_from + apart]) square_tube(long_mast);
    color(printed) translate([mast_x, 0, mast_from + long_mast - 40 + 2 * apart]) elbow_upright();
    translate([head_reach - apart, 0, boom_axis + 2 * apart]) rotate([0, 90, 0]) square_tube(boom_length(board, stand));
    translate([-2 * apart, 0, boom_axis - head_plate - web - tube / 2 + 2 * apart]) {
        color(printed) camera_head(camera);
        translate([0, 0, -apart]) camera_stand_in(camera);
    }
}
module case(apart = 0) { // standing as on the bench: floor down
    color(printed) case_base();
    translate([0, 0, 6.4 + apart]) pi_board();
    color(printed, 0.95) translate([0, 0, 8 + 22 + 2 * apart]) rotate([180, 0, 0]) case_lid();
}
module case_on_mast() { // flange against the mast, sockets down
    translate([mast_x + tube / 2 + 12, -tube / 2 - 82, mast_from + long_mast - 48]) rotate([0, 90, 0]) case();
}
module on_side(n) { // x along side n of the rim, y outward from its face, z from the table
    rotate(turned + 45 * n) translate([board / 2, 0, rim_high - 30]) rotate(-90) children();
}
module pixels_on(n) {
    long = holder_length(pixels, pixels_per_m);
    on_side(n) translate([-long / 2, 0, 0]) {
        color(printed) strip_holder(pixels, pixels_per_m);
        for (p = [0:pixels - 1]) color(p < 9 - n % 4 ? "#fff27a" : "#6b5a36") on_face()
            translate([8 + (p + 0.5) * pitch(pixels_per_m) - 2.5, -2.5, -4]) cube([5, 5, 3.6]);
    }
}
module leds_on(n, lit) {
    on_side(n) translate([-52, 0, 0]) {
        color(printed) led_bar();
        for (p = [0:8]) color(p < lit ? "#ff4030" : "#6a2a26") on_face() translate([8 + 11 * p, 0, -1]) { cylinder(d = 5, h = 2); translate([0, 0, 2]) sphere(d = 5); }
    }
}
module desk(buttons, oled) {
    wide = panel_width(buttons, oled);
    rotate(90) translate([-wide / 2, 0, 0]) {
        color(printed) panel(buttons, oled);
        color(printed) translate([0, 0, -3]) panel_floor(buttons, oled);
        on_slope() {
            for (n = [0:buttons - 1]) translate([25 + 34 * n, 34, 0]) {
                color("#222") cylinder(d = 28, h = 3);
                color(["#d23b3b", "#3b6ed2", "#e8e8e8"][n]) cylinder(d = 20, h = 8);
            }
            if (oled) translate([8 + buttons * 34 + 24, 34, 0]) {
                color("#0b1f3a") translate([-15, -6, -0.5]) cube([30, 15, 1]);
                color("#bfe6ff") for (row = [0, 5], mark = [0:6]) translate([-12 + 3 * mark, -3 + row, 0.4]) cube([1, 3.4, 0.4]);
            }
        }
    }
}
module pod_on(n) { on_side(n) translate([-holder_length(pixels, pixels_per_m) / 2 - 27, 0, 0]) { color(printed) seat_pod(); color("#8fd3ff") translate([12, 11, 26]) cylinder(d = 11, h = 3); } }
module base_plate() { color("#e3cfa8") translate([-board / 2 - 20, -150, -base_thick]) cube([board / 2 + 20 + mast_x + 50, 300, base_thick]); }
module lamp_at(away, up, turn) {
    rotate(turn) translate([away, 0, 0]) {
        color("#555") cylinder(d = 110, h = 8);
        color("#555") cylinder(d = 8, h = felt + up);
        color("#555") translate([0, 0, felt + up]) rotate([0, 50, 0]) translate([0, 0, -25]) cylinder(d1 = 110, d2 = 40, h = 60);
        color("#fff6c8") translate([0, 0, felt + up]) rotate([0, 50, 0]) translate([0, 0, -27]) cylinder(d = 100, h = 3);
    }
}
module table_top() { color("#8a6a4f") translate([-420, -420, -base_thick - 10]) cube([840, 840, 10]); }
module dice() { die(-40, 30, 20, 1); die(55, -20, 50, 6); die(10, -90, 75, 5); }

if (view == "small" || view == "table" || view == "cafe") {
    table_top();
    base_plate();
    bak();
    dice();
    arm();
    case_on_mast();
    lamp_at(view == "cafe" ? 400 : 390, 400, 55);
    if (view == "small") { leds_on(4, 7); leds_on(6, 9); rotate(-90) translate([board / 2 + 110, 0, 0]) desk(1, false); }
    else { for (n = [0:7]) pixels_on(n); }
    if (view == "table") rotate(-90) translate([board / 2 + 110, 0, 0]) desk(3, true);
    if (view == "cafe") { for (n = [0:7]) pod_on(n); rotate(-90) translate([board / 2 + 110, 0, 0]) desk(3, true);
        translate([-260, 250, -base_thick]) { color("#333") cube([60, 70, 100]); color("#111") translate([30, -1, 50]) rotate([90, 0, 0]) cylinder(d = 44, h = 2); } }
}
if (view == "arm") { bak(); base_plate(); arm(45); }
if (view == "case") case(28);
if (view == "clamp") {
    bak();
    color(printed) translate([board / 2 + clamp_play, 0, rim_high]) rotate(-90) rim_clamp_upright();
    translate([mast_x, 0, mast_from + 30]) square_tube(140);
    color(metal) translate([board / 2, 0, rim_high - 15]) rotate([0, 90, 0]) {
        cylinder(d = 6, h = 40);
        translate([0, 0, 34]) cylinder(d = 10, h = 6, $fn = 6);
    }
}
if (view == "rim") {
    bak();
    pixels_on(0);
    pod_on(0);
    color("#ffffff", 0.45) on_side(0) translate([-holder_length(pixels, pixels_per_m) / 2 + 45, 0, 0])
        on_face() translate([0, -7, -2]) cube([holder_length(pixels, pixels_per_m), 14, 1]);
}
if (view == "leds") { bak(); leds_on(0, 7); }
if (view == "panel") rotate(-90) desk(3, true);
if (view == "lamp") { // seen from the side
    lens = [0, felt + height];
    lamp_x = (board / 2) * (height + 400) / height;
    color("#8a6a4f") translate([-330, -10, -base_thick - 6]) cube([760, 20, 6]);
    base_plate();
    bak();
    die(-150, 0, 0, 5);
    
    arm();
    rotate(0) lamp_at(lamp_x, 400, 0);
    for (far = [-1, 1]) ray(lens, [far * (board / 2 + 85), -base_thick], "#3b6ed2");
    ray([lamp_x - 14, felt + 390], [board / 2, felt + 16], "#e0a000");
    ray([board / 2, felt + 16], lens, "#e0a000");
    word([-250, 250], "the camera sees this far");
    word([120, 560], "a die at the rim would mirror the lamp");
    word([120, 535], "into the lens: no nearer than this");
}
module ray(from, to, of) {
    color(of) hull() for (end = [from, to]) translate([end[0], -160, end[1]]) rotate([90, 0, 0]) cylinder(d = 3, h = 2);
}
module word(at, told) {
    color("#222") translate([at[0], -165, at[1]]) rotate([90, 0, 0]) linear_extrude(1) text(told, size = 15, halign = "center");
}

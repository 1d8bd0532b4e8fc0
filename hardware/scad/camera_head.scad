// Holds the camera under the end of the boom; the lens is at the origin of x and y, the camera on the face z = 0.
// A camera module's cable leaves towards the mast, so that the picture's short side lies along the boom.
include <sizes.scad>
use <grip.scad>

long = 30;              // of the grip along the boom

// Centres of the screws [x, y] and their hole.
function camera_holes(camera) =
    camera == "hq" ? [for (x = [-15, 15], y = [-15, 15]) [x, y]]
    : camera == "usb" ? [[0, 0]]
    : [for (x = [-12, 0.5], y = [-10.5, 10.5]) [x, y]];
function camera_screw(camera) = camera == "hq" ? 2.8 : camera == "usb" ? 6.6 : 2.3;

module window(camera) { // room for what sits on the back of the camera's board, and for its cable
    if (camera == "hq") translate([-11, -14]) square([22, 28]);
    else if (camera != "usb") {
        translate([-15, -7.5]) square([20, 15]);
        translate([4, -11.5]) square([11, 23]);
    } else for (x = [-16, 12]) translate([x, -9]) square([4, 18]); // for straps
}
module camera_head(camera = camera) {
    half = camera == "hq" ? 22 : 20;
    difference() {
        union() {
            translate([-half, -half, 0]) linear_extrude(head_plate) rounded(head_reach + long + half, 2 * half, 4);
            translate([head_reach, 0, head_plate + web + tube / 2]) rotate([90, 0, 90]) grip_body(long);
            translate([head_reach, -grip_out / 2, 0]) cube([long, grip_out, head_plate + web + 1]);
        }
        translate([head_reach, 0, head_plate + web + tube / 2]) rotate([90, 0, 90]) grip_hole(long, long / 2);
        translate([0, 0, -1]) linear_extrude(head_plate + 2) window(camera);
        for (hole = camera_holes(camera)) translate([hole[0], hole[1], -1]) cylinder(d = camera_screw(camera), h = 99);
    }
}
camera_head();

// What every part shares: millimetres throughout. Change a number here, or give it on the command line
// (openscad -D board=350 …); hardware/printed.py and hardware/cut_list.py read the same lines.

// --- your board and your camera -------------------------------------------------------------------
board = 400;           // the octagon across its flats, outer edge to outer edge
rim_high = 40;         // top of the rim above what the board stands on
felt = 12;             // felt above what the board stands on
rim = 20;              // thickness of the rim, for the clamp
height = 440;          // lens above felt: hardware/field_of_view.py says how much
camera = "wide";       // "standard" (Camera Module 3), "wide" (3 Wide), "hq" (HQ with its lens), "usb"

// --- what you buy ---------------------------------------------------------------------------------
tube = 15;             // square tube of mast and boom, outer
base_thick = 9;        // plywood under board and mast
pixels = 12;           // WS2812 in each of the eight strips
pixels_per_m = 144;    // of the strip
strip = 12;            // width of the strip
lamp = 5;              // diameter of a loose LED
button = 24;           // hole of a panel button
seat_button = 12;      // hole of a seat button

// --- your printer ---------------------------------------------------------------------------------
fit = 0.4;             // added to a hole that something slides into
screw_m4 = 4.4;        // a hole that an M4 screw passes
$fn = 32;

// --- how the arm fits together (no need to change) -------------------------------------------------
grip_wall = 5;         // around a tube
grip_out = tube + fit + 2 * grip_wall;  // a grip's outer width
web = 4;               // between mast and boom, and under the mast
mast_away = 50;        // from a corner of the board to the mast's axis, with the foot
clamp_play = 8;        // of the clamp on the rim, taken up by its screw
clamp_away = 10;       // from the middle of a side to the mast's axis, with the clamp
head_reach = 22;       // from the lens to the end of the boom
tail = 25;             // of the boom behind the mast's axis
head_plate = 5;        // plate that the camera is screwed to

// What hangs below that plate: to the front of the lens.
function lens_drop(camera) = camera == "hq" ? 53 : camera == "usb" ? 30 : camera == "wide" ? 10 : 9;
// Boom's axis above the front of the lens.
function boom_over_lens(camera) = lens_drop(camera) + head_plate + web + tube / 2;
// Cut lengths. "foot": stands on the base plate. "clamp": stands on the rim.
function mast_length(height, camera, stand) =
    height + boom_over_lens(camera) - tube / 2 - web - web + (stand == "clamp" ? felt - rim_high - 8 : felt);
function mast_at(board, stand) = stand == "clamp" ? board / 2 + clamp_away : board / 2 / cos(22.5) + mast_away;
function boom_length(board, stand) = mast_at(board, stand) - head_reach + tail;
function side(board) = board * (sqrt(2) - 1);

module rounded(x, y, r) { // a rectangle from the origin with round corners
    translate([r, r]) offset(r) square([x - 2 * r, y - 2 * r]);
}
module hex_nut(across, thick) { cylinder(d = across / cos(30), h = thick, $fn = 6); }

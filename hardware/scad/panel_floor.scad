// The floor of the little desk, screwed on from below.
include <sizes.scad>
use <panel.scad>

buttons = 3;
oled = true;
panel_floor(buttons, oled);

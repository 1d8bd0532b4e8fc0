"""The board's own settings: which pin does what, how many pixels there are, and what they may draw.

Numbers are the GP numbers printed beside the Pico's pads. Change them here, copy this file to the board again.
"""

PIXELS = 96  # 12 a player, 8 players; a shorter chain takes the first ones
PIXEL_DATA = 22
PIXEL_COLOURS = 3  # 4 for SK6812 RGBW pixels, whose white stays dark

BUTTONS = (("stop", 2), ("undo", 3), ("menu", 4))  # each between its pin and ground
SEAT_BUTTONS = (6, 7, 8, 9, 10, 11, 12, 13)  # seat 1 first
SEAT_LIGHTS = (14, 15, 16, 17, 18, 19, 20, 21)  # the lamp of each seat button, with its own resistor

MOST_BRIGHTNESS = 160  # of 255: whatever the host asks for, no pixel gets more
MOST_MA = 500  # of all pixels together: what one USB port gives with room for the Pico itself

LOST_MS = 3000  # without a good line from the host for so long one faint pixel wanders instead

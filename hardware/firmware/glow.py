"""How bright the pixels really get: the two caps that no host can lift, and what they show without a host."""

QUIET_MA = 1  # a dark WS2812 still draws about this
CHANNEL_MA = 20  # one colour of one pixel at 255, by the data sheet
WANDER_MS = 250
WANDER = bytes((6, 4, 2))
_scaled = [0, b""]  # the last scale, and each byte at it


def milliamps(pixels: bytes, count: int) -> int:
    """What `count` pixels with these three bytes each draw, by the data sheet."""
    return count * QUIET_MA + (sum(pixels) * CHANNEL_MA + 254) // 255


def capped(pixels: bytes, brightness: int, most_brightness: int, most_ma: int, count: int) -> bytes:
    """The bytes to show: scaled to `brightness` of 255, then down again until all pixels keep to `most_ma`.

    What is lit stays lit, if only by 1 of 255. A budget too small for even that leaves all dark.
    """
    total = sum(pixels)
    scale = min(brightness, most_brightness, 255)
    if not total or not scale:
        return bytes(len(pixels))
    budget = (most_ma - count * QUIET_MA) * 255 // CHANNEL_MA  # in units of one channel at 1 of 255
    lit = 0
    for value in pixels:
        lit += value > 0
    if total * scale // 255 + lit > budget:  # rounding up may add one to each
        scale = (budget - lit) * 255 // total
        if scale <= 0:
            return bytes(len(pixels)) if lit > budget else bytes([1 if value else 0 for value in pixels])
    if _scaled[0] != scale:  # brightness seldom changes, and a Pico is slow
        _scaled[:] = scale, bytes([(value * scale + 254) // 255 for value in range(256)])
    table = _scaled[1]
    return bytes([table[value] for value in pixels])


def alone(now_ms: int, count: int) -> bytes:
    """No host speaks: one faint pixel wanders along the chain, which no game ever shows."""
    pixels = bytearray(3 * count)
    at = now_ms // WANDER_MS % count if count else 0
    pixels[3 * at : 3 * at + 3] = WANDER[: 3 * (count > 0)]
    return bytes(pixels)

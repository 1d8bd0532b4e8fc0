"""Writes pictures as an H.264 film that any player and OpenCV can read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import imageio_ffmpeg

from models.render.draw import Picture
from models.throws.roll import FPS

REPEATABLE = "-fflags +bitexact -map_metadata -1 -movflags +faststart"


def write_video(path: Path, pictures: Iterable[Picture], size: tuple[int, int], crf: int = 24) -> int:
    """Write BGR pictures of `size` (width, height) and return how many; the file appears only when it is whole.

    One thread and no clock in the file: the same pictures give the same bytes.
    """
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    writer = imageio_ffmpeg.write_frames(
        str(part),
        size,
        pix_fmt_in="bgr24",
        pix_fmt_out="yuv420p",
        fps=FPS,
        codec="libx264",
        macro_block_size=16,
        quality=None,
        ffmpeg_log_level="error",
        output_params=f"-crf {crf} -preset medium -threads 1 -g 150 {REPEATABLE}".split(),
    )
    writer.send(None)
    count = 0
    try:
        for picture in pictures:
            writer.send(picture.tobytes())
            count += 1
    except BaseException:
        writer.close()
        part.unlink(missing_ok=True)
        raise
    writer.close()
    part.replace(path)
    return count

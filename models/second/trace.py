"""Mitsuba 3 at work: the light that reaches the camera, and what the camera can see."""

from __future__ import annotations

import gc
import glob
import importlib
import os
import re
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.second.build import Builder, has_clear
from models.second.eye import Eye
from models.second.noise import Field
from models.second.shot import Shot
from models.second.solid import Floats

NEWEST_BAD_LLVM = 15
GOES = 4
NEAR_MM = 1.5
"""A place is seen if the camera's ray meets nothing more than this before it; pips lie below their side."""
Flags = npt.NDArray[np.bool_]


class NoTracer(RuntimeError):
    """Mitsuba cannot be used here; the message says why."""


class Tracer:
    """Mitsuba, made ready once for one thread.

    Its LLVM variant is some eight times as fast as the scalar one, but needs LLVM 16 or newer (14 and 15 crash).
    Raises NoTracer.
    """

    def __init__(self) -> None:
        library = os.environ.get("DRJIT_LIBLLVM_PATH") or newest_llvm()
        if library:
            os.environ["DRJIT_LIBLLVM_PATH"] = library
        self.variant = "llvm_ad_rgb" if library else "scalar_rgb"
        try:
            self.mi: Any = importlib.import_module("mitsuba")
            self.mi.set_variant(self.variant)
        except ModuleNotFoundError as error:
            raise NoTracer("Mitsuba is not installed: pip install .[second]") from error
        except (ImportError, AttributeError) as error:
            raise NoTracer(f"Mitsuba's variant {self.variant} cannot be used here: {error}") from error
        if library:
            importlib.import_module("drjit").set_thread_count(1)
        cv2.setNumThreads(1)
        self._builder = Builder(self.mi)

    def trace(self, shot: Shot, samples: int, places: Floats) -> tuple[Field, Flags]:
        """Linear light (h, w, 3), red first, lens bent; and which of the world's places (n, 3) the camera sees."""
        wide, high = _straight_size(shot.eye)
        scene = self._builder.scene(shot, wide, high)
        light = (
            self._clear_light(scene, shot.seed, samples) if has_clear(shot) else self._light(scene, shot.seed, samples)
        )
        seen = self._seen(scene, shot.eye, places)
        del scene
        gc.collect()  # what is left over would take numbers in Mitsuba's registry and ask for another kernel
        return _bent(shot.eye, _calmed(light)), seen

    def _light(self, scene: Any, seed: int, samples: int) -> Field:
        return np.array(self.mi.render(scene, spp=samples, seed=seed), np.float32)

    def _clear_light(self, scene: Any, seed: int, samples: int) -> Field:
        """Some more light, in four goes; what few of them saw is a chance glint of clear dice and is cut down."""
        each = max(1, -(-samples // 3))
        goes = np.stack([self._light(scene, GOES * seed + i, each) for i in range(GOES)])
        return np.asarray(np.minimum(goes, 1.6 * np.median(goes, axis=0) + 0.01).mean(axis=0), np.float32)

    def _seen(self, scene: Any, eye: Eye, places: Floats) -> Flags:
        if not len(places):
            return np.zeros(0, bool)
        pixels = eye.project(places)
        within = ((pixels > 0) & (pixels < [eye.width - 1, eye.height - 1])).all(1)
        way = places - np.array(eye.place)
        far = np.linalg.norm(way, axis=1)
        return np.asarray(within & (self._distances(scene, eye, way / far[:, None]) > far - NEAR_MM))

    def _distances(self, scene: Any, eye: Eye, ways: Floats) -> Floats:
        mi = self.mi
        origin = mi.Point3f(*eye.place)
        if self.variant == "scalar_rgb":
            rays = [mi.Ray3f(origin, mi.Vector3f(*way)) for way in ways]
            return np.array([scene.ray_intersect_preliminary(ray).t for ray in rays])
        rays = mi.Ray3f(origin, mi.Vector3f(*ways.T.astype(np.float32)))
        return np.array(scene.ray_intersect_preliminary(rays).t, float)


def newest_llvm() -> str | None:
    """The newest LLVM library in the system's folders that Mitsuba can use."""
    found = {}
    for path in glob.glob("/usr/lib/*/libLLVM*.so*") + glob.glob("/usr/lib/libLLVM*.so*"):
        version = re.search(r"libLLVM(?:-|\.so\.)(\d+)", path)
        if version and int(version[1]) > NEWEST_BAD_LLVM:
            found[int(version[1])] = path
    return found[max(found)] if found else None


def _straight_size(eye: Eye) -> tuple[int, int]:
    """The pinhole picture's size, of the same parity, that holds all the bent one needs."""
    if eye.k1 == 0:
        return eye.width, eye.height
    corners = np.array([[0.0, 0.0], [eye.width - 1, 0], [0, eye.height / 2], [eye.width / 2, 0]])
    reach = np.abs(eye.unbend(corners) - eye.middle).max(axis=0) + 2
    extra = np.maximum(np.ceil(reach * 2 - [eye.width - 1, eye.height - 1]), 0).astype(int)
    return eye.width + 2 * (int(extra[0]) // 2), eye.height + 2 * (int(extra[1]) // 2)


def _bent(eye: Eye, light: Field) -> Field:
    if eye.k1 == 0:
        return light
    y, x = np.mgrid[0 : eye.height, 0 : eye.width].astype(float)
    shift = (np.array([light.shape[1], light.shape[0]]) - [eye.width, eye.height]) / 2
    source = (eye.unbend(np.stack([x, y], -1)) + shift).astype(np.float32)
    return np.asarray(
        cv2.remap(light, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _calmed(light: Field) -> Field:
    """Single pixels far brighter than all about them are chance paths, not light: they are brought down."""
    ring = np.ones((3, 3), np.uint8)
    ring[1, 1] = 0
    about = cv2.dilate(light, ring)
    return np.asarray(np.minimum(light, 1.3 * about + 1e-4), np.float32)

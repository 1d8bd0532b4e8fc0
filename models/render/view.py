"""What the camera can see: the undistorted window, its clip matrix, and the geometry of a scene."""

import numpy as np
import numpy.typing as npt

from models.render import shapes
from models.render.camera import Camera
from models.render.scene import Scene
from models.render.solids import all_solids

Array = npt.NDArray[np.float64]
Rect = tuple[int, int, int, int]
"""x, y, width, height in px."""

HEIGHT_STEP = 25.0
"""Heights are rounded up to this many mm, so that a moving die does not shift the shadow maps' grid."""


def ground(scene: Scene) -> Array:
    """Triangle corners (N, 9) of all that is painted from above, as in `shapes.ground_rows`."""
    return shapes.ground_rows(scene.board, scene.clutter, scene.camera.position[0], scene.camera.position[1])


def solids(scene: Scene) -> Array:
    """Triangle corners (N, 11) of all that stands up, as in `solids.all_solids`."""
    return all_solids(scene.clutter, scene.hand)


def occluders(scene: Scene) -> Array:
    """Triangle corners (N, 3) of everything but dice that hides or shades: board, clutter, hand."""
    parts = [solids(scene)[:, :3]]
    if scene.board is not None or scene.clutter:
        parts.append(ground(scene)[:, :3])
    return np.concatenate(parts)


def undistorted_window(camera: Camera, rect: Rect) -> tuple[float, float, float, float]:
    """The upright undistorted rectangle that holds a rectangle of the picture, whole pixels."""
    x, y, w, h = rect
    if camera.k1 == 0:
        return float(x), float(y), float(w), float(h)
    t = np.linspace(0, 1, 17)
    border = np.concatenate([np.stack([t * w + x, np.full(17, v)], axis=1) for v in (y, y + h)])
    border = np.concatenate([border, *(np.stack([np.full(17, u), t * h + y], axis=1) for u in (x, x + w))])
    flat = camera.undistort(border)
    low, high = np.floor(flat.min(axis=0)) - 1, np.ceil(flat.max(axis=0)) + 1
    size = np.ceil((high - low) / 16) * 16
    return float(low[0]), float(low[1]), float(size[0]), float(size[1])


def view(scene: Scene, window: tuple[float, float, float, float]) -> tuple[Array, Array]:
    """Clip matrix of the window and the world points that bound what it can see."""
    x, y, w, h = window
    corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    lowest = -scene.board.base if scene.board else 0.0
    highest = max([scene.board.rim_height if scene.board else 0.0] + [d.position[2] + d.edge_mm for d in scene.dice])
    solid = solids(scene)
    highest = max(highest, float(solid[:, 2].max()) if len(solid) else 0.0)
    highest = np.ceil(highest / HEIGHT_STEP) * HEIGHT_STEP
    highest = min(highest, scene.camera.position[2] * 0.6)
    points = np.concatenate([scene.camera.on_plane(corners, z) for z in (lowest, highest)])
    far = float(np.linalg.norm(points - np.array(scene.camera.position), axis=1).max())
    near = max(20.0, (scene.camera.position[2] - highest) * 0.25)
    return scene.camera.clip_matrix(x, y, w, h, near, far * 1.3), points

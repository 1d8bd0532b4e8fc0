"""The camera: a pinhole with one term of radial distortion, looking down.

World frame: millimetres, z up. Camera frame: x right, y down in the picture, z forward. Pixel coordinates have
their origin at the upper left corner of the upper left pixel.
"""

import dataclasses

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Camera:
    """A pose and a lens; `rotation` (3x3) takes world axes to camera axes, `position` is in mm, `focal` in px.

    `k1` bends the lens: distorted = undistorted * (1 + k1 r²), r in units of `focal`.
    """

    position: tuple[float, float, float]
    rotation: tuple[tuple[float, float, float], ...]
    focal: float
    width: int
    height: int
    k1: float = 0.0
    centre: tuple[float, float] | None = None

    @property
    def principal(self) -> Array:
        """The principal point in px: the middle of the picture unless `centre` says otherwise."""
        return np.array(self.centre if self.centre is not None else (self.width / 2, self.height / 2))

    def to_camera(self, points: Array) -> Array:
        """World points (N, 3) in camera coordinates, mm."""
        return np.asarray((points - np.array(self.position)) @ np.array(self.rotation).T)

    def project_pinhole(self, points: Array) -> Array:
        """World points (N, 3) in undistorted pixels (N, 2)."""
        q = self.to_camera(points)
        return np.asarray(q[:, :2] / np.maximum(q[:, 2:], 1e-3) * self.focal + self.principal)

    def project(self, points: Array) -> Array:
        """World points (N, 3) in picture pixels (N, 2), lens included."""
        return self.distort(self.project_pinhole(points))

    def distort(self, pixels: Array) -> Array:
        """Undistorted pixels (N, 2) bent by the lens."""
        d = (pixels - self.principal) / self.focal
        r2 = np.minimum((d * d).sum(axis=-1, keepdims=True), self._r2_limit())
        return np.asarray(d * (1 + self.k1 * r2) * self.focal + self.principal)

    def undistort(self, pixels: Array) -> Array:
        """Picture pixels (N, 2) as an ideal pinhole would have shown them."""
        d = (pixels - self.principal) / self.focal
        if self.k1 == 0:
            return np.asarray(pixels)
        rd = np.sqrt((d * d).sum(axis=-1, keepdims=True))
        limit = np.sqrt(self._r2_limit())
        table = np.linspace(0, min(limit, float(rd.max()) * 2.5 + 1e-6), 512)
        ru = np.interp(rd, table * (1 + self.k1 * table**2), table)
        return np.asarray(d * (ru / np.maximum(rd, 1e-9)) * self.focal + self.principal)

    def undistorted_grid(self, rect: tuple[int, int, int, int]) -> npt.NDArray[np.float32]:
        """Undistorted pixels (h, w, 2) of the middles of all pixels of a rectangle x, y, w, h of the picture."""
        x, y, w, h = rect
        cx, cy = self.principal
        dx = (np.arange(w, dtype=np.float32) + np.float32(x + 0.5 - cx))[None, :] / np.float32(self.focal)
        dy = (np.arange(h, dtype=np.float32) + np.float32(y + 0.5 - cy))[:, None] / np.float32(self.focal)
        bent2 = dx * dx + dy * dy
        table = np.linspace(0, min(float(np.sqrt(self._r2_limit())), float(np.sqrt(bent2.max())) * 2.5 + 1e-6), 512)
        stretch = 1 + self.k1 * table**2
        share = np.interp(bent2.ravel(), (table * stretch) ** 2, 1 / stretch).astype(np.float32).reshape(h, w)
        scale = share * np.float32(self.focal)
        return np.stack([dx * scale + np.float32(cx), dy * scale + np.float32(cy)], axis=-1)

    def _r2_limit(self) -> float:
        """Squared radius at which a barrel lens would start to fold the picture over."""
        return 0.98 / (-3 * self.k1) if self.k1 < 0 else 1e6

    def ray(self, pixels: Array) -> Array:
        """Directions (N, 3), world axes, of the rays through undistorted pixels."""
        d = np.concatenate([(pixels - self.principal) / self.focal, np.ones((len(pixels), 1))], axis=1)
        return np.asarray(d @ np.array(self.rotation))

    def on_plane(self, pixels: Array, z: float = 0.0) -> Array:
        """World points (N, 3) of undistorted pixels on the level plane at height z mm."""
        direction = self.ray(pixels)
        origin = np.array(self.position)
        t = (z - origin[2]) / np.minimum(direction[:, 2:], -1e-3)
        return np.asarray(origin + t * direction)

    def clip_matrix(self, x: float, y: float, w: float, h: float, near: float, far: float) -> Array:
        """Matrix (4x4) from world to clip space for the undistorted window x, y, w, h (px), upper row first."""
        cx, cy = self.principal
        f = self.focal
        p = np.array(
            [
                [2 * f / w, 0, 2 * (cx - x) / w - 1, 0],
                [0, 2 * f / h, 2 * (cy - y) / h - 1, 0],
                [0, 0, (far + near) / (far - near), -2 * far * near / (far - near)],
                [0, 0, 1, 0],
            ]
        )
        view = np.eye(4)
        view[:3, :3] = np.array(self.rotation)
        view[:3, 3] = -view[:3, :3] @ np.array(self.position)
        return np.asarray(p @ view)


def overhead(
    target: tuple[float, float],
    height: float,
    tilt_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    focal: float,
    size: tuple[int, int],
    k1: float = 0.0,
    target_z: float = 0.0,
) -> Camera:
    """A camera `height` mm from the target point, `tilt_deg` off the vertical towards `azimuth_deg`."""
    tilt, azimuth, roll = np.radians([tilt_deg, azimuth_deg, roll_deg])
    away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    forward = -away
    side = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    down = np.cross(forward, side)
    right = side * np.cos(roll) + down * np.sin(roll)
    down = np.cross(forward, right)
    position = np.array([target[0], target[1], target_z]) + away * height
    rotation = tuple((float(r[0]), float(r[1]), float(r[2])) for r in (right, down, forward))
    x, y, z = (float(v) for v in position)
    return Camera((x, y, z), rotation, focal, size[0], size[1], k1)

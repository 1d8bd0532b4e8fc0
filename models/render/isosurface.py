"""A triangle mesh around a rounded body given by its distance field (naive surface nets)."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def capsules_distance(points: Array, ends: Array, radii: Array, blend: float) -> Array:
    """Signed distance (N,) mm from points (N, 3) to tapered capsules: `ends` (M, 2, 3), `radii` (M, 2).

    The capsules melt into each other over `blend` mm.
    """
    total: Array | None = None
    for (a, b), (ra, rb) in zip(ends, radii, strict=True):
        ab = b - a
        h = np.clip((points - a) @ ab / max(float(ab @ ab), 1e-9), 0, 1)
        d = np.linalg.norm(points - a - h[:, None] * ab, axis=1) - (ra + (rb - ra) * h)
        if total is None:
            total = d
        else:
            k = np.clip(0.5 + 0.5 * (total - d) / blend, 0, 1)
            total = total + (d - total) * k - blend * k * (1 - k)
    assert total is not None
    return total


def surface_net(field: Array, origin: Array, step: float) -> tuple[Array, npt.NDArray[np.int32]]:
    """Vertices (N, 3) and triangles (M, 3) of the zero level of a grid of distances (X, Y, Z)."""
    inside = field < 0
    cells = tuple(n - 1 for n in field.shape)
    total = np.zeros((*cells, 3))
    count = np.zeros(cells)
    for axis in range(3):
        lo = [slice(None)] * 3
        hi = [slice(None)] * 3
        lo[axis], hi[axis] = slice(0, -1), slice(1, None)
        fa, fb = field[tuple(lo)], field[tuple(hi)]
        cross = (fa < 0) != (fb < 0)
        t = np.where(cross, fa / np.where(cross, fa - fb, 1), 0)
        others = [k for k in range(3) if k != axis]
        for d0 in (0, 1):
            for d1 in (0, 1):
                cut = [slice(None)] * 3
                cut[others[0]] = slice(d0, d0 + cells[others[0]])
                cut[others[1]] = slice(d1, d1 + cells[others[1]])
                c, tt = cross[tuple(cut)], t[tuple(cut)]
                count += c
                at = np.zeros((*cells, 3))
                at[..., axis] = tt
                at[..., others[0]], at[..., others[1]] = d0, d1
                total += at * c[..., None]
    used = count > 0
    index = np.full(cells, -1)
    index[used] = np.arange(int(used.sum()))
    base = np.argwhere(used)
    vertices = (base + total[used] / count[used][:, None]) * step + origin
    quads = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        lo, hi = [slice(1, n - 1) for n in field.shape], [slice(1, n - 1) for n in field.shape]
        lo[axis], hi[axis] = slice(0, -1), slice(1, None)
        low, high = inside[tuple(lo)], inside[tuple(hi)]
        for flip in (False, True):
            cut_at = np.argwhere(low & ~high if not flip else ~low & high)
            cut_at[:, u] += 1
            cut_at[:, v] += 1
            ring = []
            for du, dv in ((1, 1), (0, 1), (0, 0), (1, 0)):
                q = cut_at.copy()
                q[:, u] -= du
                q[:, v] -= dv
                ring.append(index[q[:, 0], q[:, 1], q[:, 2]])
            quad = np.stack(ring, axis=1)
            quads.append(quad[:, ::-1] if flip else quad)
    quad = np.concatenate(quads)
    tris = np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])
    return vertices, tris.astype(np.int32)


def vertex_normals(vertices: Array, tris: npt.NDArray[np.int32]) -> Array:
    """Unit normals (N, 3), averaged over the triangles about each vertex."""
    t = vertices[tris]
    n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    out = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(out, tris[:, k], n)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12))

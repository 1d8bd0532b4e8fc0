#!/bin/sh
# Runs the camera contract on the real picamera2, over libcamera's virtual camera, and on the real OpenCV, over a
# pretended Video4Linux camera (v4l.c); then `doctor` on the first.
#   sh tests/lab/camera/run.sh [pytest options]      as root; the first run builds the lab (see build.sh)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
root=${CAMERA_LAB:-$top/.cache/camera-lab/trixie}
sh "$here/build.sh" "$root"

# the pictures that the camera shows: the demo's recorded game
if [ ! -e "$root/opt/lab/frames/0.jpg" ]; then
    cp "$top/device/demo/game.mp4" "$root/opt/lab/game.mp4"
    chroot "$root" /opt/lab/venv/bin/python - <<'PYTHON'
import cv2
film, n = cv2.VideoCapture("/opt/lab/game.mp4"), 0
while n < 24 * 60 and (got := film.read())[0]:
    if n % 60 == 0:
        width = got[1].shape[1]
        picture = cv2.copyMakeBorder(got[1], 0, 0, (1280 - width) // 2, (1280 - width) // 2, cv2.BORDER_REPLICATE)
        cv2.imwrite(f"/opt/lab/frames/{n // 60}.jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    n += 1
PYTHON
fi

# mounts of our own, so that nothing of this machine stays inside the lab when we end
export root top
# shellcheck disable=SC2016  # for the inner shell
exec unshare --mount --propagation private sh -euc '
mount --bind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$top" "$root/opt/lab/pietjesoog"
mount -o remount,bind,ro "$root/opt/lab/pietjesoog"
inside() {
    chroot "$root" env -i PATH=/opt/lab/venv/bin:/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 OMP_NUM_THREADS=1 \
        LD_PRELOAD=/opt/lab/shim.so "LIBCAMERA_LOG_LEVELS=*:ERROR" PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH=/opt/lab/pietjesoog:/opt/lab/pietjesoog/tests/lab/camera:/opt/lab/stand_ins PIETJESOOG_CAMERA_LAB=1 "$@"
}
cd /
inside python -m versions
inside env -C /opt/lab/pietjesoog python -m pytest -p no:cacheprovider -o addopts= -v tests/device/test_camera_contract.py "$@"
printf "[camera]\nkind = \"pi\"\nfps = 5\n[web]\nport = 0\n" >"$root/opt/lab/lab.toml"
inside python -m virtual_pi --config /opt/lab/lab.toml || [ $? = 1 ]  # 1: it looked, and something is at fault
' camera-lab "$@"

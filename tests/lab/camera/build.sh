#!/bin/sh
# Builds the camera lab once: a Debian 13 root with the real libcamera and picamera2, in an ignored folder.
#   sh tests/lab/camera/build.sh ROOT          as root, on Debian or Ubuntu; takes some minutes and about 1 GB
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$1
mirror=$(sh "$here/../mirror.sh")
stamp=$root/.built
recipe=$(cksum <"$here/build.sh")

say() { printf '%s\n' "camera lab: $*" >&2; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "$@"; }

# what may change without building anew
small_parts() {
    gcc -shared -fPIC -O1 -Wall -o "$root/opt/lab/shim.so" "$here/shim.c" "$here/v4l.c" -ldl
    cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
    # process names, display and raw files: imported by picamera2, not used by a camera that is only looked through
    mkdir -p "$root/opt/lab/stand_ins/pidng"
    for name in prctl pykms kms pidng/__init__ pidng/core pidng/camdefs pidng/defs; do
        printf '%s\n' 'from unittest.mock import MagicMock' '' '' 'def __getattr__(name):' '    return MagicMock()' \
            >"$root/opt/lab/stand_ins/$name.py"
    done
}

if [ "$(cat "$stamp" 2>/dev/null)" = "$recipe" ]; then small_parts; exit 0; fi
[ "$(id -u)" = 0 ] || { say "run this as root: debootstrap and chroot need it"; exit 2; }
need=
command -v debootstrap >/dev/null || need="$need debootstrap"
command -v gcc >/dev/null || need="$need gcc libc6-dev"
# shellcheck disable=SC2086  # a list of names
[ -z "$need" ] || { apt-get update -q >/dev/null; apt-get install -y -q --no-install-recommends $need >/dev/null; }

if [ ! -e "$root/.debian" ]; then
    say "unpacking Debian 13 into $root"
    rm -rf "$root"
    mkdir -p "$root"
    # shellcheck disable=SC2086  # none is none
    debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv trixie "$root" $mirror \
        >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
    touch "$root/.debian"
fi
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
# this machine's certificates and index settings, where it has its own
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt" 2>/dev/null || true
[ ! -e /etc/pip.conf ] || cp -L /etc/pip.conf "$root/etc/pip.conf"

# trixie's own libcamera 0.4 delivers virtual frames without metadata, and picamera2 then waits for ever
say "installing libcamera from trixie-backports"
mirror=$(awk '$1 == "deb" { print $2; exit }' "$root/etc/apt/sources.list")
printf '%s\n' "deb $mirror trixie main" "deb $mirror trixie-backports main" >"$root/etc/apt/sources.list"
inside apt-get update -q >>"$root.log" 2>&1
inside apt-get install -y -q --no-install-recommends -t trixie-backports \
    python3-libcamera libcamera-ipa python3-numpy >>"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }

say "installing picamera2, OpenCV and pytest"
[ -x "$root/opt/lab/venv/bin/python" ] || inside python3 -m venv --system-site-packages /opt/lab/venv
inside /opt/lab/venv/bin/python -m pip install -q --no-deps picamera2 >>"$root.log" 2>&1
# the parts of picamera2 that its import needs; display, DRM and raw files have stand-ins of ours
inside /opt/lab/venv/bin/python -m pip install -q pillow piexif simplejpeg videodev2 tqdm jsonschema libarchive-c av \
    'opencv-python-headless==4.11.0.86' onnxruntime 'gpiozero>=2' 'pyserial>=3.5' starlette uvicorn jinja2 \
    pytest 'numpy<2.3' >>"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }

mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/opt/lab/frames" "$root/opt/lab/pietjesoog"
small_parts
printf '%s' "$recipe" >"$stamp"
say "built ($(du -sm "$root" | cut -f1) MB)"

#!/bin/sh
# Makes .venv with everything that Pietjesoog needs, and says plainly what is missing where it cannot.
#   sh setup.sh [EXTRAS]      EXTRAS: dev (default), or dev,train to render and train too
set -eu
cd "$(dirname "$0")"
extras=${1:-dev}

say() { printf '%s\n' "pietjesoog: $*" >&2; }
fail() { say "$*"; exit 2; }
loads() { "$python" -c "import ctypes; ctypes.CDLL('$1')" 2>/dev/null; }

python=
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || fail "Python 3.11 or newer is needed; on Debian 12 and newer: apt-get install python3"

# opencv-python's wheel is linked to the system's libGL and GLib; a bare Debian has neither, nor ensurepip.
missing=
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
loads libGL.so.1 || missing="$missing libgl1"
loads libglib-2.0.so.0 || missing="$missing libglib2.0-0"
case ",$extras," in *,train,*)
    loads libEGL.so.1 || missing="$missing libegl1"
    find /usr/lib -name swrast_dri.so -o -name 'libgallium*.so' 2>/dev/null | grep -q . ||
        missing="$missing libgl1-mesa-dri" ;;
esac
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null 2>&1 ||
        fail "these system packages are missing (Debian's names):$missing – install them, then run make again"
    if [ "$(id -u)" = 0 ]; then as_root=; elif sudo -n true 2>/dev/null; then as_root="sudo -n"; else
        fail "these system packages are missing; please run:  sudo apt-get install$missing"
    fi
    say "installing system packages:$missing"
    $as_root apt-get update -q >/dev/null || fail "apt-get update failed; is there a network?"
    # Debian 13 renamed GLib's package when time_t grew
    if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then
        missing=$(printf '%s' "$missing" | sed 's/libglib2\.0-0/libglib2.0-0t64/')
    fi
    # shellcheck disable=SC2086  # a list of names
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null ||
        fail "apt-get could not install:$missing"
fi

if ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    say "making .venv (a minute or two the first time)"
    "$python" -m venv --clear .venv
fi
.venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check --editable ".[$extras]" ||
    fail "pip could not install what pyproject.toml names; its message stands above"
.venv/bin/python -c 'import cv2, onnxruntime' ||
    fail "OpenCV or onnxruntime was installed but does not load; the line above names what is missing"
# one stamp an extra, so that make can tell what stands
for extra in $(printf '%s' "$extras" | tr ',' ' '); do touch ".venv/.has-$extra"; done

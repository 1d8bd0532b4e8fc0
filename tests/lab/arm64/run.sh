#!/bin/sh
# Runs reader, replay and the scorer's tests as a Pi would: arm64 Debian 12 and 13 under qemu, with the pinned arm64
# wheels of the device image, and compares what they read with what this machine reads.
#   sh tests/lab/arm64/run.sh [bookworm|trixie ...]      as root, on x86-64; about 20 minutes each, 1.5 GB
# LAB_MIRROR: a Debian mirror of this machine; LAB_ROOTS: where the roots are made (.cache/arm64-lab)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
roots=${LAB_ROOTS:-$top/.cache/arm64-lab}
mirror=$(sh "$here/../mirror.sh")
python=$top/.venv/bin/python

say() { printf '%s\n' "arm64 lab: $*" >&2; }
[ "$(id -u)" = 0 ] || { say "run this as root: debootstrap and chroot need it"; exit 2; }
[ -x "$python" ] || { say "please run first: sh setup.sh"; exit 2; }
[ -n "$mirror" ] || { say "this machine has no Debian mirror; name one: LAB_MIRROR=..."; exit 2; }
command -v debootstrap >/dev/null || apt-get install -y -q --no-install-recommends debootstrap >/dev/null
mkdir -p "$roots"

# Debian 13's qemu: the one of Debian 12 crashes in onnxruntime
qemu=$roots/qemu/usr/bin/qemu-aarch64
if [ ! -x "$qemu" ]; then
    say "fetching qemu"
    own=$roots/qemu
    mkdir -p "$own/lists/partial" "$own/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$own/sources.list"
    trixie() {
        apt-get -q -o Dir::State::lists="$own/lists" -o Dir::Cache="$own/cache" -o Dir::State::status=/dev/null \
            -o Dir::Etc::sourcelist="$own/sources.list" -o Dir::Etc::sourceparts=/dev/null "$@" >>"$roots/qemu.log" 2>&1
    }
    trixie update
    (cd "$own" && trixie download qemu-user)
    dpkg -x "$own"/qemu-user_*.deb "$own"
    rm -rf "$own/lists" "$own/cache"
fi

make_root() { # of $system, at $root
    case $system in bookworm) version=311 glib=libglib2.0-0 ;; *) version=313 glib=libglib2.0-0t64 ;; esac
    if [ ! -e "$root/.unpacked" ]; then
        say "unpacking arm64 $system"
        rm -rf "$root"
        debootstrap --foreign --arch=arm64 --variant=minbase --include="python3,libgl1,$glib,zlib1g" "$system" "$root" \
            "$mirror" >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
        # nothing is configured: programs and libraries are all that is needed
        for package in "$root"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
        touch "$root/.unpacked"
    fi
    if [ ! -e "$root/.wheels" ]; then
        say "fetching the pinned wheels for Python $version"
        set -- --only-binary :all: --implementation cp --python-version "$version" --upgrade \
            --target "$root/opt/packages" --quiet --disable-pip-version-check
        for platform in manylinux2014 manylinux_2_17 manylinux_2_27 manylinux_2_28; do
            set -- "$@" --platform "${platform}_aarch64"
        done
        "$python" -m pip install "$@" --require-hashes --no-deps -r "$top/hardware/image/$system.txt"
        # the tests' own need nothing compiled
        "$python" -m pip install "$@" pytest 'hypothesis<6.160'
        touch "$root/.wheels"
    fi
    cp "$qemu" "$root/opt/qemu"
}

# what is read: stills on a board and close up, a film of throws
pictures() { (cd "$top" && find tests/data/stills tests/data/second -name '*.jpg' | sort); }
readings() { # $1: how a Python is called …
    # shellcheck disable=SC2046  # a list of names
    "$@" -m device.cli read --json --board whole $(pictures) || [ $? = 1 ]
    "$@" -m device.cli read --json --board auto tests/data/second/second_0000000.jpg || [ $? = 1 ]
    for film in tests/data/throw_00001.mp4 tests/data/outside_00012.mp4; do
        "$@" -m device.cli replay --json --dice 3 "$film" || [ $? = 1 ]
    done
}
# shellcheck disable=SC2317  # called by the name that is given
x86() { (cd "$top" && env OMP_NUM_THREADS=1 "$python" "$@"); }
arm() { # qemu starts Python alone: what Python would start, the kernel here cannot run
    chroot "$root" /opt/qemu -E PYTHONPATH=/opt/packages:/opt/project -E PYTHONDONTWRITEBYTECODE=1 \
        -E OMP_NUM_THREADS=1 -E HOME=/tmp -E LC_ALL=C.UTF-8 /usr/bin/python3 /opt/start.py "$@"
}

[ $# -gt 0 ] || set -- bookworm trixie
failed=0
for system in "$@"; do
    root=$roots/$system
    make_root
    rm -rf "$root/opt/project"
    mkdir -p "$root/opt/project" "$root/tmp" "$root/dev" "$root/proc"
    for part in pyproject.toml scorer vision device models tests; do cp -R "$top/$part" "$root/opt/project/"; done
    out=$roots/$system
    say "reading on x86-64"
    readings x86 >"$out.x86.jsonl"
    say "reading on arm64 $system"
    cp "$here/start.py" "$root/opt/start.py"
    arm -c 'import platform, sys, numpy, cv2, onnxruntime
print(platform.machine(), sys.version.split()[0], numpy.__version__, cv2.__version__, onnxruntime.__version__)'
    readings arm >"$out.arm64.jsonl"
    "$python" "$here/compare.py" "$out.x86.jsonl" "$out.arm64.jsonl" || failed=1
    say "the scorer's tests on arm64 $system"
    arm -m pytest -q -p no:cacheprovider -o addopts= tests/scorer || failed=1
done
[ $failed = 0 ] && say "all well"
exit $failed

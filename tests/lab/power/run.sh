#!/bin/sh
# Cuts the power of a Debian 13 machine (qemu, emulated) in the middle of a game, over and over: nothing that was
# acknowledged to anybody may be lost or doubled. The machine is made and Pietjesoog installed in it the first time.
#   sh tests/lab/power/run.sh [CUTS [SEED [MINUTES]]]      as root; 10 cuts: about half an hour, 5 GB
# A line tells each start and each cut; no machine is started after MINUTES (240).
# LAB_MIRROR: a Debian mirror of this machine; LAB_ROOTS: where the machine is made (.cache/power-lab)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
lab=${LAB_ROOTS:-$top/.cache/power-lab}
mirror=$(sh "$here/../mirror.sh")
python=$top/.venv/bin/python
root=$lab/root

say() { printf '%s\n' "power lab: $*" >&2; }
[ "$(id -u)" = 0 ] || { say "run this as root: debootstrap and chroot need it"; exit 2; }
[ -x "$python" ] || { say "please run first: sh setup.sh"; exit 2; }
need=''
command -v debootstrap >/dev/null || need="$need debootstrap"
command -v qemu-system-x86_64 >/dev/null || need="$need qemu-system-x86"
# shellcheck disable=SC2086  # a list of names
[ -z "$need" ] || apt-get install -y -q --no-install-recommends $need >/dev/null
mkdir -p "$lab"

recipe=$(cat "$here/run.sh" "$here/inside.sh" | cksum; cd "$top" && git rev-parse HEAD:hardware HEAD:device HEAD:scorer HEAD:vision)
if [ "$(cat "$lab/.made" 2>/dev/null)" != "$recipe" ]; then
    if [ ! -e "$lab/.unpacked" ]; then
        say "unpacking Debian 13"
        rm -rf --one-file-system "$root"
        # shellcheck disable=SC2086  # none is none
        debootstrap --variant=minbase \
            --include=ca-certificates,systemd,systemd-sysv,systemd-resolved,udev,dbus,python3,python3-venv,libgl1,libglib2.0-0t64 \
            trixie "$root" $mirror >"$lab/debootstrap.log" 2>&1 || { tail -5 "$lab/debootstrap.log" >&2; exit 1; }
        touch "$lab/.unpacked"
    fi
    say "installing a kernel and Pietjesoog"
    sh "$here/../in_root.sh" "$root" tests/lab/power/inside.sh
    say "making its disk"
    rm -f "$lab/disk.img" "$lab/disk.fresh"
    cp "$root"/boot/vmlinuz-* "$lab/vmlinuz"
    cp "$root"/boot/initrd.img-* "$lab/initrd"
    size=$(($(du -sm "$root" | cut -f1) + 800))
    mke2fs -q -t ext4 -L root -d "$root" "$lab/disk.fresh" "${size}M"
    printf '%s' "$recipe" >"$lab/.made"
fi
cp --sparse=always "$lab/disk.fresh" "$lab/disk.img"
exec "$python" "$here/cut.py" --lab "$lab" --cuts "${1:-10}" --seed "${2:-1}" --minutes "${3:-240}"

#!/bin/sh
# Installs Pietjesoog in a Debian 12 and a Debian 13 root made for it: twice, an upgrade and back, --check, --uninstall.
#   sh tests/lab/install/run.sh [bookworm|trixie ...]      as root; about 10 minutes each, 2 GB
# LAB_MIRROR: a Debian mirror of this machine; LAB_ROOTS: where the roots are made (.cache/install-lab)
# LAB_STEPS: only these steps of inside.sh, in the copy that stands there from a run that ended with one of them
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
roots=${LAB_ROOTS:-$top/.cache/install-lab}
mirror=$(sh "$here/../mirror.sh")

say() { printf '%s\n' "install lab: $*" >&2; }
[ "$(id -u)" = 0 ] || { say "run this as root: debootstrap and chroot need it"; exit 2; }
command -v debootstrap >/dev/null || apt-get install -y -q --no-install-recommends debootstrap >/dev/null
mkdir -p "$roots"

[ $# -gt 0 ] || set -- bookworm trixie
for system in "$@"; do
    kept=$roots/$system
    if [ ! -e "$kept.made" ]; then
        say "unpacking $system"
        rm -rf "$kept"
        # shellcheck disable=SC2086  # none is none
        debootstrap --variant=minbase --include=ca-certificates,systemd "$system" "$kept" $mirror >"$kept.log" 2>&1 ||
            { tail -5 "$kept.log" >&2; exit 1; }
        touch "$kept.made"
    fi
    root=$roots/$system.copy
    if [ -z "${LAB_STEPS:-}" ]; then
        say "installing in a copy of $system"
        rm -rf --one-file-system "$root"
        cp -a "$kept" "$root"
    fi
    # shellcheck disable=SC2086  # a list of names
    sh "$here/../in_root.sh" "$root" tests/lab/install/inside.sh "$system" ${LAB_STEPS:-}
    [ -n "${LAB_STEPS:-}" ] || rm -rf --one-file-system "$root"
done
say "all well"

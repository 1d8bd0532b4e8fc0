#!/bin/sh
# Runs a script of the project inside a root that debootstrap made, with the project read-only at /mnt/project and this
# machine's name servers and certificates; nothing of this machine stays mounted there afterwards.
#   sh tests/lab/in_root.sh ROOT SCRIPT [WORDS]      as root; SCRIPT relative to the project
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
root=$1 script=$2
shift 2
rm -f "$root/etc/resolv.conf"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
mkdir -p "$root/mnt/project"
export root top script
# mounts of our own, gone when we end
exec unshare --mount --propagation private sh -euc '
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$top" "$root/mnt/project"
mount -o remount,bind,ro "$root/mnt/project"
exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt sh -eu "/mnt/project/$script" "$@"
' in-root "$@"

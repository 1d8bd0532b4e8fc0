#!/bin/sh
# The newest release on a USB stick, pietjesoog-VERSION.tar.gz with its .sig beside it, where a known key signed it.
# Run by pietjesoog-update.service after the owner, who has the PIN, asked for it on the page.
set -eu
ASKED=${1:-/var/lib/pietjesoog/update.asked}
KEYS=/etc/pietjesoog/release.keys
place=$(mktemp -d /run/pietjesoog-stick.XXXXXX)
trap 'umount "$place" 2>/dev/null || true; rmdir "$place" 2>/dev/null || true' EXIT
say() { printf '%s\n' "pietjesoog update: $*" >&2; }

# first of all, so that a fault does not ask again for ever
rm -f "$ASKED"
[ -s "$KEYS" ] || { say "no key is known here, so nothing can be verified (pietjesoog-install --key FILE)"; exit 2; }

# sticks only, and only the file systems that sticks have; nothing on it is run or followed
for stick in /dev/disk/by-id/usb-*; do
    case $(blkid -o value -s TYPE "$stick" 2>/dev/null) in vfat | exfat) ;; *) continue ;; esac
    mount -o ro,nosuid,nodev,noexec,nosymfollow "$stick" "$place" 2>/dev/null ||
        mount -o ro,nosuid,nodev,noexec "$stick" "$place" || continue
    newest=$(find "$place" -maxdepth 1 -type f -name 'pietjesoog-[0-9]*.tar.gz' | sort -V | tail -n 1)
    if [ -n "$newest" ] && [ -f "$newest.sig" ]; then
        say "found ${newest##*/} on $stick"
        status=0
        sh /opt/pietjesoog/tools/hardware/install.sh --newer --from "$newest" || status=$?
        exit "$status"
    fi
    umount "$place"
done
say "no stick with pietjesoog-VERSION.tar.gz and its .sig is in a USB port"
exit 2

# shellcheck shell=sh
# A card that is only read outlives years of evenings that end with the fuse. The scores lie on a partition of their
# own, which stays writable; everything else that is written is gone with the power. Sourced by install.sh.

OVERLAY=/etc/overlayroot.conf
DATA_LABEL=pietjesoog

is_read_only() { grep -q '^overlayroot / ' /proc/mounts 2>/dev/null; }

refuse_a_read_only_root() {
    is_read_only || return 0
    fail "the card is read-only, and what is installed now would be gone: run pietjesoog-install --writable-root, restart, install, then --read-only-root again"
}

read_only_root() {
    is_read_only && { say "the card is read-only already"; return; }
    [ -L "$OPT/current" ] || fail "install first, then make the card read-only"
    [ -b "$data" ] || fail "there is no partition $data; lsblk lists them, and it must be one of its own, not the system's"
    case $(findmnt -n -o SOURCE /) in
    "$data") fail "$data holds the system; the scores need a partition of their own (or a USB stick)" ;;
    esac
    [ "$(blkid -o value -s TYPE "$data")" = ext4 ] ||
        fail "$data is not ext4; if nothing on it is needed any more:  sudo mkfs.ext4 -L $DATA_LABEL $data"
    uuid=$(blkid -o value -s UUID "$data")
    [ -n "$uuid" ] || fail "$data has no UUID"
    # Raspberry Pi OS and Debian both have it
    has_package overlayroot || apt-get install -y -q --no-install-recommends overlayroot >/dev/null ||
        fail "apt-get could not install overlayroot"
    move_scores
    # recurse=0: only the root is laid over, the partition of the scores is really written
    printf 'overlayroot="tmpfs:recurse=0"\n' >"$OVERLAY"
    update-initramfs -u -k all >/dev/null 2>&1 || fail "update-initramfs failed; nothing is read-only yet"
    if [ -e /boot/firmware/config.txt ] && ! grep -q '^auto_initramfs=1' /boot/firmware/config.txt; then
        printf '\n# pietjesoog: the read-only root is set up in it\nauto_initramfs=1\n' >>/boot/firmware/config.txt
    fi
    say "from the next start on the card is only read; the scores are on $data"
    say "to install or change anything of the system: pietjesoog-install --writable-root, restart"
}

move_scores() {
    if ! findmnt -n "$STATE" >/dev/null; then
        if runs_systemd; then systemctl stop pietjesoog.service; fi
        place=$(mktemp -d)
        mount "$data" "$place"
        # a partition that held scores before keeps them
        if [ ! -e "$place/pietjesoog.toml" ]; then cp -a "$STATE/." "$place/"; fi
        chown "$ACCOUNT:$ACCOUNT" "$place"
        chmod 0750 "$place"
        umount "$place"
        rmdir "$place"
    fi
    if ! grep -q "^UUID=$uuid $STATE " /etc/fstab; then
        sed -i '/# pietjesoog$/d' /etc/fstab
        # nofail: a dead partition must not keep the machine from starting
        printf 'UUID=%s %s ext4 noatime,nodev,nosuid,noexec,nofail,data=ordered,commit=5,x-systemd.device-timeout=15 0 2 # pietjesoog\n' \
            "$uuid" "$STATE" >>/etc/fstab
    fi
    if runs_systemd; then
        systemctl daemon-reload
        mount "$STATE"
        systemctl start pietjesoog.service
    fi
}

writable_root() {
    if is_read_only; then
        command -v overlayroot-chroot >/dev/null 2>&1 || fail "overlayroot-chroot is missing"
        overlayroot-chroot sh -c "printf 'overlayroot=\"\"\n' >$OVERLAY && update-initramfs -u -k all >/dev/null 2>&1" ||
            fail "the card could not be made writable"
    elif [ -e "$OVERLAY" ]; then
        printf 'overlayroot=""\n' >"$OVERLAY"
        update-initramfs -u -k all >/dev/null 2>&1 || fail "update-initramfs failed"
    fi
    say "from the next start on the card is written again; the scores stay where they are"
}

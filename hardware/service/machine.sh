# shellcheck shell=sh
# Which system this is, what it must have from apt, and the account that the service runs as. Sourced by install.sh.

# groups that open devices; a unit that names a missing one does not start
DEVICE_GROUPS="video render audio dialout gpio i2c spi"

runs_systemd() { [ -d /run/systemd/system ]; }
has_package() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
can_have() { has_package "$1" || LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'; }

# sets codename; fails where the packages of the image do not fit
know_the_system() {
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
    system=$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null)
    case $system in
    debian | raspbian) ;;
    *) fail "this installs on Raspberry Pi OS and Debian; elsewhere run it by hand, as README.md says (make demo)" ;;
    esac
    command -v systemctl >/dev/null 2>&1 || fail "systemd is needed, and there is none here"
    case $(dpkg --print-architecture) in
    arm64 | amd64) ;;
    *) fail "a 64-bit system is needed: write Raspberry Pi OS (64-bit) to the card" ;;
    esac
    case $codename in
    bookworm | trixie) ;;
    *) fail "it is made for Bookworm and Trixie (Debian 12 and 13); this is ${codename:-unknown}" ;;
    esac
}

# On Raspberry Pi OS apt has the camera library that fits its libcamera; plain Debian has none.
has_camera_library() { can_have python3-picamera2; }

wanted_packages() {
    echo python3 python3-venv ca-certificates avahi-daemon libgl1 alsa-utils espeak-ng
    # Debian 13 renamed GLib's package when time_t grew
    if [ "$codename" = trixie ]; then echo libglib2.0-0t64; else echo libglib2.0-0; fi
    if has_camera_library; then
        echo python3-picamera2
        for package in python3-lgpio python3-spidev; do
            if can_have "$package"; then echo "$package"; fi
        done
    fi
    # NetworkManager's shared Wi-Fi hands out addresses by the one, the other counts the phones
    if command -v nmcli >/dev/null 2>&1; then echo dnsmasq-base iw; fi
    if [ "$kiosk" = yes ] && ! has_desktop; then echo cage chromium; fi
}

missing_packages() {
    for package in $(wanted_packages); do
        has_package "$package" || printf ' %s' "$package"
    done
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    if ! has_camera_library; then apt-get update -q >/dev/null 2>&1 || true; fi
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        say "installing from apt:$missing"
        apt-get update -q >/dev/null || fail "apt-get update failed; is there a network?"
        # shellcheck disable=SC2086  # a list of names
        apt-get install -y -q --no-install-recommends $missing >/dev/null || fail "apt-get could not install:$missing"
    fi
    if ! has_camera_library; then
        say "this system has no library for the Pi's own camera (python3-picamera2): a USB camera it is"
    fi
}

make_account() {
    getent group "$ACCOUNT" >/dev/null || groupadd --system "$ACCOUNT"
    getent passwd "$ACCOUNT" >/dev/null || useradd --system --gid "$ACCOUNT" --home-dir "$STATE" --no-create-home \
        --shell /usr/sbin/nologin --comment "Pietjesoog" "$ACCOUNT"
    install -d -m 0750 -o "$ACCOUNT" -g "$ACCOUNT" "$STATE"
}

# as the service's own user: $1 its groups for setpriv, then what to run, after the NAME=VALUE that it needs
as_account() {
    in_groups=$1
    shift
    setpriv --reuid "$ACCOUNT" --regid "$ACCOUNT" "$in_groups" --no-new-privs env -i HOME=/tmp PATH=/usr/bin:/bin \
        LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 "$@"
}

our_groups() {
    for group in $DEVICE_GROUPS; do
        if getent group "$group" >/dev/null; then printf '%s ' "$group"; fi
    done
}

has_desktop() { [ -e /etc/systemd/system/display-manager.service ]; }

#!/bin/sh
# Installs Pietjesoog as a service, or brings it up to date; `sh hardware/install.sh --help` tells all.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
top=$(cd "$here/.." && pwd)

OPT=/opt/pietjesoog
STATE=/var/lib/pietjesoog
SETTINGS=$STATE/pietjesoog.toml
UNITS=/etc/systemd/system
KEYS=/etc/pietjesoog/release.keys
ACCOUNT=pietjesoog
SCREEN_ACCOUNT=pietjesoog-screen
SERVICES="pietjesoog.service pietjesoog-settle.service pietjesoog-network.service pietjesoog-kiosk.service"

say() { printf '%s\n' "pietjesoog: $*" >&2; }
fail() { say "$*"; exit 2; }

usage() {
    cat <<'END'
usage: sudo sh hardware/install.sh [OPTIONS]

Installs Pietjesoog as a service on Raspberry Pi OS or Debian, Bookworm or Trixie, 64-bit. Run again it puts right what
is missing; run from a newer folder or archive it upgrades, keeps the scores, and goes back by itself where the new
version does not come up well.

  --build small|table|cafe  first settings, for one of the builds of hardware/GUIDE.md
  --name NAME               the device answers to NAME.local (pietjesoog)
  --port N                  port of the page (80)
  --from ARCHIVE            install this release archive, after its signature (ARCHIVE.sig) or its hash was verified
  --sha256 HEX              that hash, as the release tells it; needed while no key is known (--key)
  --newer                   … and only where it is newer than the one that runs
  --key FILE                who may sign releases from now on (an OpenSSH public key, or several)
  --kiosk, --no-kiosk       show the page on a screen of the device's own
  --no-access-point         never open a Wi-Fi of its own
  --read-only-root --data PARTITION
                            the card is only read from the next start on; the scores lie on PARTITION (ext4)
  --writable-root           back, from the next start on
  --check                   tell what is there and what is missing; status 1 where something is wrong
  --code                    tell the table's code, where there is no screen to read it from
  --doctor                  what is wrong with camera, lights and the rest, as the service sees them
  --uninstall [--forget]    take it away; the scores stay unless told to forget them
  --help                    this

examples:
  sudo sh hardware/install.sh --build table
  sudo sh hardware/install.sh --from pietjesoog-0.2.0.tar.gz --sha256 9f86d0…
  sudo sh hardware/install.sh --check
END
}

do=install build='' name='' port='' archive='' hash='' key='' kiosk='' access_point='' newer='' data='' root_is='' forget=''
value() { if [ $# -lt 2 ] || [ -z "$2" ]; then fail "$1 wants a value; --help has an example"; fi; }
while [ $# -gt 0 ]; do
    case $1 in
    --build) value "$@"; build=$2; shift ;;
    --name) value "$@"; name=$2; shift ;;
    --port) value "$@"; port=$2; shift ;;
    --from) value "$@"; archive=$2; shift ;;
    --sha256) value "$@"; hash=$2; shift ;;
    --key) value "$@"; key=$2; shift ;;
    --data) value "$@"; data=$2; shift ;;
    --kiosk) kiosk=yes ;;
    --no-kiosk) kiosk=no ;;
    --no-access-point) access_point=no ;;
    --read-only-root) root_is=read-only ;;
    --writable-root) root_is=writable ;;
    --check) do=check ;;
    --newer) newer=yes ;;
    --code) do=code ;;
    --doctor) do=doctor ;;
    --uninstall) do=uninstall ;;
    --forget) forget=yes ;;
    --help | -h) usage; exit 0 ;;
    *) say "there is no option $1"; usage >&2; exit 2 ;;
    esac
    shift
done
case $build in '' | small | table | cafe) ;; *) fail "there is no build called $build; there are: small table cafe" ;; esac
case $port in *[!0-9]*) fail "--port wants a number from 1 to 65535" ;; esac
if [ -n "$port" ] && { [ "${#port}" -gt 5 ] || [ "$port" -lt 1 ] || [ "$port" -gt 65535 ]; }; then
    fail "--port wants a number from 1 to 65535"
fi
case $name in *[!a-z0-9-]* | -* | *-) fail "--name takes small letters, digits and - in the middle" ;; esac
[ "${#name}" -le 63 ] || fail "--name has at most 63 letters"
[ "$root_is" != read-only ] || [ -n "$data" ] || fail "--read-only-root wants --data PARTITION, such as /dev/sda1"
[ -z "$forget" ] || [ "$do" = uninstall ] || fail "--forget belongs to --uninstall"

# shellcheck source=hardware/service/machine.sh
. "$here/service/machine.sh"
# shellcheck source=hardware/service/packed.sh
. "$here/service/packed.sh"
# shellcheck source=hardware/service/archive.sh
. "$here/service/archive.sh"
# shellcheck source=hardware/service/release.sh
. "$here/service/release.sh"
# shellcheck source=hardware/service/settings.sh
. "$here/service/settings.sh"
# shellcheck source=hardware/service/read_only.sh
. "$here/service/read_only.sh"
# shellcheck source=hardware/service/check.sh
. "$here/service/check.sh"

[ "$(id -u)" = 0 ] || fail "run this as root: sudo sh hardware/install.sh"

install_all() {
    know_the_system
    refuse_a_read_only_root
    [ -z "$key" ] || trust "$key"
    [ -z "$archive" ] || from_archive # which ends in the install.sh of the archive
    install_packages
    make_account
    keep_installer
    first_settings
    small_settings
    make_release
    put_release
    [ -z "$kiosk" ] || set_kiosk
    summary
}

case $do in
check) check_all ;;
doctor) doctor ;;
code) cat /run/pietjesoog/table-code 2>/dev/null || fail "Pietjesoog does not run here" ;;
uninstall) uninstall_all ;;
install)
    case $root_is in
    read-only) know_the_system; read_only_root ;;
    writable) writable_root ;;
    *) install_all ;;
    esac ;;
esac

# shellcheck shell=sh
# Tells what is there and what is missing, and takes all away again. Sourced by install.sh.

faults=0
found() { printf 'ok     %s\n' "$*"; }
lacks() { printf 'FAULT  %s\n' "$*"; faults=$((faults + 1)); }
hint() { printf 'note   %s\n' "$*"; }

check_all() {
    know_the_system
    found "$codename, $(dpkg --print-architecture)"
    missing=$(missing_packages)
    if [ -z "$missing" ]; then found "apt packages"; else lacks "apt packages missing:$missing"; fi
    has_camera_library || hint "no library for the Pi's own camera on this system: a USB camera it is"
    if getent passwd "$ACCOUNT" >/dev/null; then found "account $ACCOUNT"; else lacks "account $ACCOUNT"; fi
    check_release
    check_units
    check_state
    check_service
    if [ "$faults" -gt 0 ]; then
        say "$faults at fault; run install.sh again to put it right"
        exit 1
    fi
}

check_release() {
    release=$(basename "$(readlink "$OPT/current" 2>/dev/null)" 2>/dev/null || true)
    folder=$OPT/current
    if [ -z "$release" ] || [ ! -e "$folder/.complete" ]; then lacks "no release in $OPT"; return; fi
    found "release $release"
    if [ -n "$(find "$OPT" -xdev \( -perm -o+w -o ! -user root \) ! -type l -print -quit)" ]; then
        lacks "somebody else than root may change files in $OPT"
    else
        found "only root may change the program"
    fi
    check_loads "its libraries" 'cv2, onnxruntime, starlette, uvicorn'
    if has_camera_library; then check_loads "the camera library" picamera2; fi
    [ ! -e "$OPT/refused.json" ] || hint "a newer release was given up: $(cat "$OPT/refused.json")"
    [ ! -e "$OPT/trying.json" ] || hint "the release is being tried: $(cat "$OPT/trying.json")"
}

check_loads() { # $1: what it is, $2: the modules
    if said=$("$OPT/current/venv/bin/python" -B -c "import $2" 2>&1); then found "$1"; else
        lacks "$1: $(printf '%s\n' "$said" | tail -n 1)"
    fi
}

check_units() {
    for unit in $SERVICES; do
        if cmp -s "$OPT/current/service/$unit" "$UNITS/$unit"; then found "unit $unit"; else lacks "unit $unit"; fi
    done
    for unit in pietjesoog.service pietjesoog-settle.service; do
        if systemctl is-enabled --quiet "$unit" 2>/dev/null; then found "$unit starts with the machine"; else
            lacks "$unit does not start with the machine"
        fi
    done
    if grep -qx "SupplementaryGroups=$(our_groups)" "$GROUPS_OF_UNIT" 2>/dev/null; then found "groups: $(our_groups)"; else
        lacks "the unit's groups are not those of this machine: $(our_groups)"
    fi
    if [ -e "$JOURNALD" ]; then found "limits of the log"; else lacks "limits of the log"; fi
    if [ -e /dev/watchdog0 ] || [ -e /dev/watchdog ]; then
        if [ -e "$WATCHDOG" ]; then found "hardware watchdog"; else lacks "hardware watchdog"; fi
    else
        hint "this machine has no hardware watchdog"
    fi
    if grep -q '# pietjesoog$' "$AVAHI" 2>/dev/null; then found "answers to $(answers_to).local"; else
        lacks "the name $(answers_to).local"
    fi
    if [ -s "$KEYS" ]; then
        if cmp -s "$here/service/pietjesoog-update.path" "$UNITS/pietjesoog-update.path"; then
            found "updates from a stick, signed by $(wc -l <"$KEYS") key(s)"
        else
            lacks "unit pietjesoog-update.path"
        fi
    else
        hint "no key is known that signs releases: updates want their hash (--sha256)"
    fi
    if is_read_only; then found "the card is only read"; fi
}

check_state() {
    if [ ! -d "$STATE" ]; then lacks "the folder of the scores, $STATE"; return; fi
    if [ "$(stat -c %U:%a "$STATE")" = "$ACCOUNT:750" ]; then found "folder of the scores"; else
        lacks "$STATE belongs to $(stat -c '%U, mode %a' "$STATE"), not to $ACCOUNT, mode 750"
    fi
    if said=$(check_settings 2>&1); then found "settings $SETTINGS"; else lacks "settings: $said"; fi
}

# as the service reads them; a wrong line is one sentence
check_settings() {
    as_account --clear-groups "$OPT/current/venv/bin/pietjesoog" config --config "$SETTINGS" >/dev/null
}

# as the service's user, with the groups that open devices
doctor() {
    [ -x "$OPT/current/venv/bin/pietjesoog" ] || fail "nothing is installed"
    with=$(our_groups | sed 's/ $//' | tr ' ' ',')
    with=${with:+--groups=$with}
    cd /
    as_account "${with:---clear-groups}" STATE_DIRECTORY="$STATE" \
        "$OPT/current/venv/bin/pietjesoog" doctor --config "$SETTINGS"
}

check_service() {
    if ! runs_systemd; then hint "systemd does not run here, so neither does the service"; return; fi
    if systemctl is-active --quiet pietjesoog.service; then found "the service runs"; else
        lacks "the service does not run; journalctl -u pietjesoog tells why"
    fi
}

uninstall_all() {
    if is_read_only; then refuse_a_read_only_root; fi
    for unit in $SERVICES pietjesoog-update.path pietjesoog-update.service; do
        if runs_systemd; then systemctl stop "$unit" 2>/dev/null || true; fi
        systemctl disable --quiet "$unit" 2>/dev/null || true
        rm -f "$UNITS/$unit"
    done
    take_kiosk
    rm -rf "$UNITS/pietjesoog.service.d" "$OPT" "${KEYS%/*}" /usr/lib/pietjesoog /var/lib/pietjesoog-network
    rm -f "$JOURNALD" "$WATCHDOG" "$SHARED_NAMES" /usr/local/sbin/pietjesoog-install
    for folder in "${JOURNALD%/*}" "${WATCHDOG%/*}"; do rmdir "$folder" 2>/dev/null || true; done
    if [ -e "$AVAHI" ]; then sed -i '/# pietjesoog$/d' "$AVAHI"; fi
    if command -v nmcli >/dev/null 2>&1; then nmcli connection delete pietjesoog-access-point >/dev/null 2>&1 || true; fi
    if runs_systemd; then
        systemctl daemon-reload
        systemctl try-restart avahi-daemon.service systemd-journald.service || true
    fi
    if getent passwd "$SCREEN_ACCOUNT" >/dev/null; then userdel --remove "$SCREEN_ACCOUNT" 2>/dev/null || true; fi
    if [ "$forget" = yes ]; then
        find "$STATE" -mindepth 1 -xdev -delete 2>/dev/null || true
        if grep -q '# pietjesoog$' /etc/fstab 2>/dev/null; then
            umount "$STATE" 2>/dev/null || true
            sed -i '/# pietjesoog$/d' /etc/fstab
        fi
        rmdir "$STATE" 2>/dev/null || true
        if getent passwd "$ACCOUNT" >/dev/null; then userdel "$ACCOUNT" 2>/dev/null || true; fi
        if getent group "$ACCOUNT" >/dev/null; then groupdel "$ACCOUNT" 2>/dev/null || true; fi
        say "taken away, the scores too; packages from apt stay"
    else
        say "taken away; the scores stay in $STATE (--uninstall --forget takes them too), packages from apt stay"
    fi
}

# shellcheck shell=sh
# The settings of the service, and the small ones of the system around it. Sourced by install.sh.

JOURNALD=/etc/systemd/journald.conf.d/pietjesoog.conf
WATCHDOG=/etc/systemd/system.conf.d/pietjesoog.conf
GROUPS_OF_UNIT=$UNITS/pietjesoog.service.d/groups.conf
AVAHI=/etc/avahi/avahi-daemon.conf
SHARED_NAMES=/etc/NetworkManager/dnsmasq-shared.d/pietjesoog.conf
SCREEN=/usr/lib/pietjesoog/screen
AUTOSTART=/etc/xdg/autostart/pietjesoog-screen.desktop

# only what changed is written, so that a second run touches nothing
put() {
    install -d -m 0755 "${1%/*}"
    cat >"$1.new"
    if cmp -s "$1.new" "$1"; then rm -f "$1.new"; return; fi
    chmod 0644 "$1.new"
    mv "$1.new" "$1"
}

# the name that the network knows this device by
answers_to() {
    if [ -n "$name" ]; then printf '%s' "$name"; return; fi
    kept=$(sed -n 's/^host-name=\(.*\)  *# pietjesoog$/\1/p' "$AVAHI" 2>/dev/null | head -n 1)
    printf '%s' "${kept:-pietjesoog}"
}

# once; afterwards they are changed on the page, or by hand
first_settings() {
    called=$(answers_to)
    if [ ! -e "$SETTINGS" ]; then
        {
            printf '# The settings of this device; every line there can be: pietjesoog config\n'
            # a second device of the same name is called NAME-2 by avahi
            printf '[web]\nport = %s\nnames = "%s %s.local %s-2.local %s-3.local"\n\n' \
                "${port:-80}" "$called" "$called" "$called" "$called"
            printf '# nobody looks at the terminal of a service, and the table code does not belong in its log\n'
            printf '[terminal]\nshow = false\n'
            if [ "$access_point" = no ]; then printf '\n[network]\naccess_point = "never"\n'; fi
            if [ -n "$build" ]; then printf '\n'; cat "$here/builds/$build/settings.toml"; fi
        } >"$SETTINGS.new"
        chown "$ACCOUNT:$ACCOUNT" "$SETTINGS.new"
        chmod 0640 "$SETTINGS.new"
        mv "$SETTINGS.new" "$SETTINGS"
        return
    fi
    [ -z "$build" ] || say "there are settings already, so those of the build $build were not taken; see $SETTINGS"
    if [ -n "$port" ] && ! grep -q "^port = $port\$" "$SETTINGS"; then
        sed -i "/^\[web\]/,/^\[/ s/^port = .*/port = $port/" "$SETTINGS"
    fi
    if [ -n "$name" ]; then
        sed -i "/^\[web\]/,/^\[/ s/^names = .*/names = \"$name $name.local $name-2.local $name-3.local\"/" "$SETTINGS"
    fi
}

web_port() {
    told=$(sed -n '/^\[web\]/,/^\[/ s/^port = //p' "$SETTINGS" | head -n 1)
    printf '%s' "${told:-80}"
}

small_settings() {
    # only groups that exist: a unit that names another does not start
    printf '[Service]\nSupplementaryGroups=%s\n' "$(our_groups)" | put "$GROUPS_OF_UNIT"
    # the log lives in memory: a card is worn out by it, and nobody reads last week's
    printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=32M\nRateLimitIntervalSec=30s\nRateLimitBurst=500\n' |
        put "$JOURNALD"
    # a machine that hangs is started anew by its own chip; a Pi counts to 15 seconds
    if [ -e /dev/watchdog0 ] || [ -e /dev/watchdog ]; then
        printf '[Manager]\nRuntimeWatchdogSec=14s\nRebootWatchdogSec=2min\n' | put "$WATCHDOG"
    fi
    called=$(answers_to)
    if [ -e "$AVAHI" ] && ! grep -q "^host-name=$called  *# pietjesoog\$" "$AVAHI"; then
        sed -i -e '/# pietjesoog$/d' -e "s/^\[server\]\$/[server]\nhost-name=$called # pietjesoog/" "$AVAHI"
        if runs_systemd; then systemctl try-restart avahi-daemon.service || true; fi
    fi
    # phones in the device's own Wi-Fi find it by name, also those that know no .local
    if command -v nmcli >/dev/null 2>&1; then
        printf 'address=/%s.local/10.42.0.1\naddress=/%s/10.42.0.1\n' "$called" "$called" | put "$SHARED_NAMES"
    fi
    if runs_systemd; then systemctl try-restart systemd-journald.service || true; fi
}

set_kiosk() {
    if [ "$kiosk" = no ]; then
        take_kiosk
        return
    fi
    address=http://localhost:$(web_port)/
    browser='exec chromium --kiosk --noerrdialogs --disable-session-crashed-bubble --no-first-run --disable-infobars'
    browser="$browser --disable-pinch --user-data-dir=\"\${XDG_RUNTIME_DIR:-/tmp}/pietjesoog-screen\" $address"
    printf '#!/bin/sh\n# the page, once it is served\nuntil [ -e /run/pietjesoog/table-code ]; do sleep 1; done\n%s\n' "$browser" |
        put "$SCREEN"
    chmod 0755 "$SCREEN"
    if has_desktop; then
        printf '[Desktop Entry]\nType=Application\nName=Pietjesoog\nExec=%s\n' "$SCREEN" | put "$AUTOSTART"
        return
    fi
    getent passwd "$SCREEN_ACCOUNT" >/dev/null || useradd --system --user-group --create-home \
        --home-dir /var/lib/pietjesoog-screen --shell /usr/sbin/nologin "$SCREEN_ACCOUNT"
    for group in video render input; do
        if getent group "$group" >/dev/null; then usermod -aG "$group" "$SCREEN_ACCOUNT"; fi
    done
    with_machine pietjesoog-kiosk.service
    if runs_systemd; then systemctl start pietjesoog-kiosk.service || true; fi
}

take_kiosk() {
    systemctl disable --quiet pietjesoog-kiosk.service 2>/dev/null || true
    if runs_systemd; then systemctl stop pietjesoog-kiosk.service 2>/dev/null || true; fi
    rm -f "$AUTOSTART" "$SCREEN"
}

summary() {
    shown=:$(web_port)
    [ "$shown" != :80 ] || shown=
    say "installed: $release"
    say "the page: http://$(answers_to).local$shown/ (the first visit leads through PIN, camera, board and lights)"
    say "settings: $SETTINGS; what is wrong: sudo pietjesoog-install --check"
}

# shellcheck shell=sh
# Makes a release folder, tries it, and puts it in place. Sourced by install.sh.

# the version and what the files hold: the same folder gives the same name
release_name() {
    version=$(version_of "$top")
    printf '%s-%s' "${version:-0}" "$(packed source | sha256sum | cut -c 1-10)"
}

# the installer of this release, for --check, --uninstall and going back when the folder it came from is gone
keep_installer() {
    [ "$here" = "$OPT/tools/hardware" ] && return
    rm -rf "$OPT/tools.new"
    install -d -m 0755 "$OPT/tools.new/hardware"
    cp -R "$here/install.sh" "$here/service" "$here/image" "$here/builds" "$OPT/tools.new/hardware/"
    cp "$here/service/releases.py" "$OPT/tools.new/releases.py"
    chmod -R go+rX,go-w "$OPT/tools.new"
    chmod 0755 "$OPT/tools.new/hardware/install.sh"
    rm -rf "$OPT/tools"
    mv "$OPT/tools.new" "$OPT/tools"
    install -d -m 0755 /usr/local/sbin
    ln -sf "$OPT/tools/hardware/install.sh" /usr/local/sbin/pietjesoog-install
}

# what an installation left behind that was cut short or did not run; each holds as much as a whole release
forget_incomplete() {
    for old in "$OPT"/releases/*; do
        [ -e "$old/.complete" ] || rm -rf "$old"
    done
}

make_release() {
    if [ "$here" = "$OPT/tools/hardware" ]; then # only puts right what stands
        release=$(basename "$(readlink "$OPT/current")")
        return
    fi
    release=$(release_name)
    folder=$OPT/releases/$release
    if [ -e "$folder/.complete" ]; then say "$release is there already"; return; fi
    say "making $release (some minutes on a Pi)"
    forget_incomplete
    install -d -m 0755 "$OPT" "$OPT/releases" "$folder"
    own=''
    if has_camera_library; then own=--system-site-packages; fi
    python3 -m venv $own "$folder/venv" || fail "no virtual environment can be made; apt-get install python3-venv"
    quiet="--quiet --disable-pip-version-check --no-input --no-cache-dir --no-warn-script-location"
    # shellcheck disable=SC2086  # a list of options
    "$folder/venv/bin/python" -m pip install $quiet --require-hashes -r "$here/image/$codename.txt" ||
        fail "pip could not install the pinned packages; its message stands above"
    # pip builds inside the folder it is given
    packed source >"$folder/source.tar" || fail "this folder is not whole; its missing part stands above"
    tar -xf "$folder/source.tar" -C "$folder" --no-same-owner
    # shellcheck disable=SC2086  # a list of options
    "$folder/venv/bin/python" -m pip install $quiet --no-deps --no-index --no-build-isolation "$folder/source" ||
        fail "the program could not be installed; pip's message stands above"
    rm -rf "$folder/source" "$folder/source.tar"
    install -d -m 0755 "$folder/service"
    cp "$here"/service/*.service "$folder/service/"
    chmod -R go+rX,go-w "$folder"
    try_release
    sync
    touch "$folder/.complete"
}

# as the service's own user: every library loads, the model reads, the rules play
try_release() {
    tried=$(mktemp -d)
    chown "$ACCOUNT:$ACCOUNT" "$tried"
    as_it() { as_account --clear-groups HOME="$tried" "$@"; }
    well=no
    # one chain: behind a "||" the shell would not stop at a fault in between
    if cd "$tried" &&
        as_it "$folder/venv/bin/python" -c 'import cv2, numpy, device.commands.run
cv2.imwrite("felt.png", numpy.full((600, 800, 3), (60, 90, 40), numpy.uint8))' &&
        as_it "$folder/venv/bin/pietjesoog" read --board whole felt.png >/dev/null &&
        printf '%s\n' '{"do": "start", "game": "pietjesbak", "players": ["A", "B"], "opener": "A"}' \
            '{"do": "throw", "dice": [1, 1, 1]}' | as_it "$folder/venv/bin/pietjesoog" score >/dev/null &&
        { ! has_camera_library || as_it "$folder/venv/bin/python" -c 'import picamera2'; }; then
        well=yes
    fi
    cd /
    rm -rf "$tried"
    [ $well = yes ] || forget_incomplete
    [ $well = yes ] || fail "$release does not run on this machine, so nothing was switched; its message stands above"
}

put_release() {
    before=$(readlink "$OPT/current" 2>/dev/null || true)
    python3 "$OPT/tools/releases.py" switch "$release" || fail "$release could not be put in place"
    with_machine pietjesoog.service pietjesoog-settle.service
    if [ "$access_point" != no ] && command -v nmcli >/dev/null 2>&1; then
        with_machine pietjesoog-network.service
        if runs_systemd; then systemctl start pietjesoog-network.service || true; fi
    fi
    put_update
    if ! runs_systemd; then
        say "systemd does not run here (an image?): it starts with the machine"
        # nothing can be watched here; the first start of the machine settles it
        return
    fi
    systemctl start pietjesoog.service || true
    status=0
    python3 "$OPT/tools/releases.py" settle || status=$?
    if [ $status = 1 ]; then
        exit 1
    fi
    if [ "$before" = '' ] && ! systemctl is-active --quiet pietjesoog.service; then
        fail "it is installed but does not start; journalctl -u pietjesoog tells why"
    fi
}

# updates from a stick are there once somebody is known who may sign them
put_update() {
    [ -s "$KEYS" ] || return 0
    for unit in pietjesoog-update.service pietjesoog-update.path; do put "$UNITS/$unit" <"$here/service/$unit"; done
    with_machine pietjesoog-update.path
    if runs_systemd; then
        systemctl daemon-reload
        systemctl start pietjesoog-update.path || true
    fi
}

with_machine() {
    # works on the links alone, so also where no systemd runs
    systemctl enable --quiet "$@" 2>/dev/null || fail "systemctl could not enable $*"
}

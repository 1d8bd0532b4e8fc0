#!/bin/sh
# What run.sh does inside the root: `inside.sh SYSTEM [STEP ...]`, all steps where none is named. Each says what it
# found and how long it took; the first that is not so ends it.
set -eu
system=$1
shift
top=/mnt/project
# shellcheck source=hardware/service/packed.sh
. "$top/hardware/service/packed.sh"
SETTINGS=/var/lib/pietjesoog/pietjesoog.toml
JOURNAL=/var/lib/pietjesoog/journal.db
CURRENT=/opt/pietjesoog/current
wrong() { printf 'WRONG: %s\n' "$*" >&2; exit 1; }
install() { sh /root/project/hardware/install.sh "$@"; }
refused() { # $1: what would be wrong; then what must be refused
    why=$1
    shift
    if "$@" 2>/tmp/said; then wrong "$why"; fi
    tail -n 1 /tmp/said
}
copy() {
    rm -rf /root/project
    packed project | tar -xf - -C /root
}
# every file that an installation may touch, with its owner and its sum
state_of() {
    find /opt/pietjesoog /etc /var/lib/pietjesoog /usr/local -xdev ! -name '*.pyc' \( -type f -o -type l \) \
        -printf '%p %m %u %l\n' 2>/dev/null | sort
    find /opt/pietjesoog/releases /etc/systemd /etc/avahi /var/lib/pietjesoog -xdev -type f ! -name '*.pyc' \
        -exec sha256sum {} + 2>/dev/null | sort -k 2
}

bad_input() { # each is one sentence, and leaves nothing behind
    copy
    for words in "--nonsense" "--port 99999" "--build palace" "--name Café" "--read-only-root" "--from" \
        "--from /nowhere.tar.gz --sha256 00"; do
        # shellcheck disable=SC2086  # a list of words
        if said=$(install $words 2>&1); then wrong "$words was taken"; fi
        printf '%s\n' "$said" | head -n 1
        if printf '%s\n' "$said" | grep -q 'line [0-9]'; then wrong "a shell's own message: $said"; fi
    done
    if install --check >/tmp/said 2>&1; then wrong "--check found nothing wrong where nothing is"; fi
    grep -c '^FAULT' /tmp/said
    if find /etc /opt /var/lib -name 'pietjesoog*' | grep .; then wrong "these were left behind"; fi
}

first() {
    install --build table
    install --check
}

again() { # a second time changes nothing
    state_of >/tmp/before
    install --build table 2>&1 | tee /tmp/said
    grep -q 'there already' /tmp/said || wrong "it made the release again"
    state_of >/tmp/after
    diff /tmp/before /tmp/after || wrong "the second run changed files"
}

serves() { # the service answers as its own user, and keeps scores
    mkdir -p /run/pietjesoog
    chown pietjesoog: /run/pietjesoog
    (cd /run/pietjesoog && exec setpriv --reuid pietjesoog --regid pietjesoog --clear-groups env -i \
        HOME=/run/pietjesoog PATH=/usr/bin:/bin LC_ALL=C.UTF-8 STATE_DIRECTORY=/var/lib/pietjesoog OMP_NUM_THREADS=1 \
        $CURRENT/venv/bin/pietjesoog run --config $SETTINGS --port 8765) >/tmp/log 2>&1 &
    served=$!
    n=0
    until python3 -c 'import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:8765/api/v1/health").read()[:60])' 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 120 ] || { cat /tmp/log; wrong "no page"; }
        sleep 1
    done
    kill "$served"
    wait "$served" || true
    [ -s $JOURNAL ] || wrong "no journal"
    [ "$(stat -c %U $JOURNAL)" = pietjesoog ] || wrong "the journal is somebody else's"
}

upgrade() { # keeps settings and scores, and the way back
    sum=$(sha256sum $SETTINGS)
    before=$(readlink $CURRENT)
    copy
    printf '\n# newer\n' >>/root/project/README.md
    install
    [ "$(readlink $CURRENT)" != "$before" ] || wrong "the newer one was not put in place"
    [ -e "/opt/pietjesoog/$before/.complete" ] || wrong "the older one is gone"
    [ -s /opt/pietjesoog/trying.json ] || wrong "nothing to go back to was noted"
    [ -s /var/lib/pietjesoog/before-upgrade/journal.db ] || wrong "the scores were not copied"
    [ "$(sha256sum $SETTINGS)" = "$sum" ] || wrong "the settings changed"
    install --check
}

installed() { # the installer that stays behind puts right what was spoilt
    rm /etc/systemd/system/pietjesoog.service
    if pietjesoog-install --check >/tmp/said 2>&1; then wrong "--check missed the unit"; fi
    grep '^FAULT' /tmp/said
    pietjesoog-install 2>/tmp/said || { cat /tmp/said; wrong "the installed installer puts nothing right"; }
    pietjesoog-install --check >/dev/null || wrong "--check afterwards"
}

goes_back() { # nothing serves here, so the newer one does not come up well
    newer=$(readlink $CURRENT)
    before=$(python3 -c 'import json; print(json.load(open("/opt/pietjesoog/trying.json"))["before"])')
    status=0
    python3 -c 'import sys
sys.path.insert(0, "/opt/pietjesoog/tools")
import releases
releases.PATIENCE_S = 5.0
sys.exit(releases.main(["settle"]))' || status=$?
    [ $status = 1 ] || wrong "it settled with status $status"
    [ "$(readlink $CURRENT)" = "releases/$before" ] || wrong "the one before does not run again"
    [ ! -e /opt/pietjesoog/trying.json ] || wrong "it is still being tried"
    grep -q "${newer#releases/}" /opt/pietjesoog/refused.json || wrong "what was given up is told nowhere"
    [ -s $JOURNAL ] || wrong "the scores are gone"
    install --check | grep '^note'
}

broken() { # a release that does not run is not put in place
    before=$(readlink $CURRENT)
    copy
    echo 'raise RuntimeError("broken on purpose")' >>/root/project/device/commands/run.py
    refused "a broken release was installed" install
    [ "$(readlink $CURRENT)" = "$before" ] || wrong "it was switched to"
    for release in /opt/pietjesoog/releases/*; do [ -e "$release/.complete" ] || wrong "$release was left behind"; done
}

archive() { # wrong hash, wrong signature, right ones
    copy
    printf '\n# newer still\n' >>/root/project/README.md
    sh /root/project/hardware/image/release.sh /tmp/out >/dev/null
    archive=$(ls /tmp/out/*.tar.gz)
    tar -tzf "$archive" | grep -q '/SECURITY.md$' || wrong "SECURITY.md is not in it"
    refused "taken without a hash" install --from "$archive"
    refused "taken with a wrong hash" install --from "$archive" --sha256 00ff
    apt-get install -y -q --no-install-recommends openssh-client >/dev/null 2>&1
    rm -f /tmp/key* /tmp/other*
    ssh-keygen -q -t ed25519 -N '' -f /tmp/key
    ssh-keygen -q -t ed25519 -N '' -f /tmp/other
    refused "taken without a signature" \
        install --key /tmp/key.pub --from "$archive" --sha256 "$(sha256sum "$archive" | cut -d ' ' -f 1)"
    ssh-keygen -q -Y sign -f /tmp/other -n pietjesoog-release "$archive"
    refused "taken with somebody else's signature" install --from "$archive"
    rm "$archive.sig"
    ssh-keygen -q -Y sign -f /tmp/key -n pietjesoog-release "$archive"
    install --from "$archive"
    install --check >/dev/null || wrong "--check after the archive"
    refused "the same version was taken for a newer one" install --newer --from "$archive"
}

away() { # the scores stay; then all goes
    install --uninstall
    [ -s $JOURNAL ] || wrong "the scores went along"
    [ ! -e /opt/pietjesoog ] || wrong "the program stayed"
    if find /etc /usr/local /usr/lib/pietjesoog -xdev -name '*pietjesoog*' 2>/dev/null | grep .; then
        wrong "these stayed"
    fi
    if install --check >/dev/null 2>&1; then wrong "--check is content with nothing"; fi
    install --uninstall --forget
    [ ! -e /var/lib/pietjesoog ] || wrong "the folder of the scores stayed"
    if getent passwd pietjesoog; then wrong "the account stayed"; fi
}

camera_library() { # where apt has the Pi's camera library, that and its numpy are taken
    repo=/root/repo
    for name in picamera2 lgpio; do
        made=$repo/$name
        mkdir -p "$made/DEBIAN" "$made/usr/lib/python3/dist-packages"
        # a stand-in: what counts is that it comes from apt and wants apt's numpy
        printf 'import numpy.core.multiarray\n' >"$made/usr/lib/python3/dist-packages/$name.py"
        {
            printf 'Package: python3-%s\nVersion: 0.3\nArchitecture: all\n' "$name"
            printf 'Maintainer: lab <lab@example.org>\nDepends: python3-numpy\nDescription: stand-in\n'
        } >"$made/DEBIAN/control"
        dpkg-deb -b "$made" "$repo/python3-$name.deb" >/dev/null
    done
    apt-get install -y -q --no-install-recommends dpkg-dev >/dev/null 2>&1
    (cd $repo && dpkg-scanpackages . 2>/dev/null >Packages)
    echo "deb [trusted=yes] file:$repo ./" >/etc/apt/sources.list.d/lab.list
    apt-get update -q >/dev/null
    copy
    install --build small 2>/tmp/said || { cat /tmp/said; wrong "it did not install"; }
    if grep "USB camera it is" /tmp/said; then wrong "it did not see the camera library"; fi
    install --check
    $CURRENT/venv/bin/python -c 'import numpy, picamera2, lgpio, cv2
assert numpy.__file__.startswith("/usr/lib/python3/dist-packages"), numpy.__file__
print("numpy", numpy.__version__, "of the system; cv2", cv2.__version__)' || wrong "the venv has a numpy of its own"
    grep -q '^kind = "gpio"' $SETTINGS || wrong "not the settings of the small build"
    install --uninstall --forget
}

[ $# -gt 0 ] || set -- bad_input first again serves upgrade installed goes_back broken archive away camera_library
for step in "$@"; do
    printf '\n-- %s: %s\n' "$system" "$step"
    begun=$(date +%s)
    $step
    printf -- '-- %s: %s well, %d s\n' "$system" "$step" $(($(date +%s) - begun))
done

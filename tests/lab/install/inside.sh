#!/bin/sh
# What run.sh does inside the root: each step says what it found; the first that is not so ends it.
set -eu
system=$1
top=/mnt/project
# shellcheck source=hardware/service/packed.sh
. "$top/hardware/service/packed.sh"
step() { printf '\n-- %s: %s\n' "$system" "$*"; }
wrong() { printf 'WRONG: %s\n' "$*" >&2; exit 1; }
install() { sh /root/project/hardware/install.sh "$@"; }
# every file that an installation may touch, with its time and its sum
state_of() {
    find /opt/pietjesoog /etc /var/lib/pietjesoog /usr/local -xdev ! -name '*.pyc' \( -type f -o -type l \) \
        -printf '%p %m %u %l\n' 2>/dev/null | sort
    find /opt/pietjesoog/releases /etc/systemd /etc/avahi /var/lib/pietjesoog -xdev -type f ! -name '*.pyc' \
        -exec sha256sum {} + 2>/dev/null | sort -k 2
}
copy() {
    rm -rf /root/project
    packed project | tar -xf - -C /root
}

step "bad input is one sentence"
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

step "first"
install --build table
install --check

step "a second time changes nothing"
state_of >/tmp/before
install --build table 2>&1 | tee /tmp/said
grep -q 'there already' /tmp/said || wrong "it made the release again"
state_of >/tmp/after
diff /tmp/before /tmp/after || wrong "the second run changed files"

step "the service answers as its own user, and keeps scores"
serve() {
    rm -f /tmp/log
    mkdir -p /run/pietjesoog
    chown pietjesoog: /run/pietjesoog
    (cd /run/pietjesoog && exec setpriv --reuid pietjesoog --regid pietjesoog --clear-groups env -i HOME=/run/pietjesoog \
        PATH=/usr/bin:/bin LC_ALL=C.UTF-8 STATE_DIRECTORY=/var/lib/pietjesoog OMP_NUM_THREADS=1 \
        /opt/pietjesoog/current/venv/bin/pietjesoog run --config /var/lib/pietjesoog/pietjesoog.toml --port 8765) \
        >/tmp/log 2>&1 &
    served=$!
    n=0
    until python3 -c 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:8765/api/v1/health").read()[:60])' \
        2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 120 ] || { cat /tmp/log; wrong "no page"; }
        sleep 1
    done
}
serve
kill "$served"
wait "$served" || true
[ -s /var/lib/pietjesoog/journal.db ] || wrong "no journal"
[ "$(stat -c %U /var/lib/pietjesoog/journal.db)" = pietjesoog ] || wrong "the journal is somebody else's"

step "an upgrade keeps settings and scores"
sum=$(sha256sum /var/lib/pietjesoog/pietjesoog.toml)
before=$(readlink /opt/pietjesoog/current)
printf '\n# newer\n' >>/root/project/README.md
install
pietjesoog-install --check >/dev/null || wrong "the installed installer's own --check"
pietjesoog-install 2>/tmp/said || wrong "the installed installer puts nothing right"
[ "$(readlink /opt/pietjesoog/current)" != "$before" ] || wrong "the newer one was not put in place"
[ -e "/opt/pietjesoog/$before/.complete" ] || wrong "the older one is gone"
[ -s /opt/pietjesoog/trying.json ] || wrong "nothing to go back to was noted"
[ -s /var/lib/pietjesoog/before-upgrade/journal.db ] || wrong "the scores were not copied"
[ "$(sha256sum /var/lib/pietjesoog/pietjesoog.toml)" = "$sum" ] || wrong "the settings changed"
install --check

step "a release that does not run is not put in place"
before=$(readlink /opt/pietjesoog/current)
echo 'raise RuntimeError("broken on purpose")' >>/root/project/device/commands/run.py
if install 2>/tmp/said; then wrong "a broken release was installed"; fi
tail -n 1 /tmp/said
[ "$(readlink /opt/pietjesoog/current)" = "$before" ] || wrong "it was switched to"

step "a release archive: wrong hash, wrong signature, right ones"
copy
printf '\n# newer still\n' >>/root/project/README.md
sh /root/project/hardware/image/release.sh /tmp/out >/dev/null
archive=$(ls /tmp/out/*.tar.gz)
if install --from "$archive" 2>/tmp/said; then wrong "taken without a hash"; fi
tail -n 1 /tmp/said
if install --from "$archive" --sha256 00ff 2>/tmp/said; then wrong "taken with a wrong hash"; fi
tail -n 1 /tmp/said
apt-get install -y -q --no-install-recommends openssh-client >/dev/null 2>&1
ssh-keygen -q -t ed25519 -N '' -f /tmp/key
ssh-keygen -q -t ed25519 -N '' -f /tmp/other
install --key /tmp/key.pub --from "$archive" --sha256 "$(sha256sum "$archive" | cut -d ' ' -f 1)" 2>/tmp/said &&
    wrong "taken without a signature"
tail -n 1 /tmp/said
ssh-keygen -q -Y sign -f /tmp/other -n pietjesoog-release "$archive"
if install --from "$archive" 2>/tmp/said; then wrong "taken with somebody else's signature"; fi
tail -n 1 /tmp/said
rm "$archive.sig"
ssh-keygen -q -Y sign -f /tmp/key -n pietjesoog-release "$archive"
install --from "$archive"
install --check >/dev/null || wrong "--check after the archive"
if install --newer --from "$archive" 2>/tmp/said; then wrong "the same version was taken for a newer one"; fi
tail -n 1 /tmp/said

step "away, the scores stay; then all"
install --uninstall
[ -s /var/lib/pietjesoog/journal.db ] || wrong "the scores went along"
[ ! -e /opt/pietjesoog ] || wrong "the program stayed"
if find /etc /usr/local /usr/lib/pietjesoog -xdev -name '*pietjesoog*' 2>/dev/null | grep .; then wrong "these stayed"; fi
if install --check >/dev/null 2>&1; then wrong "--check is content with nothing"; fi
install --uninstall --forget
[ ! -e /var/lib/pietjesoog ] || wrong "the folder of the scores stayed"
if getent passwd pietjesoog; then wrong "the account stayed"; fi
step "where apt has the Pi's camera library, that and its numpy are taken"
repo=/root/repo
for name in picamera2 lgpio; do
    made=$repo/$name
    mkdir -p "$made/DEBIAN" "$made/usr/lib/python3/dist-packages"
    # a stand-in: what counts is that it comes from apt and wants apt's numpy
    printf 'import numpy.core.multiarray\n' >"$made/usr/lib/python3/dist-packages/$name.py"
    printf 'Package: python3-%s\nVersion: 0.3\nArchitecture: all\nMaintainer: lab <lab@example.org>\n' "$name" \
        >"$made/DEBIAN/control"
    printf 'Depends: python3-numpy\nDescription: stand-in\n' >>"$made/DEBIAN/control"
    dpkg-deb -b "$made" "$repo/python3-$name.deb" >/dev/null
done
(cd $repo && apt-get install -y -q --no-install-recommends dpkg-dev >/dev/null 2>&1 && dpkg-scanpackages . 2>/dev/null >Packages)
echo "deb [trusted=yes] file:$repo ./" >/etc/apt/sources.list.d/lab.list
apt-get update -q >/dev/null
copy
install --build small 2>/tmp/said || { cat /tmp/said; wrong "it did not install"; }
if grep "USB camera it is" /tmp/said; then wrong "it did not see the camera library"; fi
install --check
inner=/opt/pietjesoog/current/venv/bin/python
$inner -c 'import numpy, picamera2, lgpio, cv2
assert numpy.__file__.startswith("/usr/lib/python3/dist-packages"), numpy.__file__
print("numpy", numpy.__version__, "of the system; cv2", cv2.__version__)' || wrong "the venv has a numpy of its own"
grep -q '^kind = "gpio"' /var/lib/pietjesoog/pietjesoog.toml || wrong "not the settings of the small build"
install --uninstall --forget

printf '\n%s: well\n' "$system"

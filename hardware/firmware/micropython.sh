#!/bin/sh
# Prints the command that runs MicroPython's unix port here, for the firmware's tests; gets it first where it is missing.
# Debian 13 and Ubuntu 24.04 or newer have it as a package. For Debian 12 the package of Debian 13 is unpacked, with the
# libraries it needs, into .cache/micropython beside the project; nothing of the system is touched.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
own="$here/.cache/micropython"

if command -v micropython >/dev/null 2>&1; then command -v micropython; exit 0; fi
if [ -x "$own/micropython" ]; then echo "$own/micropython"; exit 0; fi
[ "${1:-}" = "--find" ] && exit 1

command -v apt-get >/dev/null 2>&1 || { echo "MicroPython: no apt-get here; install its unix port by hand" >&2; exit 1; }
if [ "$(id -u)" = 0 ] && apt-get install -y -q micropython >&2 2>/dev/null && command -v micropython; then exit 0; fi

archive=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | grep -v security | head -n 1)
[ -n "$archive" ] || { echo "MicroPython: apt knows no archive; run apt-get update first" >&2; exit 1; }
keys=/usr/share/keyrings/debian-archive-keyring.gpg
rm -rf "$own"
mkdir -p "$own/lists/partial" "$own/cache/archives/partial" "$own/root"
echo "deb [signed-by=$keys] $archive trixie main" > "$own/sources.list"
apt() {
    apt-get -q -o Dir::State::lists="$own/lists" -o Dir::Cache="$own/cache" -o Dir::State::status=/dev/null \
        -o Dir::Etc::sourcelist="$own/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Debug::NoLocking=true "$@" >&2
}
apt update
apt install --download-only -y --no-install-recommends micropython
for package in "$own"/cache/archives/*.deb; do dpkg -x "$package" "$own/root"; done
rm -rf "$own/lists" "$own/cache"
loader=$(find "$own/root" -name 'ld-linux*.so*' | head -n 1)
cat > "$own/micropython" <<END
#!/bin/sh
exec "$loader" --library-path "$(dirname "$(find "$own/root" -name libc.so.6 | head -n 1)")" "$own/root/usr/bin/micropython" "\$@"
END
chmod +x "$own/micropython"
"$own/micropython" -c 'import sys; assert sys.implementation[0] == "micropython"' || { rm -rf "$own"; exit 1; }
echo "$own/micropython"

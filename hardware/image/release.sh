#!/bin/sh
# Packs a release archive with its hash, and signs it where a key is given.
#   sh hardware/image/release.sh OUT [KEY]      KEY: an OpenSSH private key whose public half devices know (--key)
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?tell the folder to write into}
# shellcheck source=hardware/service/packed.sh
. "$top/hardware/service/packed.sh"
name=pietjesoog-$(version_of "$top")
mkdir -p "$out"
archive=$out/$name.tar.gz
# in two steps: where tar finds a part missing, nothing is signed
packed "$name" >"$archive.part" || { rm "$archive.part"; exit 1; }
gzip -n9 <"$archive.part" >"$archive"
rm "$archive.part"
(cd "$out" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
if [ $# -gt 1 ]; then
    rm -f "$archive.sig"
    ssh-keygen -q -Y sign -f "$2" -n pietjesoog-release "$archive"
    echo "$archive.sig"
fi

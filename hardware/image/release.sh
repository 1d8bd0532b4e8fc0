#!/bin/sh
# Packs a release archive with its hash, and signs it where a key is given.
#   sh hardware/image/release.sh OUT [KEY]      KEY: an OpenSSH private key whose public half devices know (--key)
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?tell the folder to write into}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/pyproject.toml" | head -n 1)
name=pietjesoog-$version
mkdir -p "$out"
archive=$out/$name.tar.gz
# the same files give the same archive, byte for byte
(cd "$top" && tar -cf - --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
    --exclude=__pycache__ --exclude='*.pyc' --exclude='*.egg-info' --exclude=hardware/stl --transform "s,^,$name/," \
    LICENSE README.md SECURITY.md pyproject.toml scorer vision device models hardware) | gzip -n9 >"$archive"
(cd "$out" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
if [ $# -gt 1 ]; then
    rm -f "$archive.sig"
    ssh-keygen -q -Y sign -f "$2" -n pietjesoog-release "$archive"
    echo "$archive.sig"
fi

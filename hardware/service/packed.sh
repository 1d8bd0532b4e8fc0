# shellcheck shell=sh
# What a release holds, as one stream. Sourced by install.sh, image/release.sh and the labs; top: the project's folder.

SOURCES="LICENSE README.md SECURITY.md pyproject.toml scorer vision device models hardware"

# an uncompressed tar of one folder, called $1; the same files give the same bytes
packed() {
    # shellcheck disable=SC2086  # a list of names
    tar -C "$top" -cf - --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
        --exclude=__pycache__ --exclude='*.pyc' --exclude='*.egg-info' --exclude=hardware/stl --transform "s,^,$1/," $SOURCES
}

version_of() { sed -n 's/^version = "\(.*\)"/\1/p' "$1/pyproject.toml" | head -n 1; }

# shellcheck shell=sh
# A release archive is verified before one byte of it is unpacked. Sourced by install.sh.

# from now on releases signed by these keys are taken
trust() {
    [ -r "$1" ] || fail "the key $1 cannot be read"
    command -v ssh-keygen >/dev/null 2>&1 || fail "ssh-keygen is missing; please run: apt-get install openssh-client"
    install -d -m 0755 "${KEYS%/*}"
    fresh=$(mktemp "$KEYS.XXXXXX")
    while read -r kind body _; do
        case $kind in
        ssh-ed25519 | sk-ssh-ed25519@openssh.com | ecdsa-sha2-nistp256 | ssh-rsa)
            printf 'pietjesoog namespaces="pietjesoog-release" %s %s\n' "$kind" "$body" ;;
        esac
    done <"$1" >"$fresh"
    [ -s "$fresh" ] || { rm -f "$fresh"; fail "$1 holds no OpenSSH public key"; }
    chmod 0644 "$fresh"
    mv "$fresh" "$KEYS"
    say "releases signed by the keys of $1 are taken from now on"
}

# by signature where a key is known, else by the hash that was told; by nothing, never
verified() {
    if [ -n "$hash" ]; then
        told=$(printf '%s' "$hash" | tr 'A-F' 'a-f')
        is=$(sha256sum "$1" | cut -d ' ' -f 1)
        [ "$told" = "$is" ] || fail "this is not the release that was told: its SHA-256 is $is"
    fi
    if [ -s "$KEYS" ]; then
        [ -r "$2" ] || fail "the signature $archive.sig is missing; nothing was changed"
        command -v ssh-keygen >/dev/null 2>&1 || fail "ssh-keygen is missing: apt-get install openssh-client"
        ssh-keygen -Y verify -f "$KEYS" -I pietjesoog -n pietjesoog-release -s "$2" <"$1" >/dev/null 2>&1 ||
            fail "the signature of $archive is wrong, or by a key that is not known here; nothing was changed"
    elif [ -z "$hash" ]; then
        fail "no key is known here (--key), so tell the release's hash: --sha256 HEX, as its page shows it"
    fi
}

# a copy that only root can change is what is verified and what is unpacked
from_archive() {
    [ -r "$archive" ] || fail "the archive $archive cannot be read"
    install -d -m 0700 "$OPT/unpacked"
    rm -rf "${OPT:?}/unpacked/"*
    cp "$archive" "$OPT/unpacked/archive"
    signature=$OPT/unpacked/signature
    if [ -r "$archive.sig" ]; then cp "$archive.sig" "$signature"; fi
    verified "$OPT/unpacked/archive" "$signature"
    mkdir "$OPT/unpacked/tree"
    tar -xzf "$OPT/unpacked/archive" -C "$OPT/unpacked/tree" --strip-components 1 --no-same-owner ||
        fail "$archive is no release archive"
    [ -r "$OPT/unpacked/tree/hardware/install.sh" ] || fail "$archive is no release of Pietjesoog"
    say "verified: $archive"
    if [ -n "$newer" ]; then
        offered=$(version_of "$OPT/unpacked/tree")
        runs=$(basename "$(readlink "$OPT/current")")
        runs=${runs%-*}
        if [ "$offered" = "$runs" ] || [ "$(printf '%s\n' "$offered" "$runs" | sort -V | tail -n 1)" = "$runs" ]; then
            rm -rf "$OPT/unpacked"
            fail "$offered is not newer than $runs, which runs; nothing was changed"
        fi
    fi
    set -- # what was asked for besides the archive
    [ -z "$build" ] || set -- "$@" --build "$build"
    [ -z "$name" ] || set -- "$@" --name "$name"
    [ -z "$port" ] || set -- "$@" --port "$port"
    [ "$access_point" != no ] || set -- "$@" --no-access-point
    case $kiosk in yes) set -- "$@" --kiosk ;; no) set -- "$@" --no-kiosk ;; esac
    status=0
    sh "$OPT/unpacked/tree/hardware/install.sh" "$@" || status=$?
    rm -rf "$OPT/unpacked"
    exit "$status"
}

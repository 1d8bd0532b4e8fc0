#!/bin/sh
# Makes drawings, labels, printed parts, pictures and tables anew, one after the other, and checks the printed parts.
#   sh hardware/build.sh [drawings|labels|parts|pictures|tables ...]      all without words
# Needs: sudo apt-get install openscad xvfb graphviz, and sh setup.sh dev,hardware
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
wants=${*:-drawings labels parts pictures tables}

fail() { printf 'pietjesoog: %s\n' "$*" >&2; exit 2; }
need() { command -v "$1" >/dev/null 2>&1 || fail "$1 is missing; please run: sudo apt-get install openscad xvfb graphviz"; }
"$python" -c 'import yaml, PIL, wireviz' 2>/dev/null || fail "please run first: sh setup.sh dev,hardware"

for want in $wants; do
    case $want in
    drawings)
        need dot
        for build in small table cafe; do
            nice "$python" -m wireviz.wv_cli -f s "hardware/builds/$build/wiring.yaml" >/dev/null ||
                fail "the wiring of $build could not be drawn"
            echo "hardware/builds/$build/wiring.svg"
        done ;;
    labels) "$python" -m hardware.labels && echo "hardware/labels.svg" ;;
    parts) need openscad; nice "$python" -m hardware.printed ;;
    pictures) need openscad; nice "$python" -m hardware.views ;;
    tables) "$python" -m hardware.tables && echo "hardware/GUIDE.md" ;;
    *) fail "there is nothing called $want; there are: drawings labels parts pictures tables" ;;
    esac
done

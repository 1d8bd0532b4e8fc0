#!/bin/sh
# Prints the Debian mirror that the labs fetch from: LAB_MIRROR, else the one that this machine has; else nothing, and
# debootstrap takes its own.
[ -z "${LAB_MIRROR:-}" ] || { printf '%s\n' "$LAB_MIRROR"; exit 0; }
# shellcheck disable=SC2016  # $(SITE) is apt's
apt-get indextargets --format '$(SITE)' 'Origin: Debian' 2>/dev/null | grep -v security | head -1

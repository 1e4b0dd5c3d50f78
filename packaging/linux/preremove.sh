#!/bin/sh
# An upgrade keeps the service, and what it stores stays in any case.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now policyctl.service || true
	fi
	;;
esac

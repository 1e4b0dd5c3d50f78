#!/bin/sh
# The user of the system service. Nothing is enabled or started.
set -e
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers policyctl.conf || true
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi

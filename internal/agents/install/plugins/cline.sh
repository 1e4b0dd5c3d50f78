#!/bin/sh
# policyctl's hook for Cline, which heeds no exit code: whatever is not an answer
# cancels the call. policyctl install has written it; what you change here is lost.
trap '' HUP INT QUIT TERM
answer=$(@LINE@)
if [ $? -eq 0 ]; then
	[ -z "$answer" ] || printf '%s\n' "$answer"
else
	printf '%s\n' '{"cancel":true,"errorMessage":"policyctl is missing or failed, so the call is blocked"}'
fi

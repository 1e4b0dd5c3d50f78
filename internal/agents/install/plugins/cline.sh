#!/bin/sh
# policyctl's hook for Cline, which heeds no exit code: whatever is not an answer
# cancels the call. policyctl install has written it; what you change here is lost.
trap '' HUP INT QUIT TERM
answer=$(@LINE@)
case $?$answer in
0) ;;
'0{"cancel":'*) printf '%s\n' "$answer" ;;
*) printf '%s\n' '{"cancel":true,"errorMessage":"policyctl is missing or failed, so the call is blocked"}' ;;
esac

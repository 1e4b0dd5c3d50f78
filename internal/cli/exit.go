package cli

import (
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// The exit codes. Commands that decide nothing exit with exitAllow.
const (
	exitAllow   = 0
	exitFailure = 1 // the work could not be done
	exitUsage   = 2 // wrong usage or an invalid policy
	exitDeny    = 3
	exitAsk     = 4
)

// exitOf returns the exit code of a decision.
func exitOf(d policy.Decision) int {
	switch d {
	case policy.Allow:
		return exitAllow
	case policy.Ask:
		return exitAsk
	}
	return exitDeny
}

// A status ends the run with an exit code. Its text, unless empty, is for
// people: what happened, why, and the next step.
type status struct {
	code int
	text string
}

func (s *status) Error() string { return s.text }

// exit ends the run when everything is said.
func exit(code int) error {
	if code == exitAllow {
		return nil
	}
	return &status{code: code}
}

func usagef(format string, args ...any) error {
	return &status{exitUsage, fmt.Sprintf(format, args...)}
}

// codeOf returns the exit code for what a command returned.
func codeOf(err error) int {
	var s *status
	switch {
	case err == nil:
		return exitAllow
	case errors.As(err, &s):
		return s.code
	}
	return exitFailure
}

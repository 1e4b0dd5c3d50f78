package console

import (
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// The exit codes. Commands that decide nothing exit with ExitAllow.
const (
	ExitAllow   = 0
	ExitFailure = 1 // the work could not be done
	ExitUsage   = 2 // wrong usage or an invalid policy
	ExitDeny    = 3
	ExitAsk     = 4
)

// ExitOf returns the exit code of a decision.
func ExitOf(d policy.Decision) int {
	switch d {
	case policy.Allow:
		return ExitAllow
	case policy.Ask:
		return ExitAsk
	}
	return ExitDeny
}

// A status ends the run with an exit code. Its text, unless empty, is for
// people: what happened, why, and the next step.
type status struct {
	code int
	text string
}

func (s *status) Error() string { return s.text }

// Exit ends the run when everything is said.
func Exit(code int) error {
	if code == ExitAllow {
		return nil
	}
	return &status{code: code}
}

// Usagef returns an error of wrong usage, with a next step.
func Usagef(format string, args ...any) error {
	return &status{ExitUsage, fmt.Sprintf(format, args...)}
}

// CodeOf returns the exit code for what a command returned.
func CodeOf(err error) int {
	var s *status
	switch {
	case err == nil:
		return ExitAllow
	case errors.As(err, &s):
		return s.code
	}
	return ExitFailure
}

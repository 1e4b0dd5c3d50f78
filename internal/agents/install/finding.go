package install

import "fmt"

// A Level says how much a finding matters.
type Level string

// The levels.
const (
	Problem Level = "problem" // the agent is not, or not safely, guarded
	Note    Level = "note"
	OK      Level = "ok"
)

// A Finding is one result of [Examine].
type Finding struct {
	Level Level
	Check string
	Text  string
	// Next is what the user can do about it; "" for what is in order.
	Next string
}

// A report collects findings.
type report []Finding

func (r *report) ok(check, format string, args ...any) {
	*r = append(*r, Finding{OK, check, fmt.Sprintf(format, args...), ""})
}

func (r *report) note(check, next, format string, args ...any) {
	*r = append(*r, Finding{Note, check, fmt.Sprintf(format, args...), next})
}

func (r *report) problem(check, next, format string, args ...any) {
	*r = append(*r, Finding{Problem, check, fmt.Sprintf(format, args...), next})
}

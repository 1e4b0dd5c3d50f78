package policy

import (
	"fmt"
	"strings"
)

// A Decision is what happens to a call. The zero value is [Deny], and a
// greater decision is a looser one: Deny < Ask < Allow.
type Decision uint8

// The decisions, strictest first.
const (
	Deny Decision = iota
	Ask
	Allow
)

var decisionNames = [...]string{"deny", "ask", "allow"}

// String returns "deny", "ask" or "allow".
func (d Decision) String() string { return name(decisionNames[:], int(d)) }

// MarshalText encodes the decision as its name.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText accepts exactly the three names.
func (d *Decision) UnmarshalText(text []byte) error {
	i, err := index("decision", decisionNames[:], string(text))
	*d = Decision(i)
	return err
}

// A Stage is one step of the chain. The zero value means that no stage spoke
// because the call could not be judged at all.
type Stage uint8

// The stages in the order of the chain.
const (
	StageNone Stage = iota
	StageHardline
	StagePermissionDeny
	StageYolo
	StageDoomLoop
	StageRules
	StageAllowlist
	StageReadonly
	StageConfirm
	StageMode
)

var stageNames = [...]string{
	"none", "hardline", "permission_deny", "yolo", "doom_loop", "rules",
	"allowlist", "readonly", "confirm", "mode",
}

// String returns the name of the stage as in the chain's table.
func (s Stage) String() string { return name(stageNames[:], int(s)) }

// MarshalText encodes the stage as its name.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts exactly the names of the stages.
func (s *Stage) UnmarshalText(text []byte) error {
	i, err := index("stage", stageNames[:], string(text))
	*s = Stage(i)
	return err
}

// A Reason is the stable code of why a call was denied. The zero value is
// [ReasonError].
type Reason uint8

// The reasons. ReasonNone stands beside every decision other than Deny.
const (
	ReasonError          Reason = iota // the call could not be judged
	ReasonHardline                     // the floor
	ReasonPermissionRule               // a permission, a rule, a tool policy or a bundle
	ReasonDoomLoop                     // the same call again and again
	ReasonRejected                     // a human said no
	ReasonTimedOut                     // nobody answered in time
	ReasonUnattended                   // nobody is there to ask
	ReasonReviewer                     // an LLM reviewer said no
	ReasonNone
)

var reasonNames = [...]string{
	"error", "hardline", "permission_rule", "doom_loop", "rejected",
	"timed_out", "unattended", "reviewer", "none",
}

// String returns the code of the reason.
func (r Reason) String() string { return name(reasonNames[:], int(r)) }

// MarshalText encodes the reason as its code.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText accepts exactly the codes.
func (r *Reason) UnmarshalText(text []byte) error {
	i, err := index("reason", reasonNames[:], string(text))
	*r = Reason(i)
	return err
}

// A Mode says what happens to a call about which no earlier stage answered. The zero
// value is [Manual].
type Mode uint8

// The modes, strictest first.
const (
	Manual  Mode = iota // medium and high risk ask
	Auto                // high risk asks
	Skip                // nothing asks
	Observe             // as Manual, but only the floor stops anything: see [Verdict.Observed]
)

var modeNames = [...]string{"manual", "auto", "skip", "observe"}

// String returns "manual", "auto", "skip" or "observe".
func (m Mode) String() string { return name(modeNames[:], int(m)) }

// UnmarshalText accepts exactly the names.
func (m *Mode) UnmarshalText(text []byte) error {
	i, err := index("mode", modeNames[:], string(text))
	*m = Mode(i)
	return err
}

// A Confirm says which shell calls ask that nothing earlier allowed. The zero
// value is [ConfirmAll].
type Confirm uint8

// The confirm policies, stricter first.
const (
	ConfirmAll    Confirm = iota // every one
	DangerousOnly                // those with a dangerous pattern or an unknown part
)

var confirmNames = [...]string{"confirm_all", "dangerous_only"}

// String returns "confirm_all" or "dangerous_only".
func (c Confirm) String() string { return name(confirmNames[:], int(c)) }

// UnmarshalText accepts exactly the two names.
func (c *Confirm) UnmarshalText(text []byte) error {
	i, err := index("confirm policy", confirmNames[:], string(text))
	*c = Confirm(i)
	return err
}

// A YoloConfirm says what is asked about although yolo is on. The zero value is
// [ConfirmNone].
type YoloConfirm uint8

// What yolo asks about, looser first.
const (
	ConfirmNone      YoloConfirm = iota // nothing
	ConfirmDangerous                    // what a dangerous pattern matches
)

var yoloConfirmNames = [...]string{"none", "dangerous"}

// String returns "none" or "dangerous".
func (c YoloConfirm) String() string { return name(yoloConfirmNames[:], int(c)) }

// UnmarshalText accepts exactly the two names.
func (c *YoloConfirm) UnmarshalText(text []byte) error {
	i, err := index("yolo confirmation", yoloConfirmNames[:], string(text))
	*c = YoloConfirm(i)
	return err
}

// An Undecided says who answers a call about which an ask has no ground but that
// nothing allows it; see [Verdict.Undecided]. The zero value is [UndecidedAsk].
type Undecided uint8

// Who answers, stricter first.
const (
	UndecidedAsk   Undecided = iota // whoever answers asks
	UndecidedAgent                  // the agent, by permissions of its own
)

var undecidedNames = [...]string{"ask", "agent"}

// String returns "ask" or "agent".
func (u Undecided) String() string { return name(undecidedNames[:], int(u)) }

// UnmarshalText accepts exactly the two names.
func (u *Undecided) UnmarshalText(text []byte) error {
	i, err := index("answer to what is undecided", undecidedNames[:], string(text))
	*u = Undecided(i)
	return err
}

// UnaskedModes are the modes of agents in which nobody is asked, as
// [Settings].UndecidedModes names them: headless, and permission modes by the
// agent's own names.
func UnaskedModes() []string { return []string{"headless", "dontAsk", "bypassPermissions", "yolo"} }

// An Audience says who sees what a call reads. The zero value is [Personal].
type Audience uint8

// The audiences, narrowest first.
const (
	Personal Audience = iota
	Team
	Public
)

var audienceNames = [...]string{"personal", "team", "public"}

// String returns "personal", "team" or "public".
func (a Audience) String() string { return name(audienceNames[:], int(a)) }

// MarshalText encodes the audience as its name.
func (a Audience) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText accepts exactly the three names.
func (a *Audience) UnmarshalText(text []byte) error {
	i, err := index("audience", audienceNames[:], string(text))
	*a = Audience(i)
	return err
}

func name(names []string, i int) string {
	if i >= len(names) {
		return fmt.Sprintf("invalid(%d)", i)
	}
	return names[i]
}

// index returns the place of text among names, 0 beside an error.
func index(what string, names []string, text string) (int, error) {
	for i, n := range names {
		if n == text {
			return i, nil
		}
	}
	return 0, &NameError{What: what, Name: text, Valid: names}
}

// A NameError reports a name that is not one of the valid ones.
type NameError struct {
	What  string   // what is named, such as "mode"
	Name  string   // the unknown name
	Valid []string // the names that exist
}

// Error names the unknown name and the valid ones.
func (e *NameError) Error() string {
	return fmt.Sprintf("unknown %s %q: one of %s", e.What, e.Name, strings.Join(e.Valid, ", "))
}

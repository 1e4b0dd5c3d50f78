package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// An Answer says what became of a recorded call, as far as the recording tells.
type Answer uint8

// The answers.
const (
	// Unknown is for a call whose recording does not tell.
	Unknown Answer = iota
	// Approved is for a call that a person approved at the approval service.
	Approved
	// Ran is for a call that ran without a failure in a transcript: a person, or the
	// agent's own permissions, let it run.
	Ran
	// Denied is for a call that a person denied.
	Denied
)

// auditLog parses the records of the audit log: a request is a call, which the
// decision that names the request answers, and so is a verdict, unless it was
// taken to the service as a request.
type auditLog struct{}

func (auditLog) parse(line []byte, tell func(event)) error {
	var r audit.Record
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("not a record of the audit log: %w", err)
	}
	ev := event{session: r.Session, thread: r.Session, id: r.RequestID}
	switch r.Kind {
	case audit.KindRequest:
		if r.Tool == "" {
			return nil // the submission of a program
		}
		c, err := decode(r.Tool, r.Arguments)
		if err != nil {
			return err
		}
		c.ID, c.Dir, c.Session, c.Agent, c.Time = r.RequestID, r.Dir, r.Session, r.Agent, r.Time
		ev.call, ev.unique = c, true
	case audit.KindVerdict:
		if ev.unique = true; len(r.Arguments) == 0 && r.Detail["cut"] != "" {
			return errors.New("a decision whose arguments were too long for the record")
		}
		c, err := decode(r.Tool, r.Arguments)
		if err != nil {
			return err
		}
		ev.id = cmp.Or(r.Detail["request"], r.Detail[trail.ID])
		c.ID, c.Dir, c.Session, c.Agent, c.Time = ev.id, r.Dir, r.Session, r.Agent, r.Time
		if r.DecidedAt != nil {
			c.Time = *r.DecidedAt
		}
		ev.call = c
	case audit.KindDecision:
		ev.kind = answered
		word := approval.Word(r.Decision)
		switch {
		case !isPerson(r.DecidedBy) || r.Detail["late"] != "":
		case word.Approves():
			ev.answer = Approved
		case word == approval.Rejected:
			ev.answer = Denied
		}
	default:
		return nil
	}
	tell(ev)
	return nil
}

// isPerson reports whether an identity of the approval service is not the service
// itself or its policy.
func isPerson(identity string) bool {
	kind, _, _ := strings.Cut(identity, ":")
	return kind == "uid" || kind == "token" || kind == "login"
}

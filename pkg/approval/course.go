package approval

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Course holds the records of an audit log against each other, from the
// first on: each receipt follows a decision that approves, with the votes that
// it needs, by a key that had begun and not ended, each use a receipt that was
// not used yet, and each result a use, all for the same hash. A chain alone says
// that nothing was changed, not that what it tells can have happened. The zero
// value is ready; it remembers each request.
type Course struct {
	// Known are the keys of a log whose beginning was cut off, nil for a whole one. Of a
	// request whose beginning is missing, any record may come first.
	Known    Keys
	requests map[string]*stage
	// ended are the keys that have signed, with the time of their end.
	ended map[string]time.Time
	key   string // that signs, "" before the first
}

// A stage is how far a request has come.
type stage struct {
	hash string
	// midway says that its beginning was cut off, and unknown that no record has told
	// since how far it had come.
	midway, unknown bool

	approved bool   // and no receipt was given for it yet
	receipt  string // that was given and not used yet
	used     bool   // and no result was told yet
	quorum   int    // how many people must approve, or at least so many; 0 where one decides
	joint    bool   // each of several groups must
	// votes say of each person who voted whether the last vote approves.
	votes map[string]bool
}

// Check checks the next record. The error is an [*audit.Broken].
func (c *Course) Check(r *audit.Record) error {
	if c.requests == nil {
		c.requests = make(map[string]*stage)
	}
	s := c.requests[r.RequestID]
	if s == nil {
		midway := c.Known != nil && r.Kind != audit.KindRequest
		s = &stage{hash: r.RequestHash, midway: midway, unknown: midway}
	}
	problem := s.next(r)
	if problem == "" {
		problem = c.signed(r)
	}
	if problem == "" && s.hash != r.RequestHash && follows[r.Kind] {
		problem = fmt.Sprintf("it is for the hash %q, and what went before for %q", r.RequestHash, s.hash)
	}
	if problem != "" {
		return &audit.Broken{Seq: r.Seq, Problem: "request " + r.RequestID + ": " + problem}
	}
	if follows[r.Kind] {
		c.requests[r.RequestID] = s
	}
	return nil
}

// signed notes which key signs, and says of a receipt that its key cannot have
// signed it.
func (c *Course) signed(r *audit.Record) string {
	id := r.Detail["key_id"]
	switch {
	case id == "" || r.Kind != audit.KindKey && r.Kind != audit.KindReceipt:
		return ""
	case r.Kind == audit.KindReceipt:
		end, ended := c.ended[id]
		switch {
		case id == c.key || c.key == "" && c.had(id):
			return ""
		case !ended:
			return fmt.Sprintf("its receipt was signed by the key %q, which the service never had", id)
		case r.Time.After(end.Add(skew)):
			return fmt.Sprintf("its receipt was signed by the key %q, which was retired at %s", id, end.UTC().Format(time.RFC3339))
		}
		return ""
	}
	if _, ended := c.ended[id]; ended {
		return fmt.Sprintf("the key %q was retired, and signs again", id)
	}
	if c.ended == nil {
		c.ended = make(map[string]time.Time)
	}
	switch c.key {
	case id:
	case "": // those of before, as far as they are known
		for kid, k := range c.Known {
			if kid != id && !k.Ended.IsZero() && !k.Ended.After(r.Time) {
				c.ended[kid] = r.Time
			}
		}
	default:
		c.ended[c.key] = r.Time
	}
	c.key = id
	return ""
}

// had reports whether the service can have had a key before the log tells of one.
func (c *Course) had(id string) bool {
	_, known := c.Known[id]
	return known || c.Known == nil
}

// follows are the kinds of records that belong to the course of a request.
var follows = map[string]bool{
	audit.KindRequest: true, audit.KindDecision: true, audit.KindReceipt: true, audit.KindConsumption: true, audit.KindExecution: true,
	audit.KindRevocation: true, audit.KindVote: true, audit.KindChange: true,
}

// next moves on, and says what is wrong.
func (s *stage) next(r *audit.Record) string {
	id := r.Detail["receipt"]
	if s.unknown && follows[r.Kind] && r.Detail["late"] == "" {
		s.assume(r.Kind, id)
	}
	switch r.Kind {
	case audit.KindRequest, audit.KindChange: // after which no vote of before counts
		s.votes = nil
		s.quorum, _ = strconv.Atoi(r.Detail["quorum"])
		s.joint = r.Detail["groups"] != ""
	case audit.KindVote:
		return s.vote(r)
	case audit.KindDecision:
		if r.Detail["late"] != "" { // which changed nothing
			return ""
		}
		s.approved = Word(r.Decision).Approves()
		return s.lacking(r)
	case audit.KindReceipt:
		if !s.approved || id == "" {
			return fmt.Sprintf("the receipt %q was given without a decision that approves", id)
		}
		s.approved, s.receipt = false, id
	case audit.KindConsumption:
		if s.receipt == "" || s.receipt != id {
			return fmt.Sprintf("the receipt %q was used, and it was not given, or was used before", id)
		}
		s.receipt, s.used = "", true
	case audit.KindRevocation:
		if s.receipt == "" || s.receipt != id {
			return fmt.Sprintf("the receipt %q was taken back, and it was not given, or was used before", id)
		}
		s.receipt = ""
	case audit.KindExecution:
		if !s.used {
			return "its result was told, and no receipt was used for it"
		}
		s.used = false
	}
	return ""
}

// assume has what was cut off be what a record needs, the first that tells.
func (s *stage) assume(kind, receipt string) {
	s.unknown = false
	switch kind {
	case audit.KindReceipt:
		s.approved = true
	case audit.KindConsumption, audit.KindRevocation:
		s.receipt = receipt
	case audit.KindExecution:
		s.used = true
	}
}

// vote notes a vote.
func (s *stage) vote(r *audit.Record) string {
	person := personOf(r.Actor)
	switch {
	case s.midway: // who votes about what, nobody knows any more
		return ""
	case s.quorum < 2 && !s.joint:
		return "it was voted about, and one person decides it"
	case person == "":
		return fmt.Sprintf("%q voted, who is no person", r.Actor)
	}
	if s.votes == nil {
		s.votes = make(map[string]bool)
	}
	s.votes[person] = Word(r.Decision).Approves()
	return ""
}

// lacking says that fewer people have voted for an approval than had to. A model
// decides without votes, and so does silence where no group of several must approve.
func (s *stage) lacking(r *audit.Record) string {
	switch source := r.Detail["source"]; {
	case s.quorum < 2 && !s.joint, !s.approved, source == LLM, source == Timeout && s.quorum < 2:
		return ""
	}
	people := make(map[string]bool)
	for person := range strings.SplitSeq(r.Detail["approvers"], ", ") {
		if s.votes[person] {
			people[person] = true
		}
	}
	if len(people) < s.quorum {
		return fmt.Sprintf("it was approved by %d of the %d people who had to", len(people), s.quorum)
	}
	return ""
}

// Package trail puts on record what engines decide, as entries of the audit log.
//
// [Entry] makes the entry of one decision, without secrets and of bounded size;
// all that decide use it. A [Queue] is the [policy.Recorder] that makes entries
// without holding up who decides. [Encode] and [Decode] write and read entries
// on their way to the log, and [Collected] is an entry on arrival there.
//
// The package opens no file and no connection, and does not prove that what is
// recorded was decided: whoever ships an entry is named in it.
package trail

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/excerpt"
	"github.com/policyctl/policyctl/internal/support/uuid"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A From says where a decision was made, and who approved it where somebody did.
type From struct {
	// Actor is the identity that asked for the decision, such as "uid:1000".
	Actor string
	// Via is what decided: "hook", "service", "eval", or a name of your own.
	Via string
	// By is who answered an ask, Request the request in which they did, and
	// Receipt the id of the receipt; all are "" where nobody was asked.
	By, Request, Receipt string
	// ID identifies the decision: up to 64 letters, digits and hyphens; "" for a new one.
	ID string
}

// The bounds of an entry, in bytes: of its arguments, of another text, and of all
// of it as a line.
const (
	maxArguments = 32 << 10
	maxText      = 2 << 10
	maxLine      = 256 << 10
)

// The keys of [audit.Entry.Detail] that entries of decisions have beside those of
// the verdict.
const (
	// ID identifies the decision; it is made where the decision is made.
	ID = "id"
	// Took is how long the decision took, in microseconds.
	Took = "took_us"
	// AskedBy is who asked for the decision, as whoever shipped the entry says.
	AskedBy = "asked_by"
	// Spool is from where the entry was shipped.
	Spool = "spool"
)

// policyIdentity is who decides. Who answered an ask stands in the detail: it is
// for the service where they did to say it in its own name.
const policyIdentity = "policy"

// known are the keys of the detail of an entry before it arrives.
var known = [...]string{
	ID, Took, "via", "call_id", "why", "source", "risk", "dangerous", "approved_by", "request", "receipt", "undecided", "observed", "cut", "masked",
}

// Entry returns the entry of a decision, under a new id unless it has one. It does not change or
// keep the outcome.
func Entry(from From, o *policy.Outcome) audit.Entry {
	c, v := &o.Call, &o.Verdict
	e := audit.Entry{
		Time: o.Time, Kind: audit.KindVerdict, Actor: from.Actor, Tool: c.Tool, Session: c.Session, Agent: c.Agent, Dir: c.Dir,
		Decision: v.Decision.String(), DecidedBy: policyIdentity, Reason: v.Reason.String(), Rule: v.Rule, Stage: v.Stage.String(), Revision: v.Revision,
		Detail: make(map[string]string, 8),
	}
	if v.Dir != "" {
		e.Dir = v.Dir
	}
	put := func(key, value string) {
		if value != "" {
			e.Detail[key] = value
		}
	}
	put("call_id", c.ID)
	put("via", from.Via)
	put("why", v.Why)
	put("source", v.Origin.String())
	put("approved_by", from.By)
	put("request", from.Request)
	put("receipt", from.Receipt)
	if v.Undecided {
		put("undecided", "agent") // whose own permissions answer it
	}
	if v.Observed != nil {
		put("observed", v.Observed.String())
	}
	if o.Took > 0 {
		put(Took, strconv.FormatInt(max(o.Took.Microseconds(), 1), 10))
	}
	if v.Decision != policy.Allow || v.Observed != nil && *v.Observed != policy.Allow {
		put("risk", v.Risk.String())
	}
	var dangers []string
	for _, d := range v.Dangers {
		dangers = append(dangers, d.Rule)
	}
	put("dangerous", strings.Join(dangers, ", "))
	kept, cut, masked := arguments(c.Input)
	put("cut", strings.Join(cut, " "))
	e = finished(e, masked)
	if isID(from.ID) {
		e.Detail[ID] = from.ID
	}
	e.Arguments = kept
	return e
}

// finished returns an entry that has no arguments yet without secrets, with short
// texts, and with its id. masked are the places of the arguments where secrets were.
func finished(e audit.Entry, masked []string) audit.Entry {
	for _, text := range []*string{&e.Actor, &e.Tool, &e.Session, &e.Agent, &e.Dir, &e.Rule, &e.Revision} {
		*text = clip.Text(*text, 2*maxText)
	}
	for key, text := range e.Detail {
		e.Detail[key] = clip.Text(text, 2*maxText)
	}
	clean, more, _ := audit.Clean(e) // an error is one of arguments
	masked = append(masked, more...)
	for _, text := range []*string{&clean.Actor, &clean.Tool, &clean.Session, &clean.Agent, &clean.Dir, &clean.Rule, &clean.Revision} {
		*text = clip.Text(*text, maxText)
	}
	if clean.Detail == nil {
		clean.Detail = map[string]string{}
	}
	for key, text := range clean.Detail {
		clean.Detail[key] = clip.Text(text, maxText)
	}
	if len(masked) > 0 {
		clean.Detail["masked"] = clip.Text(strings.Join(masked, "; "), maxText)
	}
	clean.Detail[ID] = uuid.New()
	return clean
}

// arguments returns what is kept of the arguments of a call, and the pointers to
// what was cut and to what was masked. The cut comes after the secrets are gone, but
// for a first one that leaves more than will be kept.
func arguments(input map[string]any) (out json.RawMessage, cut, masked []string) {
	if len(input) == 0 {
		return nil, nil, nil
	}
	clean, masked, err := audit.Clean(audit.Entry{Arguments: encoded(excerpt.Rough(input))})
	if err != nil {
		return nil, []string{"/arguments"}, nil
	}
	v, err := strictjson.Value(clean.Arguments, strictjson.Options{})
	if err != nil {
		return nil, []string{"/arguments"}, nil
	}
	v = excerpt.Content(v, "/arguments", &cut)
	if out = encoded(v); len(out) > maxArguments {
		out = encoded(excerpt.Texts(v, "/arguments", &cut))
	}
	if len(out) > maxArguments {
		return nil, []string{"/arguments"}, nil
	}
	return out, cut, masked
}

// encoded returns the JSON of arguments, nil where they have none.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

// Encode returns an entry as one line of JSON without its end.
func Encode(e *audit.Entry) ([]byte, error) { return strictjson.Marshal(e) }

// Decode reads a line that [Encode] wrote. The error says why it is no entry of a
// decision, such as one of another kind: nothing but decisions is shipped.
func Decode(line []byte) (audit.Entry, error) {
	var e audit.Entry
	if len(line) > maxLine {
		return e, fmt.Errorf("%d bytes are more than %d", len(line), maxLine)
	}
	if err := strictjson.Decode(line, &e); err != nil {
		return e, err
	}
	return e, check(&e)
}

func check(e *audit.Entry) error {
	var d policy.Decision
	var r policy.Reason
	var s policy.Stage
	if e.Kind != audit.KindVerdict {
		return fmt.Errorf("kind %q: only a %s is shipped", clip.Text(e.Kind, 40), audit.KindVerdict)
	}
	if e.Time.IsZero() {
		return errors.New("time is missing")
	}
	if e.Actor == "" {
		return errors.New("actor is missing")
	}
	if !isID(e.Detail[ID]) {
		return fmt.Errorf("detail.id %q: a decision has an id of letters, digits and hyphens", clip.Text(e.Detail[ID], 40))
	}
	if e.DecidedBy != policyIdentity {
		return fmt.Errorf("decided_by %q: only the decisions of a policy are shipped", clip.Text(e.DecidedBy, 40))
	}
	if e.RequestID != "" || e.DecidedAt != nil || e.RequestHash != "" || e.ExecutionResult != "" {
		return errors.New("request_id, decided_at, request_hash and execution_result are for the service to set")
	}
	for key := range e.Detail {
		if !slices.Contains(known[:], key) {
			return fmt.Errorf("detail has the key %q: one of %s", clip.Text(key, 40), strings.Join(known[:], ", "))
		}
	}
	if err := d.UnmarshalText([]byte(e.Decision)); err != nil {
		return err
	}
	if err := r.UnmarshalText([]byte(e.Reason)); err != nil {
		return err
	}
	if (d == policy.Deny) == (r == policy.ReasonNone) {
		return fmt.Errorf("decision %s does not go with the reason %s", e.Decision, e.Reason)
	}
	return s.UnmarshalText([]byte(e.Stage))
}

// maxID bounds the id of a decision, in bytes.
const maxID = 64

func isID(s string) bool {
	return s != "" && len(s) <= maxID && strings.Trim(s, "-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Collected returns an entry as the log records it: now, on behalf of who shipped
// it from a spool. When it was decided and who asked then are what that one says.
func Collected(e audit.Entry, by, spool string, now time.Time) audit.Entry {
	at, detail := e.Time, map[string]string{}
	maps.Copy(detail, e.Detail)
	detail[AskedBy], detail[Spool] = e.Actor, spool
	e.Time, e.DecidedAt, e.Actor, e.Detail = now, &at, by, detail
	return e
}

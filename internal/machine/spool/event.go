package spool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/policyctl/policyctl/internal/support/excerpt"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/internal/support/uuid"
	"github.com/policyctl/policyctl/pkg/policy"
)

// defaultBound is that of an [Encoder].
const defaultBound = 32 << 10

// path is the decision that every event is of.
const path = "policyctl/decision"

// An Event is one decision.
type Event struct {
	// DecisionID identifies the event; "" for a random UUID.
	DecisionID string
	Call       *policy.Call
	// Verdict is the answer; nil stands for the zero verdict, which denies.
	Verdict *policy.Verdict
	// Bundles are the revisions of the active bundles by name.
	Bundles map[string]string
	// Time is when the decision was made; the zero time means now.
	Time time.Time
	// Took is how long it took; 0 where that is unknown.
	Took time.Duration
	// Labels are added to those of the encoder, which win.
	Labels map[string]string
	// RequestedBy is who asked; "" for the agent of the call.
	RequestedBy string
}

// A record is an event in the form of OPA's EventV1. The names and the order
// of the fields are OPA's.
type record struct {
	Labels      map[string]string `json:"labels"`
	DecisionID  string            `json:"decision_id"`
	Bundles     map[string]bundle `json:"bundles,omitempty"`
	Path        string            `json:"path,omitempty"`
	Input       any               `json:"input,omitempty"`
	Result      any               `json:"result,omitempty"`
	Erased      []string          `json:"erased,omitempty"`
	Masked      []string          `json:"masked,omitempty"`
	RequestedBy string            `json:"requested_by,omitempty"`
	Timestamp   time.Time         `json:"timestamp"`
	Metrics     map[string]any    `json:"metrics,omitempty"`
}

type bundle struct {
	Revision string `json:"revision,omitempty"`
}

// An Encoder writes events in the form of OPA's decision logs. The zero value
// masks secrets, adds no labels, and has no bound.
type Encoder struct {
	// Labels stand in every event.
	Labels map[string]string
	// Bound is how many bytes an event may have before long texts in it are cut;
	// 0 means 32 KiB.
	Bound int64
	// NoMask leaves secrets in the events.
	NoMask bool
	// Now is the clock for events without a time; nil is that of the system.
	Now func() time.Time
}

// Encode returns an event as one line of JSON.
func (l *Encoder) Encode(e *Event) ([]byte, error) {
	bound := cmp.Or(l.Bound, defaultBound)
	r := l.record(e)
	input := r.Input
	r.Input = excerpt.Rough(input)
	if !l.NoMask {
		r.mask()
	}
	r.Input = excerpt.Content(r.Input, "/input", &r.Erased)
	data, err := json.Marshal(r)
	if err == nil && int64(len(data)) <= bound {
		return data, nil
	}
	if err == nil { // any long text goes, so that the decision fits
		r.Input = excerpt.Texts(r.Input, "/input", &r.Erased)
		return json.Marshal(r)
	}
	if m, ok := r.Input.(map[string]any); ok { // arguments that no JSON holds
		delete(m, "input")
		delete(m, "record")
		r.Erased = append(r.Erased, "/input/input")
	}
	if data, err = json.Marshal(r); err != nil {
		return nil, fmt.Errorf("decision log: the event is no JSON, its input must be made of JSON values: %w", err)
	}
	return data, nil
}

// record returns an event as it came, with secrets.
func (l *Encoder) record(e *Event) *record {
	r := &record{
		Labels: make(map[string]string), DecisionID: e.DecisionID, Path: path, RequestedBy: e.RequestedBy, Timestamp: e.Time.UTC(),
		Result: verdictValue(e.Verdict),
	}
	maps.Copy(r.Labels, e.Labels)
	maps.Copy(r.Labels, l.Labels)
	if r.DecisionID == "" {
		r.DecisionID = uuid.New()
	}
	if e.Time.IsZero() {
		now := time.Now
		if l.Now != nil {
			now = l.Now
		}
		r.Timestamp = now().UTC()
	}
	if e.Took > 0 {
		r.Metrics = map[string]any{"timer_server_handler_ns": e.Took.Nanoseconds()}
	}
	if e.Call != nil {
		input := policy.CallObject(e.Call)
		input["tool"] = e.Call.Tool // even if it is empty
		r.Input = input
		if r.RequestedBy == "" {
			r.RequestedBy = e.Call.Agent
		}
	}
	for name, revision := range e.Bundles {
		if r.Bundles == nil {
			r.Bundles = make(map[string]bundle)
		}
		r.Bundles[name] = bundle{revision}
	}
	return r
}

// mask replaces the secrets of a record and lists where they were.
func (r *record) mask() {
	add := func(prefix string, v any) any {
		out, found := redact.Value(v)
		for _, f := range found {
			if at := prefix + f.Path; len(r.Masked) == 0 || r.Masked[len(r.Masked)-1] != at {
				r.Masked = append(r.Masked, at)
			}
		}
		return out
	}
	r.Labels = add("/labels", r.Labels).(map[string]string)
	if r.Input != nil {
		r.Input = add("/input", r.Input)
	}
	r.Result = add("/result", r.Result)
	r.RequestedBy = add("/requested_by", r.RequestedBy).(string)
}

// verdictValue returns the part of a verdict that a log needs.
func verdictValue(v *policy.Verdict) map[string]any {
	if v == nil {
		v = &policy.Verdict{}
	}
	m := map[string]any{"decision": v.Decision.String(), "stage": v.Stage.String(), "reason": v.Reason.String()}
	put(m, "rule", v.Rule)
	put(m, "why", v.Why)
	put(m, "dir", v.Dir)
	put(m, "source", v.Origin.String())
	put(m, "revision", v.Revision)
	if v.Decision != policy.Allow {
		m["risk"] = v.Risk.String()
	}
	var dangerous, parts []any
	for _, d := range v.Dangers {
		dangerous = append(dangerous, d.Rule)
	}
	for _, p := range v.Parts {
		part := map[string]any{"stage": p.Stage.String(), "span": []any{p.Span.From, p.Span.To}}
		put(part, "rule", p.Rule)
		put(part, "why", p.Why)
		put(part, "source", p.Origin.String())
		parts = append(parts, part)
	}
	if dangerous != nil {
		m["dangerous"] = dangerous
	}
	if parts != nil {
		m["parts"] = parts
	}
	return m
}

func put(m map[string]any, key, value string) {
	if value != "" {
		m[key] = value
	}
}

package render

import (
	"encoding/json"
	"io"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A Verdict is a verdict as JSON, in the order of its keys. What does not
// apply is null.
type Verdict struct {
	ID       *string         `json:"id"`
	Decision policy.Decision `json:"decision"`
	Stage    policy.Stage    `json:"stage"`
	Reason   policy.Reason   `json:"reason"`
	Rule     *string         `json:"rule"`
	Why      *string         `json:"why"`
	Message  *string         `json:"message"`
	Span     *[2]int         `json:"span"`
	Source   *string         `json:"source"`
	// Risk and Dangerous are null for an allow; Parts is null where one thing
	// allowed all of the call.
	Risk      *string         `json:"risk"`
	Dangerous []policy.Danger `json:"dangerous"`
	Parts     []policy.Part   `json:"parts"`
	Revision  string          `json:"revision"`
	// Dir is where the call runs if that is not its dir; left out elsewhere.
	Dir string `json:"dir,omitempty"`
	// Bundles are the revisions of bundles by name; left out without any.
	Bundles map[string]string `json:"bundles,omitempty"`
	Ask     *Ask              `json:"ask"`
	// Micros is how many microseconds the decision took; nil leaves it out.
	Micros *float64 `json:"micros,omitempty"`
}

// An Ask holds the terms of an ask as JSON; durations are Go's.
type Ask struct {
	Approver   *string         `json:"approver"`
	Profile    *string         `json:"profile"`
	Model      *string         `json:"model"`
	Prompt     *string         `json:"prompt"`
	Timeout    *string         `json:"timeout"`
	OnTimeout  policy.Decision `json:"on_timeout"`
	CacheTTL   *string         `json:"cache_ttl"`
	FailClosed bool            `json:"fail_closed"`
	EveryTime  bool            `json:"every_time"`
}

// NewVerdict returns the JSON of the verdict on the call with an id. took is
// left out if it is 0.
func NewVerdict(id string, v *policy.Verdict, took time.Duration) Verdict {
	out := Verdict{
		ID:       orNull(id),
		Decision: v.Decision,
		Stage:    v.Stage,
		Reason:   v.Reason,
		Rule:     orNull(v.Rule),
		Why:      orNull(v.Why),
		Message:  orNull(v.Message()),
		Span:     span(v.Span),
		Source:   orNull(v.Origin.String()),
		Parts:    v.Parts,
		Revision: v.Revision,
		Dir:      v.Dir,
		Bundles:  bundles(v.Bundles),
		Ask:      newAsk(v.Ask),
	}
	if v.Decision != policy.Allow {
		out.Risk, out.Dangerous = orNull(v.Risk.String()), append([]policy.Danger{}, v.Dangers...)
	}
	if took > 0 {
		micros := float64(took.Nanoseconds()) / 1000
		out.Micros = &micros
	}
	return out
}

func bundles(list []policy.Bundle) map[string]string {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]string, len(list))
	for _, b := range list {
		out[b.Name] = b.Revision
	}
	return out
}

func newAsk(a *policy.AskTerms) *Ask {
	if a == nil {
		return nil
	}
	return &Ask{
		Approver:   orNull(a.Approver),
		Profile:    orNull(a.Profile),
		Model:      orNull(a.Model),
		Prompt:     orNull(a.Prompt),
		Timeout:    duration(a.Timeout),
		OnTimeout:  a.OnTimeout,
		CacheTTL:   duration(a.CacheTTL),
		FailClosed: a.FailClosed,
		EveryTime:  a.EveryTime,
	}
}

// orNull returns nil for the empty string.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func duration(d time.Duration) *string {
	if d == 0 {
		return nil
	}
	return orNull(d.String())
}

func span(s *shell.Span) *[2]int {
	if s == nil {
		return nil
	}
	return &[2]int{s.From, s.To}
}

// A Line is a stream of JSON values, one a line.
type Line struct{ *json.Encoder }

// NewLine returns a stream that writes to w without buffering.
func NewLine(w io.Writer) Line {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return Line{e}
}

// JSON writes one value, indented.
func JSON(w io.Writer, v any) error {
	e := NewLine(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

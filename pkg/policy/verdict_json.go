package policy

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/null"
)

// verdictJSON is the form of a verdict in JSON, in the order of its keys. What
// does not apply is null.
type verdictJSON struct {
	Decision Decision    `json:"decision"`
	Stage    Stage       `json:"stage"`
	Reason   Reason      `json:"reason"`
	Rule     *string     `json:"rule"`
	Why      *string     `json:"why"`
	Message  *string     `json:"message"`
	Span     *shell.Span `json:"span"`
	Source   *string     `json:"source"`
	// Risk and Dangerous are null for an allow; Parts is null where one thing
	// allowed all of the call.
	Risk      *string  `json:"risk"`
	Dangerous []Danger `json:"dangerous"`
	Parts     []Part   `json:"parts"`
	Revision  string   `json:"revision"`
	// Dir is where the call runs if that is not its dir.
	Dir string `json:"dir,omitempty"`
	// Bundles are the revisions of bundles by name.
	Bundles map[string]string `json:"bundles,omitempty"`
	Ask     *AskTerms         `json:"ask"`
	// Undecided says that the ask is left to an agent with permissions of its own.
	Undecided bool `json:"undecided,omitempty"`
	// Observed is what the policy says of the call, where it only observes.
	Observed *Decision `json:"observed,omitempty"`
}

// MarshalJSON encodes the verdict with its message, as
// docs/reference/verdict.schema.json says. Notes are left out.
func (v Verdict) MarshalJSON() ([]byte, error) { return encode(v.form()) }

func (v *Verdict) form() verdictJSON {
	out := verdictJSON{
		Decision: v.Decision,
		Stage:    v.Stage,
		Reason:   v.Reason,
		Rule:     null.Of(v.Rule),
		Why:      null.Of(v.Why),
		Message:  null.Of(v.Message()),
		Span:     v.Span,
		Source:   null.Of(v.Origin.String()),
		Parts:    v.Parts,
		Revision: v.Revision,
		Dir:      v.Dir,
		Ask:      v.Ask,

		Undecided: v.Undecided, Observed: v.Observed,
	}
	if v.said() != Allow {
		out.Risk, out.Dangerous = null.Of(v.Risk.String()), append([]Danger{}, v.Dangers...)
	}
	if len(v.Bundles) > 0 {
		out.Bundles = make(map[string]string, len(v.Bundles))
	}
	for _, b := range v.Bundles {
		out.Bundles[b.Name] = b.Revision
	}
	return out
}

// MarshalJSON encodes the terms; durations are Go's.
func (a AskTerms) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Approver   *string  `json:"approver"`
		Quorum     int      `json:"quorum,omitempty"`
		Also       []Group  `json:"also,omitempty"`
		Profile    *string  `json:"profile"`
		Model      *string  `json:"model"`
		Prompt     *string  `json:"prompt"`
		Timeout    *string  `json:"timeout"`
		OnTimeout  Decision `json:"on_timeout"`
		CacheTTL   *string  `json:"cache_ttl"`
		FailClosed bool     `json:"fail_closed"`
		EveryTime  bool     `json:"every_time"`
		Reviewer   bool     `json:"reviewer,omitempty"`
		Rules      []string `json:"rules,omitempty"`
	}{
		null.Of(a.Approver), a.Quorum, a.Also, null.Of(a.Profile), null.Of(a.Model), null.Of(a.Prompt),
		durationText(a.Timeout), a.OnTimeout, durationText(a.CacheTTL), a.FailClosed, a.EveryTime, a.Reviewer, a.Rules,
	})
}

func durationText(d time.Duration) *string {
	if d == 0 {
		return nil
	}
	return null.Of(d.String())
}

// encode returns JSON with < and > as they are, which are everyday words of a
// command; an encoder that embeds it may still escape them.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

package policy

import (
	"encoding/json"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"slices"
)

// A Danger is a dangerous pattern that a call matches.
type Danger struct {
	// Rule is the id of the pattern, Why a clause with the command as its
	// subject: "deletes without asking".
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Instead is a safer way, "" if there is none.
	Instead string `json:"instead,omitempty"`
	// Span is the part of the command that matches.
	Span shell.Span `json:"span"`
}

// A Part is what allowed one simple command of a line.
type Part struct {
	// Span is the command within the line.
	Span  shell.Span
	Stage Stage
	// Rule is the permission, the entry or the grant; "" where the stage itself
	// allowed the command, as a proof does.
	Rule   string
	Why    string
	Origin Origin
}

// partJSON is the form of a part in JSON. What does not apply is left out.
type partJSON struct {
	Span   shell.Span `json:"span"`
	Stage  Stage      `json:"stage"`
	Rule   string     `json:"rule,omitempty"`
	Why    string     `json:"why"`
	Source string     `json:"source,omitempty"`
}

// MarshalJSON encodes the part with the text of its origin.
func (p Part) MarshalJSON() ([]byte, error) {
	return json.Marshal(partJSON{p.Span, p.Stage, p.Rule, p.Why, p.Origin.String()})
}

// UnmarshalJSON accepts what MarshalJSON returns. Of the origin it keeps the
// text.
func (p *Part) UnmarshalJSON(data []byte) error {
	var in partJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*p = Part{in.Span, in.Stage, in.Rule, in.Why, Origin{Layer: in.Source}}
	return nil
}

// harm notes on an ask or a denial how much harm the call can do, and every
// dangerous pattern that it matches.
func (k risks) harm(v *Verdict) {
	if k.line == nil {
		v.Risk, _ = k.ofTool()
	} else {
		v.Dangers = k.dangers()
		v.Risk = k.ofLine()
	}
	if len(v.Dangers) > 0 || v.Stage == StageHardline {
		v.Risk = High
	}
}

// ofLine returns the risk of a line beside the dangerous patterns. A shell
// may do anything, so that its line says more than the tool: it is of high risk
// where what runs cannot be told or a secret is read, and low where it only
// reads.
func (k risks) ofLine() Risk {
	if k.line.Problem != nil || len(k.line.Commands) == 0 {
		return High
	}
	risk := Low
	for i := range k.line.Commands {
		switch {
		case k.line.Commands[i].Opaque != "" || k.sensitiveRead(&k.line.Commands[i]) != "":
			return High
		case !k.parts.proof(i).Proved:
			risk = Medium
		}
	}
	return risk
}

// dangers returns the dangerous patterns that the line matches, each once.
func (k risks) dangers() []Danger {
	var out []Danger
	for i := range k.line.Commands {
		for _, f := range k.parts.dangers(i) {
			if !slices.ContainsFunc(out, func(d Danger) bool { return d.Rule == f.Rule.ID }) {
				out = append(out, Danger{f.Rule.ID, f.Rule.Why, f.Rule.Instead, f.Span})
			}
		}
	}
	return out
}

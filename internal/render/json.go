package render

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/policyctl/policyctl/internal/support/null"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Verdict returns the JSON of the verdict on the call with an id. took is left
// out if it is 0.
func Verdict(id string, v *policy.Verdict, took time.Duration) any {
	return objects{callID{null.Of(id)}, v, timing{null.Of(float64(took.Nanoseconds()) / 1000)}}
}

// Hooked returns the JSON of a verdict with what the hook of the call's agent would say.
func Hooked(d Decided) any {
	return objects{Verdict(d.Call.ID, &d.Verdict, d.Took), hooks{d.Hook}}
}

type hooks struct {
	Hook []HookAnswer `json:"hook,omitempty"`
}

// Traced returns the JSON of a verdict with what each stage had to say.
func Traced(d Decided) any {
	return objects{Hooked(d), struct {
		Steps []policy.Step `json:"stage_trace"`
	}{d.Steps}}
}

// Explained returns the JSON of a verdict with all that led to it and with
// what would have allowed the call, and what the permission means that decided.
func Explained(d Decided, a Advice, m *Meaning) any {
	return objects{callID{null.Of(d.Call.ID)}, d.Explanation, hooks{d.Hook}, struct {
		Project *string  `json:"project_dir"`
		Advice  Advice   `json:"advice"`
		Meaning *Meaning `json:"permission,omitempty"`
	}{null.Of(d.Call.ProjectDir), a, m}}
}

type callID struct {
	ID *string `json:"id"`
}

type timing struct {
	Micros *float64 `json:"micros,omitempty"`
}

// objects are written as one JSON object with the keys of all in order.
type objects []any

// MarshalJSON joins the objects.
func (o objects) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, v := range o {
		start := b.Len()
		if err := NewLine(&b).Encode(v); err != nil {
			return nil, err
		}
		text := bytes.TrimSpace(b.Bytes()[start:])
		if len(text) == len("{}") {
			b.Truncate(start)
			continue
		}
		b.Truncate(start + len(text) - 1)
		if start > 0 {
			b.Bytes()[start] = ','
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
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

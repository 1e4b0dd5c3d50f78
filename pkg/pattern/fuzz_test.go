package pattern

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// FuzzCompile shows that no condition and no record makes a compiler or an
// evaluation panic, and that what compiles once does so again from its own
// JSON, to the same answers.
func FuzzCompile(f *testing.F) {
	for _, tc := range evaluated {
		f.Add(`{"x.y": `+tc.condition+`}`, `{"facets": {"x": {"y": "Get"}}}`)
	}
	for _, tc := range matched {
		f.Add(`{"x.y": `+tc.condition+`}`, `{"facets": {"x": {"y": [1, "a", null]}}, "unknown": ["x.y[1]"]}`)
	}
	f.Add(`{"any": [{"verb": "x"}, {"not": {"tags": ["a"]}}], "time": {"days": "mon", "tz": "UTC"}}`, `{"verb": "x", "tags": ["a"], "unknown": ["http", "verb", "x.\"a.b\""]}`)
	f.Fuzz(func(t *testing.T, when, text string) {
		n, ok := fuzzNode(when)
		if !ok {
			return
		}
		c, problems := CompileWhen(n)
		if len(problems) > 0 {
			return
		}
		var m map[string]any
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		if d.Decode(&m) != nil {
			return
		}
		r, err := record.Decode(m)
		if err != nil {
			return
		}
		got := c.Eval(r, &Input{Now: noon})
		again, err := n.MarshalJSON()
		if err != nil {
			return // a number that JSON does not have
		}
		second, problems := CompileWhen(node(t, string(again)))
		if len(problems) > 0 {
			t.Fatalf("%s: %v", again, problems)
		}
		if v := second.Eval(r, &Input{Now: noon}); v != got {
			t.Fatalf("%s is %s, then %s", when, got, v)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		m = nil
		d = json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		back, err := record.Decode(m)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if v := c.Eval(back, &Input{Now: noon}); v != got {
			t.Fatalf("%s is %s of %s, then %s of %s", when, got, text, v, data)
		}
	})
}

func fuzzNode(text string) (document.Node, bool) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	n, err := readNode(d)
	return n, err == nil
}

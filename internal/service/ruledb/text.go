package ruledb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Text returns the rule as policies write it, in JSON. What a reader would not see in a
// text is escaped. A condition that is no JSON is a text.
func (r Row) Text() string {
	o := object{first: true}
	o.text("id", &r.ID)
	o.text("label", r.Label)
	o.pairs("scope", []string{"plugin", "profile", "integration"}, r.ScopePluginID, r.ScopeProfileID, r.ScopeIntegrationID)
	if r.Priority != 0 {
		o.add("priority", r.Priority)
	}
	if r.Enabled == 0 {
		o.add("enabled", false)
	}
	if r.Dialect != "pattern" {
		o.text("dialect", &r.Dialect)
	}
	if json.Valid([]byte(r.Source)) {
		o.add("when", json.RawMessage(r.Source))
	} else {
		o.add("when", r.Source)
	}
	o.add("decision", r.Decision)
	if r.ApproverAny != nil && r.ApproverPluginID != nil {
		o.add("approver", map[string]any{"any": *r.ApproverAny, "of": policy.Approvers(*r.ApproverPluginID)})
	} else {
		o.pairs("approver", []string{"plugin", "profile"}, r.ApproverPluginID, r.ApproverProfileID)
	}
	o.duration("timeout", r.TimeoutMS, time.Millisecond)
	if r.OnTimeout != nil && *r.OnTimeout != "deny" {
		o.text("on_timeout", r.OnTimeout)
	}
	o.text("model", r.LLMModel)
	o.text("prompt", r.LLMPrompt)
	o.duration("cache_ttl", r.LLMCacheTTLS, time.Second)
	if r.LLMFailClosed != nil && *r.LLMFailClosed == 0 {
		o.add("fail_closed", false)
	}
	o.text("reason", r.Reason)
	return o.String()
}

// An object is one of JSON that is being written.
type object struct {
	b     bytes.Buffer
	first bool
}

func (o *object) add(key string, v any) {
	if !o.first {
		o.b.WriteByte(',')
	}
	o.first = false
	text, ok := v.(json.RawMessage)
	if !ok {
		text, _ = strictjson.Marshal(v) // texts and numbers have a form in JSON
	}
	fmt.Fprintf(&o.b, "%q:%s", key, text)
}

func (o *object) text(key string, s *string) {
	if s != nil && *s != "" {
		o.add(key, *s)
	}
}

func (o *object) pairs(key string, names []string, values ...*string) {
	inner := object{first: true}
	for i, v := range values {
		inner.text(names[i], v)
	}
	if !inner.first {
		o.add(key, json.RawMessage("{"+inner.b.String()+"}"))
	}
}

func (o *object) duration(key string, n *int64, unit time.Duration) {
	if n != nil && *n != 0 {
		o.add(key, exchange.Duration(time.Duration(*n)*unit))
	}
}

// String returns the object on lines of their own.
func (o *object) String() string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte("{"+o.b.String()+"}"), "", "  "); err != nil {
		return o.b.String() // what was put in was valid
	}
	return visible(out.String())
}

// visible escapes in a text of JSON what a reader would not see, which stands only in
// strings there.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if !isHidden(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// isHidden reports whether a reader cannot tell a character from nothing, from a blank
// or from another order of the text. The script of the desk says the same.
func isHidden(r rune) bool {
	if r < 0x80 {
		return r == 0x7f
	}
	return !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) ||
		r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u2800' || r == unicode.ReplacementChar
}

// A Problem is something wrong with the text of a rule.
type Problem struct {
	// Line and Column count from 1, the column in characters; 0 where there is no place.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
	// Hint is the name that was probably meant, "" where none is near.
	Hint string `json:"hint"`
}

// policyOf is what makes a policy of a rule. It stands on the first line of the rule.
const policyOf = `{"version":1,"rules":[`

// parseText reads one rule as policies write it, in JSON.
func parseText(text string) (*pattern.Rule, []Problem) {
	if _, err := strictjson.Read([]byte(text), strictjson.Options{}); err != nil {
		_, err = config.Parse("rule.json", []byte(text)) // says it as policies do
		return nil, problemsOf(err)
	}
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return nil, []Problem{{Line: 1, Column: 1, Text: "a rule is one object: {\"id\": …, \"when\": …, \"decision\": …}"}}
	}
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "rule.json", Data: []byte(policyOf + text + "]}"), Admit: config.Everything})
	if err != nil {
		list := problemsOf(err)
		for i := range list {
			if list[i].Line == 1 {
				list[i].Column -= len(policyOf)
			}
		}
		return nil, list
	}
	return loaded.Rules[0].Rules[0], nil
}

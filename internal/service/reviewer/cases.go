package reviewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Case is a call of which a person knows what a reviewer should answer.
type Case struct {
	Name string
	// Expect is allow, ask or deny.
	Expect  string
	Request *approval.Request
}

// expectations are what a reviewer may answer, the strictest last.
var expectations = []string{"allow", "ask", "deny"}

// Got returns what an answer of a reviewer means, in the words of [Case.Expect].
func Got(a approval.Answer) string {
	switch {
	case a.Word.Approves():
		return "allow"
	case a.Word != "":
		return "deny"
	}
	return "ask"
}

// A draft is a case that is being read.
type draft struct {
	name, expect, command, dir, said, prompt, why string
	call                                          *document.Node
}

// caseKeys are the keys of a case.
var caseKeys = map[string]func(d *decoder, n *document.Node, c *draft){
	"name":    func(d *decoder, n *document.Node, c *draft) { c.name = d.text(n) },
	"expect":  func(d *decoder, n *document.Node, c *draft) { c.expect = d.word(n, expectations) },
	"command": func(d *decoder, n *document.Node, c *draft) { c.command = d.text(n) },
	"dir":     func(d *decoder, n *document.Node, c *draft) { c.dir = d.text(n) },
	"said":    func(d *decoder, n *document.Node, c *draft) { c.said = d.text(n) },
	"prompt":  func(d *decoder, n *document.Node, c *draft) { c.prompt = d.text(n) },
	"why":     func(d *decoder, n *document.Node, c *draft) { c.why = d.text(n) },
	"call":    func(_ *decoder, n *document.Node, c *draft) { c.call = n },
}

var caseNames = []string{"name", "expect", "command", "call", "dir", "said", "prompt", "why"}

// ReadCases reads a file of cases. The error has all that is wrong, each with its place.
func ReadCases(file string) ([]Case, error) {
	text, err := plainfile.Read(file, 4<<20)
	if err != nil {
		return nil, err
	}
	root, err := config.Parse(file, text)
	if err != nil {
		return nil, err
	}
	d := &decoder{file: file}
	var out []Case
	if root.Kind != document.Null {
		for k, v := range d.mapping(&root) {
			if k.Text != "cases" {
				d.unknown(k, "key", k.Text, []string{"cases"})
				continue
			}
			if v.Kind != document.List {
				d.fail(v, "expected a list")
				continue
			}
			for i := range v.Items {
				out = append(out, d.oneCase(&v.Items[i]))
			}
		}
	}
	if len(out) == 0 && len(d.found) == 0 {
		return nil, fmt.Errorf("%s: it has no cases: list them below cases", file)
	}
	return out, d.err()
}

// oneCase reads a case.
func (d *decoder) oneCase(n *document.Node) Case {
	c := draft{dir: "/work"}
	before := len(d.found)
	for k, v := range d.mapping(n) {
		set := caseKeys[k.Text]
		if set == nil {
			d.unknown(k, "key of a case", k.Text, caseNames)
			continue
		}
		set(d, v, &c)
	}
	if len(d.found) > before {
		return Case{}
	}
	call, err := c.policyCall()
	switch {
	case c.expect == "":
		d.fail(n, "expect is missing: write %s", strings.Join(expectations, ", "))
		return Case{}
	case err != nil:
		d.fail(n, "%v", err)
		return Case{}
	}
	r, err := c.request(call)
	if err != nil {
		d.fail(n, "%v", err)
	}
	if c.name == "" {
		c.name = approval.TitleOf(call)
	}
	return Case{c.name, c.expect, r}
}

// policyCall returns the call of a case.
func (c *draft) policyCall() (*policy.Call, error) {
	if (c.command == "") == (c.call == nil) {
		return nil, errors.New("a case has a command or a call: write one of them")
	}
	if c.command != "" {
		return policy.Shell(c.command, c.dir), nil
	}
	text, err := json.Marshal(c.call)
	if err != nil {
		return nil, fmt.Errorf("call: %w", err)
	}
	call, err := policy.DecodeCall(text)
	if err != nil {
		return nil, fmt.Errorf("call: %w", err)
	}
	return call, nil
}

// request returns a request of the case, as a service would have it.
func (c *draft) request(call *policy.Call) (*approval.Request, error) {
	text, err := policy.EncodeCall(call)
	if err != nil {
		return nil, fmt.Errorf("call: %w", err)
	}
	why := c.why
	if why == "" {
		why = "a rule leaves it to a language model"
	}
	return &approval.Request{
		ID: "case", Kind: approval.KindCall, Submitter: "case", Call: text, Tool: call.Tool, Said: c.said,
		Asked: approval.Asked{Why: why, Prompt: c.prompt, Review: &approval.ReviewTerms{FailClosed: true}},
	}, nil
}

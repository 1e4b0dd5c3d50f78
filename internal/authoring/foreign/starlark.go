package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A starlark reads a file of rules. It runs nothing: a rule whose values are not
// written out cannot be read.
type starlark struct {
	source *Source
	in     *draft.Input
	// values are texts and lists of texts with a name.
	values map[string][]string
	known  int
}

// file reads a text that begins behind some lines of its file. Of a text that
// is no Starlark as a whole, each statement is read alone.
func (r *starlark) file(text string, line int) {
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}
	f, err := options.Parse(r.source.Path, text, 0)
	if err == nil {
		for _, stmt := range f.Stmts {
			r.statement(stmt, line)
		}
		return
	}
	parts := statements(text)
	if len(parts) == 1 {
		why := "it is no Starlark"
		if e := (syntax.Error{}); errors.As(err, &e) {
			why = e.Msg
		}
		r.values = make(map[string][]string) // of which this may have changed one
		r.leave(strings.TrimSpace(text), line+1, why, onlyAllows(text))
		return
	}
	for _, part := range parts {
		r.file(part.text, line+part.line)
	}
}

// onlyAllows reports whether a text that cannot be read shows that it allows.
func onlyAllows(text string) bool {
	for _, refusing := range []string{"forbidden", "prompt", "deny"} {
		if strings.Contains(text, refusing) {
			return false
		}
	}
	return !strings.Contains(text, "decision") || strings.Contains(text, `"allow`) || strings.Contains(text, "'allow")
}

// A part is a statement, with the number of lines before it.
type part struct {
	text string
	line int
}

// statements divides a text at the lines that begin a statement.
func statements(text string) []part {
	var out []part
	for i, line := range strings.SplitAfter(text, "\n") {
		first := strings.TrimRight(line, "\r\n")
		begins := first != "" && !strings.ContainsAny(first[:1], " \t)]}#")
		if begins || len(out) == 0 {
			out = append(out, part{line: i})
		}
		out[len(out)-1].text += line
	}
	return slices.DeleteFunc(out, func(p part) bool { return onlyComments(p.text) })
}

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// leave notes that a statement is left out.
func (r *starlark) leave(text string, line int, why string, allows bool) {
	leave(r.in, r.source, clipped(text), line, why, allows)
}

func (r *starlark) statement(stmt syntax.Stmt, line int) {
	at, _ := stmt.Span()
	line += int(at.Line)
	switch s := stmt.(type) {
	case *syntax.AssignStmt:
		r.assign(s)
		return
	case *syntax.ExprStmt:
		if call, ok := s.X.(*syntax.CallExpr); ok {
			r.call(call, line)
			return
		}
		if _, ok := s.X.(*syntax.Literal); ok {
			return // a text that stands alone is a comment
		}
	case *syntax.LoadStmt:
		r.leave("load", line, "the import reads no other file", false)
		return
	}
	r.values = make(map[string][]string) // of which this may change one
	r.leave(fmt.Sprintf("the statement in line %d", line), line, "it computes: write each rule out", false)
}

// assign gives a text, or a list of texts, a name. What else is assigned is
// unknown.
func (r *starlark) assign(s *syntax.AssignStmt) {
	name, ok := s.LHS.(*syntax.Ident)
	if !ok {
		r.values = make(map[string][]string)
		return
	}
	texts, list, ok := r.texts(s.RHS)
	if !ok || s.Op != syntax.EQ || list && len(texts) < 2 {
		delete(r.values, name.Name)
		return
	}
	r.values[name.Name] = texts
}

// call reads a call of a function.
func (r *starlark) call(c *syntax.CallExpr, line int) {
	name, _ := c.Fn.(*syntax.Ident)
	if name == nil {
		r.values = make(map[string][]string)
		r.leave("a call", line, "its function has no name", false)
		return
	}
	args, wrong := arguments(name.Name, c.Args)
	r.known++
	if wrong != "" {
		r.leave(name.Name, line, wrong, false)
		return
	}
	switch name.Name {
	case "prefix_rule":
		r.prefix(args, line)
	case "network_rule":
		r.network(args, line)
	case "host_executable":
		r.in.Note("host_executable", "", place(line, r.source)+"policyctl trusts the directories of programs that it knows")
	default:
		r.leave(name.Name+"(…)", line, "Codex has no such rule that the import knows", false)
	}
}

// codexDecisions are the decisions of rules.
var codexDecisions = map[string]policy.Decision{"allow": policy.Allow, "prompt": policy.Ask, "forbidden": policy.Deny, "deny": policy.Deny}

// decision returns the decision of a rule, which allows unless it says otherwise.
func (r *starlark) decision(args map[string]syntax.Expr) (policy.Decision, string) {
	x := args["decision"]
	if x == nil {
		return policy.Allow, ""
	}
	texts, list, ok := r.texts(x)
	if !ok || list {
		return policy.Deny, "its decision is not written out"
	}
	d, known := codexDecisions[texts[0]]
	if !known {
		return policy.Deny, fmt.Sprintf("its decision is %q: write allow, prompt or forbidden", texts[0])
	}
	return d, ""
}

// prefix reads a prefix_rule.
func (r *starlark) prefix(args map[string]syntax.Expr, line int) {
	decision, wrong := r.decision(args)
	words, why := r.pattern(args["pattern"])
	if wrong != "" {
		why = wrong
	}
	text := "prefix_rule"
	if len(words) > 0 {
		text = "prefix_rule " + prefixText(words)
	}
	if why != "" {
		r.leave(text, line, why, wrong == "" && decision == policy.Allow)
		return
	}
	for _, prefix := range combined(words) {
		if slices.ContainsFunc(prefix, draft.Hidden) {
			r.leave(text, line, "it has characters that cannot be seen", decision == policy.Allow)
			continue
		}
		if slices.ContainsFunc(prefix, func(w string) bool { return w == "" || strings.ContainsAny(w, " \t\n") }) && decision == policy.Allow {
			r.leave(text, line, "policyctl compares words, of which one has blanks here", true)
			continue
		}
		e := draft.Entry{Action: decision, Text: text, Tool: "Bash", Spec: prefixSpec(prefix)}
		r.in.Add(e)
	}
}

// prefixSpec returns the pattern of commands that begin with words.
func prefixSpec(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, escapedStars(w))
	}
	return strings.Join(quoted, " ") + " *"
}

// escapedStars returns a text as a pattern in which a star is a star.
func escapedStars(w string) string { return strings.NewReplacer(`\`, `\\`, "*", `\*`).Replace(w) }

// prefixText returns a pattern as people read it.
func prefixText(words [][]string) string {
	var parts []string
	for _, alternatives := range words {
		parts = append(parts, strings.Join(alternatives, "|"))
	}
	return clipped(strings.Join(parts, " "))
}

// combined returns every way to choose one alternative for each word, up to a
// bound.
func combined(words [][]string) [][]string {
	out := [][]string{nil}
	for _, alternatives := range words {
		var next [][]string
		for _, before := range out {
			for _, w := range alternatives {
				next = append(next, append(slices.Clone(before), w))
			}
		}
		out = next
	}
	return out
}

// pattern returns the words of a pattern, each with its alternatives, or why it
// cannot be read.
func (r *starlark) pattern(x syntax.Expr) (words [][]string, why string) {
	if name, ok := x.(*syntax.Ident); ok {
		for _, w := range r.values[name.Name] {
			words = append(words, []string{w})
		}
	}
	list, ok := x.(*syntax.ListExpr)
	if !ok && len(words) == 0 {
		return nil, "its pattern is not written out as a list"
	}
	ways := 1
	if ok {
		for _, item := range list.List {
			alternatives, _, ok := r.texts(item)
			if !ok || len(alternatives) == 0 {
				return words, "a word of its pattern is neither a text nor a list of texts"
			}
			words = append(words, alternatives)
			ways *= len(alternatives)
		}
	}
	switch {
	case len(words) == 0:
		return nil, "its pattern is empty"
	case ways > 500:
		return words, "its pattern has too many alternatives: write several rules"
	}
	return words, ""
}

// texts returns what an expression is: one text, or a list of texts.
func (r *starlark) texts(x syntax.Expr) (texts []string, list, ok bool) {
	switch x := x.(type) {
	case *syntax.Literal:
		text, ok := x.Value.(string)
		return []string{text}, false, ok && x.Token == syntax.STRING
	case *syntax.ParenExpr:
		return r.texts(x.X)
	case *syntax.Ident:
		texts, ok = r.values[x.Name]
		return texts, len(texts) != 1, ok
	case *syntax.ListExpr:
		for _, item := range x.List {
			one, nested, ok := r.texts(item)
			if !ok || nested {
				return nil, true, false
			}
			texts = append(texts, one...)
		}
		return texts, true, true
	}
	return nil, false, false
}

// network reads a network_rule, which says what commands may reach.
func (r *starlark) network(args map[string]syntax.Expr, line int) {
	decision, why := r.decision(args)
	hosts, list, ok := r.texts(args["host"])
	switch {
	case !ok || list:
		r.leave("network_rule", line, "its host is not written out", why == "" && decision == policy.Allow)
	case why != "":
		r.leave("network_rule "+clipped(hosts[0]), line, why, false)
	case decision == policy.Allow:
		r.leave("network_rule "+clipped(hosts[0]), line, "it concerns the sandbox alone; commands that reach the host ask", true)
	default:
		r.in.Add(draft.Entry{Action: decision, Text: "network_rule " + clipped(hosts[0]), Tool: "WebFetch", Spec: "domain:" + hosts[0]})
	}
}

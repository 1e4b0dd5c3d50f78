package install

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// In a file of TOML our hooks stand at the end, between two comments.
const (
	blockBegin = "# policyctl: begin"
	blockEnd   = "# policyctl: end\n"
)

// blockBegins matches the first line of our block.
var blockBegins = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^` + blockBegin + `.*\n`) })

// withBlock returns the text of TOML with our block at its end.
func (r *Request) withBlock(text, block string) (string, error) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return "", errorAt(text, len(text), "the last line does not end: add a line break")
	}
	scope := ""
	if r.Scope != User {
		scope = " --scope " + string(r.Scope)
	}
	return fmt.Sprintf("%s%s, written by policyctl install %s%s\n%s%s", text, blockBegin, r.Agent.Name, scope, block, blockEnd), nil
}

// withoutBlock returns the text of TOML without our block.
func withoutBlock(text string) (string, error) {
	at := blockBegins().FindStringIndex(text)
	if at == nil {
		return text, nil
	}
	_, after, ended := strings.Cut(text[at[1]:], blockEnd)
	if !ended {
		return "", errorAt(text, at[0], "the end of policyctl's hook is missing, a line %q: remove the hook by hand", strings.TrimSpace(blockEnd))
	}
	return text[:at[0]] + after, nil
}

// tableOf writes the keys of a table of TOML.
func tableOf(o object) string {
	var b strings.Builder
	for _, p := range o {
		value := compact(p.value)
		if s, ok := p.value.(string); ok {
			value = quoteTOML(s)
		}
		fmt.Fprintf(&b, "%s = %s\n", p.key, value)
	}
	return b.String()
}

// addTables returns a configuration with a table [[hooks]] for each event at its end.
func (r *Request) addTables(text string) (string, error) {
	bare, err := withoutBlock(text)
	if err != nil {
		return "", err
	}
	var tables []string
	for _, e := range r.Agent.events {
		tables = append(tables, "[[hooks]]\n"+tableOf(append(object{{"event", e.name}}, r.wanted(e)...)))
	}
	after, err := r.withBlock(bare, strings.Join(tables, "\n"))
	if err != nil {
		return "", err
	}
	return after, r.readsOurs(hooksTOML, after)
}

// readsOurs returns an error unless a text of TOML has exactly one hook of ours for
// each event.
func (r *Request) readsOurs(f form, text string) error {
	settings, err := asSettings(f, text)
	if err != nil {
		return err
	}
	d, err := parse(settings)
	if err != nil {
		return err
	}
	if n := len(r.Agent.allOurs(d)); n != len(r.Agent.events) {
		return errors.New("it has hooks of policyctl that install did not write, or hooks in another form: remove them and try again")
	}
	return nil
}

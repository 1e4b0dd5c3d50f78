package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Codex reads hooks of the organisation from TOML. Ours stand at the end of
// the file, between two comments. With hooks = true under features the user
// cannot turn them off.
const (
	blockBegin = "# policyctl: begin, written by policyctl install codex --scope managed\n"
	blockEnd   = "# policyctl: end\n"
	pinLine    = "hooks = true # policyctl\n"
	pinHeader  = "[features]\n"
)

// asSettings returns the hooks of TOML text as settings in JSON. What is not
// written as tables ([[hooks.EVENT]]) is not read.
func asSettings(text string) (string, error) {
	all, err := statements(text)
	if err != nil {
		return "", err
	}
	type group struct {
		Matcher string           `json:"matcher,omitempty"`
		Hooks   []map[string]any `json:"hooks"`
	}
	events := map[string][]*group{}
	for _, st := range all {
		if len(st.path) < 2 || st.path[0] != hooksKey {
			continue
		}
		event := st.path[1]
		groups := events[event]
		switch {
		case st.header && st.array && len(st.path) == 2:
			events[event] = append(groups, &group{Hooks: []map[string]any{}})
		case len(groups) == 0: // another form
		case st.header && st.array && len(st.path) == 3 && st.path[2] == "hooks":
			last := groups[len(groups)-1]
			last.Hooks = append(last.Hooks, map[string]any{})
		case !st.header && len(st.path) == 3 && st.path[2] == "matcher":
			groups[len(groups)-1].Matcher = st.text
		case !st.header && len(st.path) == 4 && st.path[2] == "hooks":
			if hooks := groups[len(groups)-1].Hooks; len(hooks) > 0 {
				hooks[len(hooks)-1][st.path[3]] = fromTOML(st)
			}
		}
	}
	out, err := json.Marshal(map[string]any{"hooks": events})
	return string(out), err
}

// unread reports whether TOML text has hooks that asSettings passes over.
func unread(text string) bool {
	all, err := statements(text)
	return err == nil && slices.ContainsFunc(all, func(st statement) bool {
		return st.path[0] == hooksKey && !st.header && (strings.HasPrefix(st.value, "{") || strings.HasPrefix(st.value, "["))
	})
}

// fromTOML returns a value that JSON has too; others stay text.
func fromTOML(st statement) any {
	if n, err := strconv.ParseInt(strings.ReplaceAll(st.value, "_", ""), 10, 64); err == nil {
		return n
	}
	if st.value == "true" || st.value == "false" {
		return st.value == "true"
	}
	return st.text
}

// pinned reports whether TOML text keeps the user from turning hooks off.
func pinned(text string) bool {
	all, err := statements(text)
	return err == nil && slices.ContainsFunc(all, func(st statement) bool {
		return slices.Equal(st.path, []string{"features", "hooks"}) && st.value == "true"
	})
}

// require returns the requirements of Codex with the hook at their end.
func (r *Request) require(text string) (string, error) {
	bare, err := r.unrequire(text)
	if err != nil {
		return "", err
	}
	if bare, err = pin(bare); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(bare)
	if bare != "" && !strings.HasSuffix(bare, "\n") {
		return "", errorAt(bare, len(bare), "the last line does not end: add a line break")
	}
	b.WriteString(blockBegin)
	if !pinned(bare) {
		b.WriteString(pinHeader + "hooks = true\n\n")
	}
	for i, e := range r.Agent.events {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "[[hooks.%s]]\n\n[[hooks.%[1]s.hooks]]\n", e.name)
		for _, p := range r.wanted(e) {
			value := compact(p.value)
			if s, ok := p.value.(string); ok {
				value = quoteTOML(s)
			}
			fmt.Fprintf(&b, "%s = %s\n", p.key, value)
		}
	}
	b.WriteString(blockEnd)
	after := b.String()
	return after, r.readsOurs(after)
}

// readsOurs returns an error unless the text has exactly one hook of ours for
// each event.
func (r *Request) readsOurs(text string) error {
	settings, err := asSettings(text)
	if err != nil {
		return err
	}
	d, err := parse(settings)
	if err != nil {
		return err
	}
	if n := len(r.Agent.allOurs(d)); n != len(r.Agent.events) {
		return errors.New("it has hooks of policyctl that install did not write, or hooks in another form than [[hooks.EVENT]]: remove them and try again")
	}
	return nil
}

// pin returns the requirements in which the features, if they stand there
// already, keep hooks on.
func pin(text string) (string, error) {
	all, err := statements(text)
	if err != nil {
		return "", err
	}
	for _, st := range all {
		switch {
		case st.path[0] == hooksKey && len(st.path) == 1 && (!st.header || st.array), st.path[0] == "features" && len(st.path) == 1 && !st.header:
			return "", errorAt(text, st.from, "%s is written in a form that cannot be edited here: write it as the table [%[1]s]", st.path[0])
		case slices.Equal(st.path, []string{"features", "hooks"}) && st.value != "true":
			return "", errorAt(text, st.from, "hooks are turned off under features: remove it")
		}
	}
	if pinned(text) {
		return text, nil
	}
	for _, st := range all {
		if st.header && slices.Equal(st.path, []string{"features"}) {
			line := strings.IndexByte(text[st.to:], '\n')
			if line < 0 {
				return "", errorAt(text, len(text), "the last line does not end: add a line break")
			}
			at := st.to + line + 1
			return text[:at] + pinLine + text[at:], nil
		}
	}
	return text, nil
}

// unrequire returns the requirements without what require has added.
func (r *Request) unrequire(text string) (string, error) {
	if before, rest, found := strings.Cut(text, blockBegin); found {
		_, after, ended := strings.Cut(rest, blockEnd)
		if !ended {
			return "", errorAt(text, len(before), "the end of policyctl's hook is missing, a line %q: remove the hook by hand", strings.TrimSpace(blockEnd))
		}
		text = before + after
	}
	if i := strings.Index("\n"+text, "\n"+pinLine); i >= 0 {
		text = text[:i] + text[i+len(pinLine):]
	}
	return text, nil
}

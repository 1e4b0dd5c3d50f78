package install

import (
	"fmt"
	"slices"
	"strings"
)

// Codex reads hooks of the organisation from TOML. Ours stand at the end of
// the file, between two comments. With hooks = true under features the user
// cannot turn them off.
const (
	pinLine   = "hooks = true # policyctl\n"
	pinHeader = "[features]\n"
)

// unread reports whether TOML text has hooks that asSettings passes over.
func unread(text string) bool {
	all, err := statements(text)
	return err == nil && slices.ContainsFunc(all, func(st statement) bool {
		return st.path[0] == hooksKey && !st.header && (strings.HasPrefix(st.value, "{") || strings.HasPrefix(st.value, "["))
	})
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
	if !pinned(bare) {
		b.WriteString(pinHeader + "hooks = true\n\n")
	}
	for i, e := range r.Agent.events {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "[[hooks.%s]]\n\n[[hooks.%[1]s.hooks]]\n", e.name)
		b.WriteString(tableOf(r.wanted(e)))
	}
	after, err := r.withBlock(bare, b.String())
	if err != nil {
		return "", err
	}
	return after, r.readsOurs(requirements, after)
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
	text, err := withoutBlock(text)
	if err != nil {
		return "", err
	}
	if i := strings.Index("\n"+text, "\n"+pinLine); i >= 0 {
		text = text[:i] + text[i+len(pinLine):]
	}
	return text, nil
}

package claude

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// settings are the permissions of a settings file.
type settings struct {
	allow, ask, deny []rule
	mode             string
	directories      []string
	others           []string // keys of the permissions that have no counterpart
	notes            []Note   // of entries that cannot be read
}

// A list is the rules of one action.
type list struct {
	action policy.Decision
	rules  []rule
}

// lists returns the rules, strictest first.
func (s *settings) lists() []list {
	return []list{{policy.Deny, s.deny}, {policy.Ask, s.ask}, {policy.Allow, s.allow}}
}

// permissionKeys are the keys that are imported, and those that only tighten
// what is not imported.
var permissionKeys = []string{"allow", "ask", "deny", "defaultMode", "additionalDirectories"}

var inertKeys = []string{"disableBypassPermissionsMode", "disableAutoMode", "skipDangerousModePermissionPrompt", "skipAutoPermissionPrompt"}

// permissions reads what matters of the settings.
func (r reader) permissions(top *strictjson.Node) (*settings, error) {
	if err := r.misspelt(top, []string{"permissions"}); err != nil {
		return nil, err
	}
	o := top.Get("permissions")
	if o == nil {
		return nil, fmt.Errorf("%s: has no permissions: nothing to import", r)
	}
	if o.Kind != '{' {
		return nil, r.fail(o, "permissions is not an object: write {\"allow\": […], \"ask\": […], \"deny\": […]}")
	}
	if err := r.misspelt(o, append(append([]string{}, permissionKeys...), inertKeys...)); err != nil {
		return nil, err
	}
	s := &settings{}
	for i := range o.Keys {
		if err := r.permission(s, o.Keys[i].Text, &o.Items[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r reader) permission(s *settings, key string, n *strictjson.Node) (err error) {
	switch key {
	case "allow":
		s.allow, err = r.rules(s, policy.Allow, n)
	case "ask":
		s.ask, err = r.rules(s, policy.Ask, n)
	case "deny":
		s.deny, err = r.rules(s, policy.Deny, n)
	case "additionalDirectories":
		s.directories, err = r.texts(n, key)
	case "defaultMode":
		if n.Kind != '"' {
			return r.fail(n, "defaultMode is not a string: write one of %s", strings.Join(modes, ", "))
		}
		s.mode, err = r.modeName(n)
	default:
		s.others = append(s.others, key)
	}
	return err
}

// misspelt refuses a key that is almost one of those that matter: what it
// holds would be lost.
func (r reader) misspelt(o *strictjson.Node, known []string) error {
	for i := range o.Keys {
		for _, k := range known {
			if key := o.Keys[i].Text; key != k && spelling.Distance(strings.ToLower(key), strings.ToLower(k)) <= min(2, len(k)/3) {
				return r.fail(&o.Keys[i], "unknown key %q: did you mean %s?", key, k)
			}
		}
	}
	return nil
}

func (r reader) texts(n *strictjson.Node, key string) ([]string, error) {
	if n.Kind != '[' {
		return nil, r.fail(n, "%s is not a list of strings", key)
	}
	var out []string
	for i := range n.Items {
		item := &n.Items[i]
		if item.Kind != '"' {
			return nil, r.fail(item, "an entry of %s is not a string", key)
		}
		out = append(out, item.Text)
	}
	return out, nil
}

// rules reads the rules of an action. One that cannot be read is left out, with a note; of a
// deny or an ask as much counts as can be.
func (r reader) rules(s *settings, action policy.Decision, n *strictjson.Node) ([]rule, error) {
	if n.Kind != '[' {
		return nil, r.fail(n, "the rules are not a list: write [\"Bash(npm test)\", …]")
	}
	var out []rule
	for i := range n.Items {
		item := &n.Items[i]
		text, err := item.Text, errors.New("is no string")
		parsed := rule{text: text}
		if item.Kind == '"' {
			parsed, err = parseRule(text)
		} else {
			text = fmt.Sprintf("entry %d of the list", i+1)
		}
		if err == nil {
			out = append(out, parsed)
			continue
		}
		place := fmt.Sprintf("line %d of %s: it %v", item.Line, r, err)
		mended, ok := mend(parsed)
		switch {
		case action == policy.Allow:
			s.notes = append(s.notes, Note{action.String() + " " + visible(text), "", "stricter: left out; " + place})
		case item.Kind == '"' && ok:
			out = append(out, mended)
			s.notes = append(s.notes, Note{action.String() + " " + visible(text), "what can be read of it", place})
		default:
			s.notes = append(s.notes, Note{action.String() + " " + visible(text), "", "LOOSER: left out; " + place})
		}
	}
	return out, nil
}

// hidden reports whether a text has characters that a reader does not see.
func hidden(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool {
		return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
	})
}

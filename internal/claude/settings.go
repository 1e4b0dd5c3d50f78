package claude

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/spelling"
	"github.com/policyctl/policyctl/pkg/policy"
)

// settings are the permissions of a settings file.
type settings struct {
	allow, ask, deny []rule
	mode             string
	directories      []string
	others           []string // keys of the permissions that have no counterpart
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
func (r *reader) permissions(top *object) (*settings, error) {
	if err := r.misspelt(top, []string{"permissions"}); err != nil {
		return nil, err
	}
	n, ok := top.nodes["permissions"]
	if !ok {
		return nil, fmt.Errorf("%s: has no permissions: nothing to import", r.source.Name)
	}
	o, ok := n.value.(*object)
	if !ok {
		return nil, r.fail(n.at, "permissions is no object: write {\"allow\": […], \"ask\": […], \"deny\": […]}")
	}
	if err := r.misspelt(o, append(append([]string{}, permissionKeys...), inertKeys...)); err != nil {
		return nil, err
	}
	s := &settings{}
	for _, key := range o.keys {
		if err := r.permission(s, key, o.nodes[key]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r *reader) permission(s *settings, key string, n node) (err error) {
	switch key {
	case "allow":
		s.allow, err = r.rules(n)
	case "ask":
		s.ask, err = r.rules(n)
	case "deny":
		s.deny, err = r.rules(n)
	case "additionalDirectories":
		s.directories, err = r.texts(n, key)
	case "defaultMode":
		text, ok := n.value.(string)
		if !ok {
			return r.fail(n.at, "defaultMode is no text: write one of %s", strings.Join(modes, ", "))
		}
		s.mode, err = r.modeName(n.at, text)
	default:
		s.others = append(s.others, key)
	}
	return err
}

// misspelt refuses a key that is almost one of those that matter: what it
// holds would be lost.
func (r *reader) misspelt(o *object, known []string) error {
	for _, key := range o.keys {
		for _, k := range known {
			if key != k && spelling.Distance(strings.ToLower(key), strings.ToLower(k)) <= min(2, len(k)/3) {
				return r.fail(o.places[key], "unknown key %q: did you mean %s?", key, k)
			}
		}
	}
	return nil
}

func (r *reader) texts(n node, key string) ([]string, error) {
	items, ok := n.value.([]node)
	if !ok {
		return nil, r.fail(n.at, "%s is no list of texts", key)
	}
	var out []string
	for _, item := range items {
		text, ok := item.value.(string)
		if !ok {
			return nil, r.fail(item.at, "an entry of %s is no text", key)
		}
		out = append(out, text)
	}
	return out, nil
}

func (r *reader) rules(n node) ([]rule, error) {
	items, ok := n.value.([]node)
	if !ok {
		return nil, r.fail(n.at, "the rules are no list: write [\"Bash(npm test)\", …]")
	}
	var out []rule
	for _, item := range items {
		text, ok := item.value.(string)
		if !ok {
			return nil, r.fail(item.at, "a rule is no text: write it as \"Bash(npm test)\"")
		}
		parsed, err := parseRule(text)
		if err != nil {
			return nil, r.fail(item.at, "the rule %q %v", text, err)
		}
		out = append(out, parsed)
	}
	return out, nil
}

// hidden says whether a text has characters that a reader does not see.
func hidden(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool {
		return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
	})
}

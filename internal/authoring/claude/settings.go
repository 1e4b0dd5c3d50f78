package claude

import (
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// settings are the permissions of a settings file.
type settings struct {
	allow, ask, deny []draft.Entry
	mode             *mode
	modeKey          string
	directories      []string
	others           []string     // keys of the permissions that have no counterpart
	notes            []draft.Note // of entries that cannot be read
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
	s := &settings{}
	older, err := r.older(s, top)
	if err != nil {
		return nil, err
	}
	o := top.Get("permissions")
	if o == nil && older {
		return s, nil
	}
	if o == nil {
		return nil, fmt.Errorf("%s: has no permissions: %w", r, draft.ErrNothing)
	}
	if o.Kind != '{' {
		return nil, r.fail(o, "permissions is not an object: write {\"allow\": […], \"ask\": […], \"deny\": […]}")
	}
	if err := r.misspelt(o, append(append([]string{}, permissionKeys...), inertKeys...)); err != nil {
		return nil, err
	}
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
		err = r.more(s, policy.Allow, n, &s.allow)
	case "ask":
		err = r.more(s, policy.Ask, n, &s.ask)
	case "deny":
		err = r.more(s, policy.Deny, n, &s.deny)
	case "additionalDirectories":
		s.directories, err = r.texts(n, key)
	case "defaultMode":
		if n.Kind != '"' {
			return r.fail(n, "defaultMode is not a string: write default, plan or another mode")
		}
		s.modeKey = key
		s.mode, err = r.modeName(n, key)
	default:
		s.others = append(s.others, key)
	}
	return err
}

// more adds the rules of a list to those of an action.
func (r reader) more(s *settings, action policy.Decision, n *strictjson.Node, to *[]draft.Entry) error {
	rules, err := r.rules(s, action, n)
	*to = append(*to, rules...)
	return err
}

// older reads what stands outside the permissions, and reports whether there is any.
func (r reader) older(s *settings, top *strictjson.Node) (found bool, err error) {
	for _, list := range r.form.lists {
		n := at(top, list.path)
		if n == nil {
			continue
		}
		to := &s.allow
		if list.action == policy.Deny {
			to = &s.deny
		}
		if err := r.more(s, list.action, n, to); err != nil {
			return false, err
		}
		found = true
	}
	if n := at(top, r.form.modeKey); n != nil {
		s.modeKey, found = r.form.modeKey[len(r.form.modeKey)-1], true
		s.mode, err = r.modeName(n, s.modeKey)
	}
	return found, err
}

// at returns the value to which a path of keys leads, nil where there is none.
func at(n *strictjson.Node, path []string) *strictjson.Node {
	if len(path) == 0 {
		return nil
	}
	for _, key := range path {
		if n == nil || n.Kind != '{' {
			return nil
		}
		n = n.Get(key)
	}
	return n
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
func (r reader) rules(s *settings, action policy.Decision, n *strictjson.Node) ([]draft.Entry, error) {
	if n.Kind != '[' {
		return nil, r.fail(n, "the rules are not a list: write [\"Bash(npm test)\", …]")
	}
	var out []draft.Entry
	for i := range n.Items {
		item := &n.Items[i]
		text, err := item.Text, errors.New("is no string")
		parsed := draft.Entry{Action: action, Text: text}
		if item.Kind == '"' {
			err = r.parse(&parsed)
		} else {
			text = fmt.Sprintf("entry %d of the list", i+1)
		}
		if err == nil {
			out = append(out, parsed)
			continue
		}
		note := draft.Note{Entry: action.String() + " " + draft.Visible(text)}
		place := fmt.Sprintf("line %d of %s: it %v", item.Line, r, err)
		mended, ok := r.mend(parsed)
		switch {
		case action == policy.Allow:
			note.Differs = "stricter: left out; " + place
		case item.Kind == '"' && ok:
			out = append(out, mended)
			note.Becomes, note.Differs = "what can be read of it", place
		default:
			note.Differs = "LOOSER: left out; " + place
		}
		s.notes = append(s.notes, note)
	}
	return out, nil
}

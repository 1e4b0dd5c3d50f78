package readonly

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/sensitive"
)

// ordinary reports whether a directory lies in the home directory apart from
// where secrets have their places there, and is none itself. It is a quicker
// answer than that of [sensitive.MayFind] for most projects.
func (v *attempt) ordinary(dir string) bool {
	rest, ok := strings.CutPrefix(dir, v.p.Home)
	if !ok || v.p.Home == "" || len(rest) < 2 || rest[0] != '/' || strings.ContainsAny(rest, `*?[]\`) || strings.Contains(rest, "/.") {
		return false
	}
	top, _, _ := strings.Cut(rest[1:], "/")
	if places := tops(); places[""] || places[strings.ToLower(top)] {
		return false
	}
	_, secret := sensitive.FindRole(dir, v.p.Home, sensitive.Secret)
	return !secret && strings.HasPrefix(v.p.Home, "/home/") && strings.Count(v.p.Home, "/") == 2
}

// tops returns the first elements of the places in a home directory that hold
// secrets, in lower case, "" for one that is a pattern.
var tops = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for _, e := range sensitive.Entries() {
		if e.Role&sensitive.Secret == 0 {
			continue
		}
		for _, p := range e.Patterns {
			rest, ok := strings.CutPrefix(p, "~/")
			if !ok && !strings.HasPrefix(p, "/home") && !strings.HasPrefix(p, "/*") {
				continue
			}
			top, _, _ := strings.Cut(rest, "/")
			if !ok || strings.ContainsAny(top, `*?[\`) {
				top = ""
			}
			out[strings.ToLower(top)] = true
		}
	}
	return out
})

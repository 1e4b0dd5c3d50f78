package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// leads checks that no link leads from a path to a secret or to a device. A
// relative path is seen from every directory in which the line has been: a cd
// may fail.
func (v *attempt) leads(w *shell.Word) bool {
	if v.p.Real == nil || v.entry != nil && strings.HasPrefix(v.entry.Names, "ls ") {
		return true // listing is not reading
	}
	for _, dir := range v.been() {
		if w.Open && !v.leadsBelow(dir, w) {
			return false
		}
		for _, p := range raw(dir, w.Set) {
			if strings.HasPrefix(p, "/") && !harmlessFile(p) && !v.leadsFrom(p, w) {
				return false
			}
		}
	}
	return true
}

// leadsFrom checks where one absolute path leads, or what a pattern may match.
func (v *attempt) leadsFrom(p string, w *shell.Word) bool {
	if w.Glob {
		reals, ok := v.p.Links(p)
		if !ok {
			return v.failf(w.Span, "where links that match %s lead is unknown", p)
		}
		for _, real := range reals {
			if !v.harmlessAt(real, w) {
				return false
			}
		}
		return true
	}
	real, ok := v.p.Real(p)
	if !ok && v.p.Reads != nil {
		return true // it may lie outside of where reading is allowed, which is what counts then
	}
	if !ok {
		return v.failf(w.Span, "where %s leads is unknown", p)
	}
	return real == p || v.harmlessAt(real, w)
}

// harmlessAt checks the end of a link.
func (v *attempt) harmlessAt(real string, w *shell.Word) bool {
	if e, ok := sensitive.FindRole(real, v.p.Home, sensitive.Secret); ok {
		return v.failf(w.Span, "a link leads to a sensitive path: it %s", e.Why)
	}
	if isDevice(real) {
		return v.failf(w.Span, "a link leads to %s, a device", real)
	}
	return true
}

// leadsBelow checks the directory of a path of which the rest is unknown.
func (v *attempt) leadsBelow(dir shell.Set, w *shell.Word) bool {
	i := strings.LastIndexByte(w.Prefix, '/')
	if i <= 0 {
		return true
	}
	for _, p := range raw(dir, shell.Set{Values: []string{w.Prefix[:i]}}) {
		if real, ok := v.realDir(p); ok && !v.noSecretBelow(real, w) {
			return false
		}
	}
	return true
}

// realDir returns where a directory leads, if that is another one.
func (v *attempt) realDir(p string) (real string, moved bool) {
	if v.p.Real == nil || !strings.HasPrefix(p, "/") {
		return "", false
	}
	real, ok := v.p.Real(p)
	return real, ok && real != shell.Clean(p)
}

func (v *attempt) noSecretBelow(dir string, w *shell.Word) bool {
	if e, ok := sensitive.MayFind(strings.TrimSuffix(dir, "/")+"/**", v.p.Home, sensitive.Secret); ok {
		return v.failf(w.Span, "a path below %s %s", dir, e.Why)
	}
	return true
}

package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/backtrack"
)

// searchEnds checks that a search comes to an end whose engine goes back and tries again:
// that of -P.
func (v *attempt) searchEnds() bool {
	if !v.has("P", "perl-regexp", "pcre2", "auto-hybrid-regex") && !v.has("engine") {
		return true
	}
	tries := func(w *shell.Word) bool {
		for _, t := range w.Values {
			if backtrack.Explodes(t) {
				v.fail(w.Span, "the pattern may be tried without end")
				return v.instead("write it without a repetition in another, or use -E")
			}
		}
		return true
	}
	named := false
	for k := range v.c.Args.Options {
		if o := &v.c.Args.Options[k]; o.HasArg && isAny(o, "e regexp") {
			if named = true; !tries(&o.Arg) {
				return false
			}
		}
	}
	return named || len(v.args) == 0 || tries(&v.c.Words[v.args[0]])
}

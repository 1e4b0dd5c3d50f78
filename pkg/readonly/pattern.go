package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/backtrack"
)

// searchEnds checks that a search comes to an end whose engine goes back and tries again:
// that of -P, and any for a pattern that refers to what it has matched.
func (v *attempt) searchEnds() bool {
	perl := v.has("P", "perl-regexp", "pcre2", "auto-hybrid-regex") || v.has("engine")
	tries := func(w *shell.Word) bool {
		for _, t := range w.Values {
			if perl && backtrack.Explodes(t) || looksBack(t) {
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

// mostDigits is how long a number may be of which factor finds the parts soon: 64 bits.
const mostDigits = 20

// factorEnds checks that factor is given numbers, none of which is so long that its parts
// may not be found.
func factorEnds(v *attempt) bool {
	if len(v.args) == 0 {
		v.fail(v.c.Span, "the numbers that it reads are unknown, and a long one may take without end")
		return v.instead("write the number behind it")
	}
	for _, i := range v.args {
		w := &v.c.Words[i]
		if !all(w, func(t string) bool { return len(t) <= mostDigits }) {
			return v.fail(w.Span, "the parts of so long a number may be looked for without end")
		}
	}
	return true
}

// looksBack reports whether a basic or extended regular expression refers to what it has
// matched, and repeats more than once: such a one is tried in very many ways.
func looksBack(pattern string) bool {
	refers, repeats := false, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			refers = refers || pattern[i] >= '1' && pattern[i] <= '9'
			if strings.IndexByte("+{?", pattern[i]) >= 0 {
				repeats++
			}
		case strings.IndexByte("*+{", c) >= 0:
			repeats++
		}
	}
	return refers && repeats > 1
}

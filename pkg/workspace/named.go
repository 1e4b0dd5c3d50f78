package workspace

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// The words of which the names of options consist, so far as they say what becomes of the
// argument, whichever program has them.
const (
	// runningWords are of options whose argument is run, or loaded.
	runningWords = "exec command cmd hook hooks pager editor rsh plugin plugins require preload loader interpreter launcher wrapper"
	// hostWords are of options whose argument is asked, or told something.
	hostWords = "host server url uri registry endpoint proxy remote upstream"
	// denying words take back what follows them.
	denying = "no not skip without disable dry"
)

// named checks the options of a program of the project, of which nothing is known, by
// what their names say.
func (a *attempt) named(words []shell.Word) bool {
	for k := range words {
		if option, value, ok := optionAt(words, k); ok && !a.namedOption(option, value, words[k].Span) {
			return false
		}
	}
	return true
}

// optionAt returns the option at a word, with its dashes, and its argument: what is attached
// to it, or the word behind it unless that is an option.
func optionAt(words []shell.Word, k int) (option, value string, ok bool) {
	v, known := words[k].Literal()
	if !known || len(v) < 2 || v[0] != '-' {
		return "", "", false
	}
	option, value, attached := strings.Cut(v, "=")
	if !attached && k+1 < len(words) {
		if next, _ := words[k+1].Literal(); !strings.HasPrefix(next, "-") {
			value = next
		}
	}
	return option, value, true
}

func (a *attempt) namedOption(option, value string, span shell.Span) bool {
	t := targetOf(strings.TrimLeft(option, "-"))
	switch {
	case t.has(denying):
		return true
	case t.has("deploy publish upload"):
		return a.failed(span, "with "+option+" it may make something known to the world")
	case t.has(ruining+" "+removing) && (t.has(stored) || t.has("all") && t.has(ruining+" delete remove")):
		return a.failed(span, "with "+option+" it may destroy something, or change what others use")
	case value == "":
		return true
	case t.has(runningWords) && !strings.Contains(value, "/") && !program.HasWord("true false on off auto none 0 1", value):
		return a.failed(span, "with "+option+" it may run something other than a file of the project")
	case (t.has(runningWords) || program.TakesCode(option)) && strings.Trim(value, plainName+"/,:=@") != "":
		return a.failed(span, "the argument of "+option+" may be code")
	case t.has(hostWords) && strings.ContainsAny(value, ".:") && !isHere(value):
		return a.failed(span, "with "+option+" it may ask another host")
	}
	return true
}

// isHere reports whether a host, with or without what stands around it, is this machine.
func isHere(host string) bool {
	return isLoopback(host) || isLoopback("any://"+host) || host == "0.0.0.0"
}

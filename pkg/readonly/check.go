package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/sensitive"
	"github.com/policyctl/policyctl/pkg/shell"
)

// text returns the literal of operand k.
func (v *proving) text(k int) (string, shell.Span, bool) {
	if k >= len(v.args) {
		return "", v.c.Span, false
	}
	w := &v.c.Words[v.args[k]]
	t, ok := w.Literal()
	return t, w.Span, ok && !w.Many
}

// grepPattern looks at the paths again where a pattern was given with an
// option, so that the first operand is a path too.
func grepPattern(v *proving) bool {
	if !v.has("e", "regexp", "f", "file", "files") || len(v.args) == 0 {
		return true
	}
	return v.path(v.c.Words[v.args[0]])
}

// noPager keeps diff -l from running pr; for cmp it is harmless.
func noPager(v *proving) bool {
	if v.c.Name == "diff" && v.has("l") {
		return v.fail(v.c.Span, "the option -l of diff runs a program")
	}
	return true
}

// findExpression checks that what find runs is judged as a command of its own.
func findExpression(v *proving) bool {
	v.runs = v.has("exec", "execdir")
	if v.runs && !v.namesNoSecret() {
		return false
	}
	for _, i := range v.args {
		w := &v.c.Words[i]
		if w.Many || !w.Known() {
			continue
		}
		if t := w.Values[0]; strings.HasPrefix(t, "+") && t != "+" {
			return v.fail(w.Span, "the word is not known to be harmless")
		}
	}
	return true
}

// namesNoSecret checks the names that find looks for.
func (v *proving) namesNoSecret() bool {
	for i := range v.c.Args.Options {
		o := &v.c.Args.Options[i]
		if !o.Is("name") && !o.Is("iname") && !o.Is("path") && !o.Is("wholename") {
			continue
		}
		for _, t := range o.Arg.Values {
			if e, ok := sensitive.MayFind(t, v.p.Home, sensitive.Secret); ok {
				return v.failf(o.Arg.Span, "the name may be that of a file that %s", e.Why)
			}
		}
	}
	return true
}

// payloadProved says whether each command that this one runs is proved.
func (v *proving) payloadProved() bool {
	found := false
	for k := v.index + 1; k < len(v.line.Commands); k++ {
		if v.line.Commands[k].Parent != v.index {
			continue
		}
		found = true
		if proof := v.p.Prove(v.line, k); !proof.Proved {
			v.proof = proof
			return false
		}
	}
	if !found {
		return v.fail(v.c.Span, "what it runs is not known")
	}
	return true
}

// payload checks a wrapper.
func payload(v *proving) bool {
	if v.has("v", "V") && v.c.Name == "command" {
		return true
	}
	if v.c.Args.Payload == 0 {
		return v.fail(v.c.Span, "what it runs is not known")
	}
	for i := 1; i < v.c.Args.Payload; i++ {
		if w := &v.c.Words[i]; !w.Known() {
			return v.fail(w.Span, "an argument of the wrapper is not known")
		}
	}
	v.runs = true
	return true
}

// xargs checks that what it appends cannot become an option of what it runs.
func xargs(v *proving) bool {
	if v.c.Args.Payload == 0 {
		return v.fail(v.c.Span, "xargs without a command is not on the list")
	}
	for i := v.c.Source; i >= 0; i = v.line.Commands[i].Source {
		if c := &v.line.Commands[i]; c.Name == "ls" && c.Args.Has("a", "A", "f") {
			return v.fail(c.Span, "it names hidden files, which may hold secrets")
		}
	}
	v.runs = true
	return true
}

// jqFilter refuses filters that read the environment or files.
func jqFilter(v *proving) bool {
	t, span, ok := v.text(0)
	if len(v.args) == 0 {
		return true
	}
	if !ok {
		return v.fail(span, "the filter is not known")
	}
	for _, word := range []string{"env", "input_filename", "input", "inputs", "import", "include", "debug"} {
		if hasIdent(t, word) {
			return v.failf(span, "the filter uses %s", word)
		}
	}
	if strings.Contains(t, "$ENV") {
		return v.fail(span, "the filter reads the environment")
	}
	return true
}

// hasIdent says whether text has a word that stands alone and is no field, key
// or string.
func hasIdent(text, word string) bool {
	return wordAt(text, word, func(before, after byte) bool {
		return before != '.' && before != '"' && after != '"' && after != ':'
	})
}

// wordAt says whether a word stands alone in text somewhere between two bytes,
// 0 at the ends, that are as wanted.
func wordAt(text, word string, wanted func(before, after byte) bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		var before, after byte
		if i > 0 {
			before = text[i-1]
		}
		if at < len(text) {
			after = text[at]
		}
		if !isIdent(before) && !isIdent(after) && wanted(before, after) {
			return true
		}
	}
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func anyWords(*proving) bool { return true }

// printfFormat checks that printf assigns nothing.
func printfFormat(v *proving) bool {
	t, span, ok := v.text(0)
	switch {
	case !ok:
		return v.fail(span, "the format is not known")
	case strings.Contains(t, "%n"):
		return v.fail(span, "the format assigns a variable")
	}
	return true
}

// testWords refuses the tests that look at a variable by name.
func testWords(v *proving) bool {
	for i := range v.c.Words {
		w := &v.c.Words[i]
		if w.Has("-v") || w.Has("-R") {
			return v.fail(w.Span, "the test looks at a variable by name, which may evaluate a subscript")
		}
		if v.c.Name == "[" && i == len(v.c.Words)-1 && !w.Has("]") {
			return v.fail(w.Span, "the test does not end with ]")
		}
	}
	return true
}

// noPlus refuses operands that lsof takes for options.
func noPlus(v *proving) bool {
	for k := range v.args {
		if t, span, ok := v.text(k); !ok || strings.HasPrefix(t, "+") {
			return v.fail(span, "the word may be an option of lsof")
		}
	}
	return true
}

func duration(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	w := &v.c.Words[v.args[0]]
	if w.Number {
		return true
	}
	t, ok := w.Literal()
	if !ok || strings.Trim(t, "0123456789.smh") != "" {
		return v.fail(w.Span, "the duration is not known")
	}
	return true
}

// setOptions allows set -e and its like, no positional parameters.
func setOptions(v *proving) bool {
	if len(v.given) == 0 {
		return v.fail(v.c.Span, "set without an option prints every variable")
	}
	if v.dash || len(v.args) > 0 {
		return v.fail(v.c.Span, "set changes the positional parameters")
	}
	for i := 1; i < len(v.c.Words); i++ {
		if t, _ := v.c.Words[i].Literal(); strings.HasSuffix(t, "o") && strings.HasPrefix(t, "-") && i+1 < len(v.c.Words) && !v.c.Words[i+1].Has("pipefail") {
			return v.fail(v.c.Words[i+1].Span, "the shell option is not on the list")
		}
	}
	return true
}

func dateFormat(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	if !ok || !strings.HasPrefix(t, "+") {
		return v.fail(span, "an operand of date that is no format sets the clock")
	}
	return true
}

// psWords checks the operands of ps that are options in the BSD style: e shows
// the environment.
func psWords(v *proving) bool {
	for k := range v.args {
		t, span, ok := v.text(k)
		if !ok || strings.Trim(t, "auxfwljvhr0123456789,") != "" {
			return v.fail(span, "the options are not on the list of ps")
		}
	}
	return true
}

// goEnv allows only named variables: a bare go env prints all of them.
func goEnv(v *proving) bool {
	if len(v.args) == 0 {
		return v.fail(v.c.Span, "go env without names prints the environment")
	}
	for k := range v.args {
		t, span, ok := v.text(k)
		if !ok || !strings.HasPrefix(t, "GO") && !strings.HasPrefix(t, "CGO") && !strings.HasPrefix(t, "CC") {
			return v.fail(span, "the variable is not one of Go's")
		}
	}
	return true
}

func onlyVersion(v *proving) bool {
	if len(v.c.Words) != 2 || !v.c.Words[1].Has("--version") {
		return v.failf(v.c.Span, "%s runs programs; only --version alone is on the list", v.c.Name)
	}
	return true
}

// listing allows branch and tag only where they list.
func listing(v *proving) bool {
	if !gitFormat(v) {
		return false
	}
	if len(v.args) == 0 || v.has("l", "list", "merged", "no-merged", "contains", "no-contains", "points-at") {
		return true
	}
	return v.fail(v.c.Words[v.args[0]].Span, "with a name it makes one; write --list before a pattern")
}

func remoteVerb(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	if t, _, ok := v.text(0); ok && t == "get-url" {
		return true
	}
	return v.fail(v.c.Words[v.args[0]].Span, "only listing remotes is on the list")
}

func stashVerb(v *proving) bool {
	if t, _, ok := v.text(0); ok && t == "list" {
		return true
	}
	return v.fail(v.c.Span, "only git stash list is on the list")
}

func reflogVerb(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	if !ok || t == "expire" || t == "delete" || t == "exists" {
		return v.fail(span, "only showing the reflog is on the list")
	}
	return true
}

// configKey allows git config --get KEY for keys that hold no secret.
func configKey(v *proving) bool {
	if !v.has("get") || len(v.args) != 1 {
		return v.fail(v.c.Span, "only git config --get with one key is on the list")
	}
	t, span, ok := v.text(0)
	if !ok || strings.Contains(t, "credential") || strings.Contains(t, "token") || strings.Contains(t, "extraheader") || strings.Contains(t, "password") {
		return v.fail(span, "the key may hold a secret")
	}
	return true
}

// gitFormat refuses formats that verify signatures, which runs gpg.
func gitFormat(v *proving) bool {
	for i := range v.c.Words {
		for _, t := range v.c.Words[i].Values {
			if strings.Contains(t, "%G") || strings.Contains(t, "%(signature") {
				return v.fail(v.c.Words[i].Span, "the format verifies signatures, which runs a program")
			}
		}
	}
	return true
}

package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// check returns what a program needs beside options and operands, by the name
// that its row has.
func check(what string) func(*attempt) bool {
	switch what {
	case "anyWords":
		return anyWords
	case "awkProgram":
		return awkProgram
	case "configKey":
		return configKey
	case "counts":
		return counts
	case "dateFormat":
		return dateFormat
	case "duration":
		return duration
	case "findExpression":
		return findExpression
	case "gitFormat":
		return gitFormat
	case "grepPattern":
		return grepPattern
	case "ipVerb":
		return ipVerb
	case "jqFilter":
		return jqFilter
	case "judgesHere":
		return judgesHere
	case "limitShown":
		return limitShown
	case "listing":
		return listing
	case "listsTrust":
		return listsTrust
	case "lsofWords":
		return lsofWords
	case "noAssignment":
		return noAssignment
	case "noDash":
		return noDash
	case "numeric":
		return numeric
	case "oneInterface":
		return oneInterface
	case "payload":
		return payload
	case "plainFiles":
		return plainFiles
	case "factorEnds":
		return factorEnds
	case "plainPlus":
		return plainPlus
	case "printenvNames":
		return printenvNames
	case "printfFormat":
		return printfFormat
	case "psWords":
		return psWords
	case "queries":
		return queries
	case "readNames":
		return readNames
	case "reflogVerb":
		return reflogVerb
	case "searchesAll":
		return searchesAll
	case "sedScript":
		return sedScript
	case "sequence":
		return sequence
	case "setOptions":
		return setOptions
	case "setsPlainly":
		return setsPlainly
	case "showsHere":
		return showsHere
	case "showsProject":
		return showsProject
	case "shellText":
		return shellText
	case "shufWords":
		return shufWords
	case "ssFilter":
		return ssFilter
	case "statusNumber":
		return statusNumber
	case "sums":
		return sums
	case "tarLook":
		return tarLook
	case "testWords":
		return testWords
	case "toOutput":
		return toOutput
	case "undashed":
		return undashed
	case "x509Input":
		return x509Input
	case "xargs":
		return xargs
	case "yqFilter":
		return yqFilter
	case "zipLook":
		return zipLook
	}
	panic("readonly: a row names an unknown check " + what)
}

// text returns the literal of operand k.
func (v *attempt) text(k int) (string, shell.Span, bool) {
	if k >= len(v.args) {
		return "", v.c.Span, false
	}
	w := &v.c.Words[v.args[k]]
	t, ok := w.Literal()
	return t, w.Span, ok && !v.several(w)
}

// grepPattern checks the patterns by which files are chosen, and looks at the
// paths again where a pattern was given with an option, so that the first
// operand is a path too.
func grepPattern(v *attempt) bool {
	if !v.listsOnly() && (!v.globs(walkOf(v.c).Only) || !v.typeAdded()) {
		return false
	}
	if !v.searchEnds() {
		return false
	}
	if !v.has("e", "regexp", "f", "file", "files") || len(v.args) == 0 {
		return true
	}
	return v.path(v.c.Words[v.args[0]])
}

// findExpression checks that what find runs is judged as a command of its own.
func findExpression(v *attempt) bool {
	v.runs = v.has("exec")
	if v.runs && !v.onlyNames() && !v.namesNoSecret(v.c) {
		return false
	}
	for _, i := range v.args {
		if w := &v.c.Words[i]; mayBegin(w, "+") && !is(w, "+") {
			return v.fail(w.Span, "the word is not known to be harmless")
		}
	}
	return !v.runs || v.closed()
}

// closed checks that the command which find runs ends where it seems to: a word
// that may be ; or + must not stand before what would then be an action of
// find, such as -delete.
func (v *attempt) closed() bool {
	for k := range v.c.Args.Options {
		o := &v.c.Args.Options[k]
		if o.Spec == nil || o.Spec.Role != program.RoleArgv {
			continue
		}
		var end *shell.Word
		for i := o.At; i < min(o.End, len(v.c.Words)); i++ {
			w := &v.c.Words[i]
			t, ok := w.Literal()
			if end != nil && (!ok || t != "" && strings.IndexByte("-!(),", t[0]) >= 0) {
				return v.fail(end.Span, "the word may end the command that find runs, so that find takes the next word itself")
			}
			if !ok && !w.Number && (w.Has(";") || w.Has("+") || w.Open && w.Prefix == "" && !v.fromFind(w)) {
				end = w
			}
		}
	}
	return true
}

// payloadProved reports whether each command that this one runs is proved.
func (v *attempt) payloadProved() bool {
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
		return v.fail(v.c.Span, "what it runs is unknown")
	}
	return true
}

// payload checks a wrapper.
func payload(v *attempt) bool {
	if v.c.Does("places") {
		return true
	}
	if v.c.Args.Payload == 0 {
		v.failf(v.c.Span, "what %s runs is unknown", v.c.Called())
		return v.instead("write the command after it")
	}
	for i := 1; i < v.c.Args.Payload; i++ {
		if w := &v.c.Words[i]; !w.Known() {
			return v.fail(w.Span, "an argument of the wrapper is unknown")
		}
	}
	v.runs = true
	return true
}

// typeAdded refuses a type of rg that is made of the name of a secret.
func (v *attempt) typeAdded() bool {
	for i := 1; i < len(v.c.Words) && v.has("type-add"); i++ {
		for _, t := range v.c.Words[i].Values {
			if e, found := v.namedSecret(t[strings.LastIndexByte(t, ':')+1:]); found {
				return v.failf(v.c.Words[i].Span, "the type names a file that %s", e.Why)
			}
		}
	}
	return true
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func anyWords(*attempt) bool { return true }

// listing allows branch and tag only where they list.
func listing(v *attempt) bool {
	if !gitFormat(v) {
		return false
	}
	if len(v.args) == 0 || v.has("l", "list", "merged", "no-merged", "contains", "no-contains", "points-at") {
		return true
	}
	v.fail(v.c.Words[v.args[0]].Span, "with a name, it creates one")
	return v.instead("write --list before a pattern")
}

// configKey allows git config to read one key that holds no secret: --get KEY,
// get KEY, or KEY alone.
func configKey(v *attempt) bool {
	if len(v.args) == 2 && is(&v.c.Words[v.args[0]], "get") {
		v.args = v.args[1:]
	}
	if len(v.args) != 1 {
		v.fail(v.c.Span, "only the form of git config that reads one key is on the list")
		return v.instead("use git config --get KEY")
	}
	t, span, ok := v.text(0)
	if !ok || !strings.Contains(t, ".") {
		return v.fail(span, "the key is unknown")
	}
	for _, part := range []string{"credential", "token", "extraheader", "pass", "secret", "oauth"} {
		if strings.Contains(strings.ToLower(t), part) {
			return v.fail(span, "the key may hold a secret")
		}
	}
	return true
}

// undashed refuses -- before operands, where options behind it are ones still.
func undashed(v *attempt) bool {
	if v.dash {
		return v.fail(v.c.Span, "what follows -- may be an option")
	}
	return true
}

// gitFormat refuses formats and orders that verify signatures, which runs gpg.
func gitFormat(v *attempt) bool {
	for i := range v.c.Words {
		for _, t := range v.c.Words[i].Values {
			_, key, _ := strings.Cut(t, "=")
			sorts := strings.HasPrefix(strings.TrimLeft(key, "-*"), "signature") || strings.HasPrefix(strings.TrimLeft(t, "-*"), "signature")
			if verifies(t) || v.has("sort") && sorts {
				return v.fail(v.c.Words[i].Span, "the format verifies signatures, which runs a program")
			}
		}
	}
	return true
}

// verifies reports whether a format has %G…, before which a sign may stand
// (git-log(1)), or %(signature), as of the object or of what a tag names
// (git-for-each-ref(1)).
func verifies(format string) bool {
	if strings.Contains(format, "%(signature") || strings.Contains(format, "%(*signature") {
		return true
	}
	for rest := format; ; {
		_, after, ok := strings.Cut(rest, "%")
		if !ok || after == "" {
			return false
		}
		rest = after
		if strings.HasPrefix(strings.TrimLeft(after[:1], "+- ")+after[1:], "G") {
			return true
		}
	}
}

// reflogVerb allows the reflog of a reference only.
func reflogVerb(v *attempt) bool {
	if !gitFormat(v) {
		return false
	}
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	if ok && (t == "show" || t == "list" || t == "HEAD" || strings.ContainsAny(t, "@/")) {
		return true
	}
	v.fail(span, "only git reflog show is on the list")
	return v.instead("write git reflog show before the name")
}

// plainPlus refuses operands that begin with a plus, which xxd takes for
// options.
func plainPlus(v *attempt) bool {
	for _, i := range v.args {
		if w := &v.c.Words[i]; mayBegin(w, "+") {
			return v.fail(w.Span, "the word may be an option")
		}
	}
	return true
}

// shufWords checks the operand of shuf, which is a file unless -e is given.
func shufWords(v *attempt) bool {
	if v.has("r", "repeat") && !v.has("n", "head-count") {
		v.fail(v.c.Span, "shuf -r never ends")
		return v.instead("add -n COUNT")
	}
	if v.has("e", "echo") {
		return true
	}
	if len(v.args) > 1 {
		return v.fail(v.c.Words[v.args[1]].Span, "shuf takes one file")
	}
	return len(v.args) == 0 || v.path(v.c.Words[v.args[0]])
}

// shellText proves a shell that only reads the syntax of a script.
func shellText(v *attempt) bool {
	switch {
	case v.has("n") && len(v.args) == 1:
		w := &v.c.Words[v.args[0]]
		if t, ok := w.Literal(); ok && !strings.HasPrefix(t, "+") || v.fromFind(w) {
			return v.path(*w)
		}
		return v.fail(w.Span, "the script is unknown")
	case v.has("version", "help") && len(v.args) == 0:
		return true
	}
	v.failf(v.c.Span, "%s runs a script that policyctl does not read", v.c.Called())
	return v.instead("write the commands themselves, or bash -n FILE to check a script")
}

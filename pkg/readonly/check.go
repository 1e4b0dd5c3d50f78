package readonly

import (
	"strings"

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
		return v.fail(v.c.Span, "the option -l of diff runs pr")
	}
	return true
}

// findExpression checks that what find runs is judged as a command of its own.
func findExpression(v *proving) bool {
	v.runs = v.has("exec")
	if v.runs && !v.onlyNames() && !v.namesNoSecret(v.c) {
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
		v.failf(v.c.Span, "what %s runs is not known", v.c.Name)
		return v.instead("write the command after it")
	}
	for i := 1; i < v.c.Args.Payload; i++ {
		if w := &v.c.Words[i]; !w.Known() {
			return v.fail(w.Span, "an argument of the wrapper is not known")
		}
	}
	v.runs = true
	return true
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func anyWords(*proving) bool { return true }

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
	return v.fail(v.c.Words[v.args[0]].Span, "only listing remotes is on the list; the rest changes them, or asks another host")
}

func stashVerb(v *proving) bool {
	if t, _, ok := v.text(0); ok && t == "list" {
		return true
	}
	return v.fail(v.c.Span, "only git stash list is on the list; the rest changes files")
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

// reflogVerb allows the reflog of a reference only.
func reflogVerb(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	if ok && (t == "show" || t == "list" || t == "HEAD" || strings.ContainsAny(t, "@/")) {
		return true
	}
	v.fail(span, "only showing the reflog is on the list")
	return v.instead("write git reflog show before the name")
}

// plainPlus refuses operands that begin with a plus, which xxd takes for
// options.
func plainPlus(v *proving) bool {
	for _, i := range v.args {
		if w := &v.c.Words[i]; len(w.Values) > 0 && strings.HasPrefix(w.Values[0], "+") || strings.HasPrefix(w.Prefix, "+") {
			return v.fail(w.Span, "the word may be an option")
		}
	}
	return true
}

// shufWords checks the operand of shuf, which is a file unless -e is given.
func shufWords(v *proving) bool {
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
func shellText(v *proving) bool {
	switch {
	case v.has("n") && len(v.args) == 1:
		w := &v.c.Words[v.args[0]]
		if t, ok := w.Literal(); ok && !strings.HasPrefix(t, "+") || v.fromFind(w) {
			return v.path(*w)
		}
		return v.fail(w.Span, "the script is not known")
	case v.has("version", "help") && len(v.args) == 0:
		return true
	}
	v.failf(v.c.Span, "%s runs a script that is not judged", v.c.Name)
	return v.instead("write the commands themselves, or bash -n FILE to check a script")
}

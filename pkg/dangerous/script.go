package dangerous

import (
	"iter"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// calls yields the calls that the code of a command makes.
func calls(c *cmd) iter.Seq[*script.Call] {
	return func(yield func(*script.Call) bool) {
		if c.Function || asksHelp(c) {
			return
		}
		for _, code := range c.Code() {
			if code.Program == nil {
				continue
			}
			for i := range code.Program.Calls {
				if !yield(&code.Program.Calls[i]) {
					return
				}
			}
		}
	}
}

// callIn matches a command with code of which a call passes a test.
func callIn(test func(*script.Call) bool) matcher {
	return func(_ *hazard.Scene, c *cmd) (span, bool) {
		return c.Span, calling(c, test)
	}
}

func calling(c *cmd, test func(*script.Call) bool) bool {
	for call := range calls(c) {
		if test(call) {
			return true
		}
	}
	return false
}

func does(acts ...script.Act) func(*script.Call) bool {
	return func(call *script.Call) bool { return slices.Contains(acts, call.Act) }
}

// fields returns what a call runs as it is known, word by word.
func fields(call *script.Call) []string {
	var line []string
	for _, v := range call.Values {
		if len(v.Texts) > 0 {
			line = append(line, v.Texts[0])
		}
	}
	return strings.Fields(strings.Join(line, " "))
}

// single are the calls that delete one file, or an empty directory.
const single = "unlink unlinkSync remove remove_file delete delete-file rm_f rmdir removeItem"

// deletesTree holds for a call that deletes a directory with all it holds, or runs
// rm to do so.
func deletesTree(call *script.Call) bool {
	switch call.Act {
	case script.Deletes:
		return !program.HasWord(single, call.Name)
	case script.Runs:
		words := fields(call)
		begins := true
		for i := range words[:max(0, len(words)-1)] {
			if begins && shell.Base(words[i]) == "rm" && len(words[i+1]) > 1 && words[i+1][0] == '-' && words[i+1][1] != '-' && strings.ContainsAny(words[i+1], "rRf") {
				return true
			}
			begins = strings.IndexByte(";&|", words[i][len(words[i])-1]) >= 0
		}
	}
	return false
}

// isRead reports whether a text has a part that the script reads.
func isRead(text string) bool {
	return !script.IsKnown(text) && !strings.Contains(text, script.Unknown) && !strings.Contains(text, script.Argument)
}

// runsRead holds for a call that evaluates what the script reads, or hands it to a
// shell.
func runsRead(call *script.Call) bool {
	if call.Act != script.Evaluates && call.Act != script.Runs || len(call.Values) == 0 {
		return false
	}
	for i, v := range call.Values {
		if slices.ContainsFunc(v.Texts, isRead) && (call.Act == script.Evaluates || call.Line || i == 0 || spawnsShell(call)) {
			return true
		}
	}
	return false
}

// runsUnknown holds for a call that hands a shell text of which a part is not
// written in the script.
func runsUnknown(call *script.Call) bool {
	return call.Act == script.Runs && (call.Open || slices.ContainsFunc(call.Values, func(v script.Value) bool {
		return slices.ContainsFunc(v.Texts, func(text string) bool { return !script.IsKnown(text) })
	}))
}

// spawnsShell holds for a call that runs a shell, or an interpreter.
func spawnsShell(call *script.Call) bool {
	if call.Act != script.Runs {
		return false
	}
	words := fields(call)
	if len(words) == 0 {
		return false
	}
	name := shell.Base(words[0])
	return isInterpreter(name) || program.Has(name, program.SpeaksPowerShell) || strings.EqualFold(name, "cmd.exe")
}

// startedFiles returns the files that a call starts: programs by their paths, and what a
// shell or an interpreter is given.
func startedFiles(call *script.Call) (out []string) {
	if call.Act != script.Runs {
		return nil
	}
	begins, given := true, false
	for _, word := range fields(call) {
		switch {
		case begins && strings.Contains(word, "/") && !isInterpreter(word), given && !strings.HasPrefix(word, "-"):
			out = append(out, strings.TrimRight(word, ";&|"))
			given = false
		case begins:
			given = isInterpreter(word)
		}
		begins = strings.IndexByte(";&|", word[len(word)-1]) >= 0
	}
	return out
}

func isInterpreter(word string) bool {
	name := shell.Base(word)
	return program.Has(name, program.IsShell) || program.Has(name, program.IsInterpreter)
}

// runsFetched holds for a call that may run what the script has downloaded: text
// that is unknown, or a file.
func runsFetched(call *script.Call) bool {
	switch call.Act {
	case script.Evaluates, script.Loads:
		return call.Name != "import" && (call.Open || len(call.Values) > 0 && !script.IsKnown(first(call.Values[0])))
	case script.Runs:
		words := fields(call)
		return call.Open || len(words) == 0 || !script.IsKnown(words[0]) || strings.Contains(words[0], "/") || words[0] == "chmod" || spawnsShell(call)
	}
	return false
}

func first(v script.Value) string {
	if len(v.Texts) == 0 {
		return script.Unknown
	}
	return v.Texts[0]
}

// urls returns the URLs that the code of a command names; those of which the
// host is unknown are left out.
func urls(c *cmd) (out []string) {
	for call := range calls(c) {
		if call.Act == script.Requests && len(call.Values) > 0 && strings.Contains(first(call.Values[0]), "://") {
			out = append(out, first(call.Values[0]))
		}
	}
	return out
}

// deletesInCode holds for code that sends DELETE anywhere but to a program on this
// machine.
func deletesInCode(c *cmd) bool {
	return calling(c, func(call *script.Call) bool {
		if call.Act != script.Requests || call.Method != "DELETE" {
			return false
		}
		if len(call.Values) > 0 && strings.HasPrefix(first(call.Values[0]), "/") {
			return false // of a program under test
		}
		known := urls(c)
		return len(known) == 0 || slices.ContainsFunc(known, func(u string) bool { return !isOwnApp(u) })
	})
}

// sendsInCode holds for code that reads a file and sends something to another
// host.
func sendsInCode(c *cmd) bool {
	if !calling(c, does(script.Reads)) {
		return false
	}
	known := urls(c)
	return calling(c, func(call *script.Call) bool {
		switch {
		case call.Act == script.Sends, call.Act == script.Connects:
			return !slices.ContainsFunc(call.Values, func(v script.Value) bool { return isLocal(first(v)) || len(v.Items) > 0 && isLocal(first(v.Items[0])) })
		case call.Act == script.Requests && (call.Method == "POST" || call.Method == "PUT" || call.Method == "PATCH"):
			return len(known) == 0 || slices.ContainsFunc(known, func(u string) bool { return !isLocal(u) })
		case call.Act == script.Requests && len(call.Values) > 0: // ?data= and what was read
			_, query, _ := strings.Cut(first(call.Values[0]), "?")
			return !script.IsKnown(query) && calling(c, does(script.Encodes))
		}
		return false
	})
}

// shellOverNetwork holds for code that opens a connection and starts a shell.
func shellOverNetwork(c *cmd) bool {
	return calling(c, does(script.Connects)) && calling(c, func(call *script.Call) bool {
		return spawnsShell(call) && !slices.Contains(fields(call), "-c")
	})
}

// filesOf returns the absolute paths of the files to which the acts of the code of
// a command lead.
func filesOf(c *cmd, test func(*script.Call) bool) (out []string) {
	for call := range calls(c) {
		if !test(call) {
			continue
		}
		for _, v := range call.Values {
			for _, text := range v.Texts {
				for word := range strings.FieldsSeq(text) {
					if script.IsKnown(word) && !strings.Contains(word, "://") {
						out = append(out, shell.Paths(c.Dir, shell.Set{Values: []string{word}})...)
					}
				}
			}
		}
	}
	return out
}

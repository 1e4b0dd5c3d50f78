package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sed"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func inputRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "run-input", Class: "execution", Programs: program.Names(program.Evaluates),
			Why:     "evaluates input that nobody has seen",
			Instead: "Write out the program, or run a script file that this session has read, and pass the text to it as data.",
			Match:   runsInput,
			Hit: []string{
				"base64 -d x | xargs python3 -c", "cat x | xargs -I% node -e %", "cat x | python3", "xargs echo 'print(1)' | python3", "cat x | perl -", "python3 < x", "sudo python3 < x", `python3 -c "$CODE"`, `while read l; do python3 -c "$l"; done < x`, `python3 -c "exec(input())"`, `cat x | python3 -c "import sys; exec(sys.stdin.read())"`, "perl -ne 'system($_)' x", "perl -ne eval x", "awk '{system($0)}' x", `awk '{print | "sh"}' x`, "sed 's/.*/x/e' f", "sed -n 1e f",
				`ruby -ne 'system $_' x`, `node -e "eval(require('fs').readFileSync(0).toString())"`,
			},
			Miss: []string{
				"ls | xargs grep x", "ls | xargs -I{} sh -c 'wc -l \"$1\"' _ {}", "cat x | python3 -m json.tool", `cat x | python3 -c "import json,sys; print(json.load(sys.stdin))"`, "python3 app.py < x", "cat x | node parse.js", "awk '{print $1}' x", `awk 'BEGIN{system("date")}'`, "cat x | perl -ne 'print if /a/'", "sed 's/a/e/g' f", `python3 -c "print('$X')"`, "sed -e 's/x/y/' f",
				"sed '/end/d' f", "python3 -c \"print(eval('1+1'))\"", "python3 - <<'EOF'\nprint(1)\nEOF", "echo 'print(1)' | python3", "git ls-files '*.py' | xargs python3 -m py_compile", `awk '{print > "sh.txt"}' x`, "perl -pe 's/a/b/e' x",
			},
		},
	}
}

// runsInput matches an interpreter whose program is text that nobody knows: its
// input, what xargs hands it, or what its own code evaluates.
func runsInput(s *hazard.Scene, c *cmd) (span, bool) {
	if c.Function || asksHelp(c) {
		return span{}, false
	}
	switch program.LanguageOf(c.Name) {
	case program.AWK:
		return callIn(runsUnknown)(s, c)
	case program.Sed:
		return code(sedRuns)(s, c)
	}
	if handed(c) || readsProgram(c) && readsUnknown(s, c) {
		return c.Span, true
	}
	return callIn(runsRead)(s, c)
}

// handed holds if nothing is known of the program that an interpreter is given,
// such as what xargs hands it.
func handed(c *cmd) bool {
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleCode && o.Arg.Open && strings.Trim(known(&o.Arg), " ") == strings.Trim(o.Arg.Partial, " ") && (o.Arg.Partial == "" || o.Arg.Partial == shell.UnknownText) {
			return true
		}
	}
	return false
}

// readsUnknown holds if the input of a command is text that the line does not
// have: a file, or what another command prints.
func readsUnknown(s *hazard.Scene, c *cmd) bool {
	for d := c; d != nil; d = around(s, d) {
		for i := range d.Redirects {
			if r := &d.Redirects[i]; r.Reads() && (r.Fd == "" || r.Fd == "0") && !r.Target.KeepsNothing() {
				return true
			}
		}
	}
	if c.Input != nil || !c.In(command.Piped) || c.In(command.InLoop) {
		return false
	}
	at := printer(s, c)
	if at == nil {
		return true
	}
	if at.Input != nil {
		return at.Input.Open && len(at.Input.Values) == 0
	}
	// Behind xargs, words stand there that nobody has seen.
	return len(at.Words) < 2 || slices.ContainsFunc(at.Words[1:], func(w shell.Word) bool { return w.Open && len(w.Values) == 0 })
}

// sedRuns reports whether a script of sed may run a program.
func sedRuns(script string) bool {
	return slices.ContainsFunc(sed.Read(script), func(c sed.Command) bool { return c.Runs })
}

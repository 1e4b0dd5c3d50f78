package hardline

import (
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// Instead returns what to do instead of a catastrophe, as a sentence for a
// model: the rule's own, or, where a person may run the command, the command as
// that person can paste it.
func Instead(s *hazard.Scene, f hazard.Finding) string {
	if f.Rule.ID != "self-protection" || f.Command >= len(s.Line.Commands) {
		return f.Rule.Instead
	}
	command := pasted(&s.Line.Commands[f.Command])
	if command == "" {
		return f.Rule.Instead
	}
	return "Only a person may do this. Ask the user to run it in a terminal of their own: " + command
}

// maxPasted bounds the command that a person is shown.
const maxPasted = 400

// pasted returns a command of policyctl that decides, so quoted that any shell
// reads the same words and a terminal shows all of them; "" for others and
// where that cannot be said. The program is named as the person has it, since
// the agent may have named a program of its own.
func pasted(c *command.Command) string {
	if c.Name != self || !takesDecisions(c) {
		return ""
	}
	out, moved := self, ""
	for i := range c.Words[1:] {
		v, ok := c.Words[i+1].Literal()
		if i == 0 && v == "hook" || !ok || c.Words[i+1].Many || c.Words[i+1].Secret || strings.ContainsFunc(v, isHidden) {
			return ""
		}
		if strings.HasPrefix(v, ".") || strings.Contains(v, "=.") || i == 0 && program.HasWord(inDirectory, v) {
			moved = "cd"
		}
		out += " " + pastedWord(v)
	}
	if moved != "" {
		dir, ok := c.Dir.Literal()
		if !ok || !strings.HasPrefix(dir, "/") || strings.ContainsFunc(dir, isHidden) {
			return ""
		}
		out = "cd " + pastedWord(dir) + " && " + out
	}
	if len(out) > maxPasted {
		return ""
	}
	return out
}

// inDirectory are sub-commands whose directory counts where none is named.
const inDirectory = "trust init install uninstall config"

// pastedWord quotes a word for any shell, the home directory left to it where
// it is unknown.
func pastedWord(v string) string {
	if rest, ok := strings.CutPrefix(v, eval.UnknownHome+"/"); ok && isPlain(rest) {
		return "~/" + rest
	}
	if v != "" && isPlain(v) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}

// isPlain reports whether no shell reads anything into a word.
func isPlain(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./,:@%+", r))
	})
}

// isHidden reports whether a terminal shows a character as something else, or
// not at all.
func isHidden(r rune) bool { return !unicode.IsPrint(r) }

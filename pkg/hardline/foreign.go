package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// foreignText matches cmd /c and pwsh -Command whose text is catastrophic.
func foreignText(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	if text, ok := cmdText(c); ok && runsCmd(s, c, text) {
		return c.Span, true
	}
	if !c.Is(program.IsForeign) {
		return shell.Span{}, false
	}
	for i := 1; i < len(c.Words); i++ {
		before := &c.Words[i-1]
		if anyWord(c.Words[i:i+1], func(v string) bool {
			text := (strings.ContainsAny(v, " (") || isOption(before, "-c", "-command", "/c", "/k")) && foreignLine(s, c, v)
			return text || command.TakesEncoded(before) && foreignLine(s, c, command.Decoded(v))
		}) {
			return c.Words[i].Span, true
		}
	}
	isCmd := strings.HasPrefix(c.Name, "cmd")
	return c.Span, foreignArgv(s, c) || anyInput(s, c, func(v string) bool { return isCmd && runsCmd(s, c, v) || foreignLine(s, c, v) })
}

var (
	// foreignCalls are what PowerShell evaluates, directoryCalls what its .NET classes
	// delete.
	foreignCalls   = &pattern{text: `(?i)\b(?:iex|invoke-expression)\s*\(?\s*("[^"]*"|'[^']*')`}
	directoryCalls = &pattern{text: `(?i)\[(?:System\.)?IO\.Directory\]::Delete\(\s*(?:"([^"]*)"|'([^']*)')`}
)

// foreignLine reports whether a line of cmd or PowerShell is catastrophic, as far
// as it reads like one of this shell.
func foreignLine(s *hazard.Scene, c *command.Command, text string) bool {
	return foreignCommand(s, c, text) || slices.ContainsFunc(shell.Blocks(text), func(block string) bool { return foreignCommand(s, c, block) })
}

func foreignCommand(s *hazard.Scene, c *command.Command, text string) bool {
	if m := foreignCalls.get().FindStringSubmatch(text); m != nil {
		text = m[1][1 : len(m[1])-1]
	}
	if m := directoryCalls.get().FindStringSubmatch(text); m != nil && literalPlaceOf(s, c, m[1]+m[2]) {
		return true
	}
	return slices.ContainsFunc(shell.FromForeign(text), func(reading string) bool { return catastrophic(s, c, reading) })
}

// cmdStarters hand their words to cmd; q, s and their like are what is left of
// rd/s/q after its last slash.
const cmdStarters = " start forfiles schtasks wmic q s f p y a"

// foreignArgv reports whether the words after the options are catastrophic. The
// argument of an option cannot be told from the command, so a few are tried.
func foreignArgv(s *hazard.Scene, c *command.Command) bool {
	tries := 0
	for i := 1; i < len(c.Words) && tries < 4; i++ {
		v, ok := c.Words[i].Literal()
		if !ok || !isCommandName(v) || v[0] == '-' || v[0] == '/' || program.Has(strings.ToLower(v), program.IsForeign) {
			continue
		}
		tries++
		if words, ok := rest(c.Words[i:min(i+12, len(c.Words))]); ok && catastrophicArgv(s, c, words) {
			return true
		}
	}
	return false
}

// isOption reports whether a word is an option of cmd or pwsh, which have no
// case.
func isOption(w *shell.Word, names ...string) bool {
	v, ok := w.Literal()
	for _, name := range names {
		if ok && strings.EqualFold(v, name) {
			return true
		}
	}
	return false
}

func rest(words []shell.Word) ([]string, bool) {
	out := make([]string, len(words))
	for i := range words {
		w := &words[i]
		if len(w.Values) != 1 || w.Open {
			return nil, false
		}
		out[i] = w.Values[0]
		if w.Glob { // another shell reads its own patterns
			out[i] = unescape(strings.ReplaceAll(out[i], `\\`, "\x00"))
			out[i] = strings.ReplaceAll(out[i], "\x00", `\`)
		}
	}
	return out, true
}

package hardline

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// foreignText matches cmd /c and pwsh -Command whose text is catastrophic.
func foreignText(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	for i := 1; i < len(c.Words); i++ {
		before := &c.Words[i-1]
		if anyWord(c.Words[i:i+1], func(v string) bool {
			text := (strings.Contains(v, " ") || isOption(before, "-c", "-command", "/c", "/k")) && catastrophic(s, c, strings.ReplaceAll(v, `\`, `\\`))
			return text || isOption(before, "-e", "-ec", "-enc", "-encodedcommand") && catastrophic(s, c, strings.ReplaceAll(decoded(v), `\`, `\\`))
		}) {
			return c.Words[i].Span, true
		}
	}
	return c.Span, foreignArgv(s, c)
}

// foreignShells take their words as a command, too.
const foreignShells = "cmd cmd.exe pwsh powershell powershell.exe"

// foreignArgv says whether the words after the options are catastrophic. The
// argument of an option cannot be told from the command, so a few are tried.
func foreignArgv(s *hazard.Scene, c *shell.Command) bool {
	tries := 0
	for i := 1; i < len(c.Words) && tries < 4; i++ {
		v, ok := c.Words[i].Literal()
		if !ok || !isCommandName(v) || v[0] == '-' || v[0] == '/' || contains(foreignShells, strings.ToLower(v)) {
			continue
		}
		tries++
		if words, ok := rest(c.Words[i:min(i+12, len(c.Words))]); ok && catastrophicArgv(s, c, words) {
			return true
		}
	}
	return false
}

// isOption says whether a word is an option of cmd or pwsh, which have no
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

// decoded returns the text of -EncodedCommand: UTF-16 in base64.
func decoded(text string) string {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}

func rest(words []shell.Word) ([]string, bool) {
	out := make([]string, len(words))
	for i := range words {
		v, ok := words[i].Literal()
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

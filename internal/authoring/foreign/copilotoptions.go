package foreign

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// readCopilotOptions reads a file with a command line, such as an alias or a
// script has it.
func readCopilotOptions(s *Source, in *draft.Input) error {
	words := unquoted(string(s.Data))
	found := false
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		if _, takes := copilotOptions[name]; takes && !joined && i+1 < len(words) {
			i++
			value = words[i]
		}
		found = copilotOption(s, in, name, value) || found
	}
	if !found {
		return fmt.Errorf("%s: has no option such as --allow-tool: %w", s.Path, draft.ErrNothing)
	}
	return nil
}

// unquoted returns the words of a command line without their quotes. It expands
// nothing.
func unquoted(line string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, c := range line + "\n" {
		switch {
		case escaped:
			escaped = false
			if c != '\n' {
				word.WriteRune(c)
				begun = true
			}
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && strings.ContainsRune(" \t\r\n;", c):
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	return out
}

// copilotOptions are the options that list permissions, with what they decide.
var copilotOptions = map[string]policy.Decision{
	"--allow-tool": policy.Allow, "--deny-tool": policy.Deny, "--allow-url": policy.Allow, "--deny-url": policy.Deny,
	"--excluded-tools": policy.Deny,
}

// copilotOption reads one option, and reports whether it concerns permissions.
func copilotOption(s *Source, in *draft.Input, name, value string) bool {
	switch name {
	case "--allow-all", "--allow-all-tools", "--yolo":
		in.Bypassed(name)
		return true
	case "--available-tools":
		in.Note(name, "", "LOOSER: left out; it stays Copilot's own: a policy has no list of all tools")
		return true
	}
	d, ok := copilotOptions[name]
	if !ok {
		return false
	}
	for _, item := range commaList(value) {
		e := draft.Entry{Action: d, Text: strings.TrimSpace(item)}
		why := "it has characters that cannot be seen"
		if !draft.Hidden(item) {
			if strings.HasSuffix(name, "-url") {
				why = copilotURL(&e)
			} else {
				why = copilotTool(&e)
			}
		}
		if why != "" {
			leave(in, s, d.String()+" "+clipped(e.Text), 1, why, d == policy.Allow)
			continue
		}
		in.Add(e)
	}
	return true
}

// commaList divides a list at the commas that stand in no parentheses.
func commaList(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				out, from = append(out, s[from:i]), i+1
			}
		}
	}
	return append(out, s[from:])
}

package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// userNames are how a line spells the name of the user who runs it.
var userNames = []string{"$USER", "${USER}", "$LOGNAME", "${LOGNAME}", "$(whoami)", "`whoami`", "$(id -un)"}

// ownName returns the path of an effect with the user's name in the place of
// what prints it, such as /home/$USER; ok is false for others.
func ownName(s *hazard.Scene, e command.Effect) (path shell.Set, ok bool) {
	prefix := e.Target.Prefix
	if !e.Target.Open || prefix == "" || strings.TrimSuffix(e.Target.Partial, "/") != prefix+shell.UnknownText {
		return path, false
	}
	for _, name := range userNames {
		if spells(s, e.Span, prefix+name) || spells(s, e.Span, prefix+`"`+name) {
			return shell.Set{Values: []string{prefix + shell.Base(s.Home)}}, true
		}
	}
	return path, false
}

// spells reports whether a part of the line holds a text that begins a word, and
// does not go on as a longer name. In text that another shell evaluates, the
// part is all of that text.
func spells(s *hazard.Scene, at shell.Span, text string) bool {
	if at.To > len(s.Line.Source) {
		return false
	}
	part := strings.ReplaceAll(s.Line.Source[at.From:at.To], `\`, "") // of text in text
	for from := 0; ; {
		i := strings.Index(part[from:], text)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(text)
		begins := start == 0 || strings.IndexByte(" \t\n\"'=;({", part[start-1]) >= 0
		longer := end < len(part) && isWordByte(part[end-1]) && isWordByte(part[end])
		if begins && !longer {
			return true
		}
		from = start + 1
	}
}

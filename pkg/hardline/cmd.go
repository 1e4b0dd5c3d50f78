package hardline

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// cmdPatterns are the forms of cmd that lead to a command: what stands before
// it, and the head of a loop with its switch, path, variable and set.
var cmdPatterns = sync.OnceValue(func() (p struct{ lead, loop, set *regexp.Regexp }) {
	p.lead = regexp.MustCompile(`(?i)^(?:@|\(|call\s+|else\s+|cmd(?:\.exe)?\s+(?:/\S+\s+)*/[ck]\s*|if\s+(?:/i\s+)?(?:not\s+)?(?:exist\s+\S+|defined\s+\S+|\S+==\S+)\s+|start(?:\.exe)?\s+(?:"[^"]*"\s+|/[a-z]+\s+)*)\s*`)
	p.loop = regexp.MustCompile(`(?i)^for\s+(?:/([drlf])\s+)?(?:"?([^%"(]*?)"?\s+)?%%?([a-z])\s+in\s*\(([^)]*)\)\s*do\s*(.*)$`)
	p.set = regexp.MustCompile(`(?i)^set\s+"?(\w+)=([^"]*)"?$`)
	return p
})

// glued are the verbs of cmd that take a switch without a blank: rd/s.
var glued = &pattern{text: `(?i)^(rd|rmdir|del|erase|format)((?:/[a-z]+)+)(\s|$)`}

// A cmdLine follows a line of cmd as far as a place can be told.
type cmdLine struct {
	s     *hazard.Scene
	c     *command.Command
	dir   string
	vars  map[string]string
	depth int
}

// runsCmd reports whether a line of cmd is catastrophic.
func runsCmd(s *hazard.Scene, c *command.Command, text string) bool {
	if len(text) > 4096 {
		return false
	}
	l := &cmdLine{s: s, c: c, vars: map[string]string{}}
	return l.runs(text)
}

func (l *cmdLine) runs(text string) bool {
	if l.depth++; l.depth > 4 {
		return false
	}
	defer func() { l.depth-- }()
	for _, part := range cmdParts(text) {
		if l.runsPart(part) {
			return true
		}
	}
	return false
}

func (l *cmdLine) runsPart(part string) bool {
	p := cmdPatterns()
	part = strings.TrimSpace(part)
	for at := p.lead.FindString(part); at != ""; at = p.lead.FindString(part) {
		part = strings.TrimSpace(part[len(at):])
		if n := len(part); n > 1 && part[0] == '"' && part[n-1] == '"' {
			part = part[1 : n-1]
		}
	}
	for name, v := range l.vars {
		part = strings.ReplaceAll(part, "%"+name+"%", v)
	}
	if m := p.set.FindStringSubmatch(part); m != nil {
		l.vars[m[1]] = m[2]
		return false
	}
	if m := p.loop.FindStringSubmatch(part); m != nil {
		return l.loops(m)
	}
	words := cmdWords(glued.get().ReplaceAllString(part, "$1 $2 $3"))
	if len(words) == 0 {
		return false
	}
	verb := strings.ToLower(words[0])
	switch program.KindOf(verb[strings.LastIndexAny(verb, `/\\`)+1:], "cmd") {
	case "words": // it has nothing to start
		return false
	case "quoted":
		return l.runsOnFiles(words)
	}
	switch moves := program.KindOf(verb, "moves"); {
	case moves != "" && moves != "pop":
		l.dir = words[len(words)-1]
		return false
	case program.OfKind(verb, "internal") && program.OfKind(verb, "spoils"), program.OfKind(verb, "spares"):
		for i := range words[1:] {
			words[i+1] = l.path(words[i+1])
		}
	}
	return catastrophicArgv(l.s, l.c, words)
}

// loops reports whether a loop is catastrophic for one of the names of its set.
func (l *cmdLine) loops(m []string) bool {
	for _, item := range strings.Fields(m[4]) {
		item = strings.Trim(item, `"`)
		if strings.EqualFold(m[1], "r") {
			item = strings.TrimRight(m[2], `\`) + `\` + item
		}
		if strings.EqualFold(m[1], "f") {
			item = "*" // a name that another command prints
		}
		body := strings.NewReplacer("%%~"+m[3], item, "%~"+m[3], item, "%%"+m[3], item, "%"+m[3], item).Replace(m[5])
		if l.runs(body) {
			return true
		}
	}
	return false
}

// runsOnFiles reports whether forfiles deletes all that it finds in a place.
func (l *cmdLine) runsOnFiles(words []string) bool {
	place, text, narrow := ".", "", false
	for i := 1; i+1 < len(words); i++ {
		switch strings.ToLower(words[i]) {
		case "/p":
			place = words[i+1]
		case "/c":
			text = words[i+1]
		case "/m", "/d":
			narrow = words[i+1] != "*" && words[i+1] != "*.*"
		}
	}
	return !narrow && l.runs(strings.NewReplacer("@path", place, "@file", place).Replace(text))
}

// path returns a path as seen from the directory and the drive that the line
// has changed to.
func (l *cmdLine) path(p string) string {
	switch {
	case strings.HasPrefix(p, "/") && len(p) <= 3: // a switch
		return p
	case strings.HasPrefix(p, `\`) && !strings.HasPrefix(p, `\\`):
		return "C:" + p
	case l.dir != "" && (p == "." || p == "*" || p == "*.*"):
		return l.path(l.dir)
	}
	return p
}

// cmdParts returns the commands of a line of cmd without its escapes.
func cmdParts(text string) []string {
	var out []string
	var b strings.Builder
	quoted, depth := false, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '^' && i+1 < len(text):
			i++
			c = text[i]
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				depth = 0
				continue
			}
		case depth == 0 && (c == '&' || c == '|' || c == '\n'):
			out = append(out, b.String())
			b.Reset()
			continue
		}
		b.WriteByte(c)
	}
	return append(out, b.String())
}

// cmdWords returns the words of a command of cmd.
func cmdWords(part string) []string {
	var out []string
	quoted := false
	part = strings.TrimSuffix(part, ")")
	for _, f := range strings.FieldsFunc(part, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\t' || r == ',' || r == ';')
	}) {
		out = append(out, strings.ReplaceAll(f, `"`, ""))
	}
	return out
}

// cmdText returns what cmd and the programs that hand words to it are told to
// run.
func cmdText(c *command.Command) (string, bool) {
	words, ok := rest(c.Words)
	if !ok {
		return "", false
	}
	form := c.How("cmd")
	if form == "words" && strings.Contains(c.Path, "/") { // a script of that name
		return "", false
	}
	switch form {
	case "/c":
		for i, w := range words[1:] {
			if w = strings.ToLower(w); strings.HasPrefix(w, "/") && (strings.HasSuffix(w, "/c") || strings.HasSuffix(w, "/k")) {
				text := strings.Join(words[i+2:], " ")
				if n := len(text); n > 2 && text[0] == '"' && text[n-1] == '"' {
					text = text[1 : n-1] // as cmd takes it off
				}
				return text, true
			}
		}
	case "words":
		for i := range words { // Git Bash writes a switch with two slashes
			if strings.HasPrefix(words[i], "//") {
				words[i] = words[i][1:]
			}
		}
		return strings.Join(words, " "), true
	case "quoted":
		return cmdQuoted(words), true
	case "/tr":
		for i, w := range words {
			if (strings.EqualFold(w, "/tr") || strings.EqualFold(w, "create")) && i+1 < len(words) {
				return words[i+1], true
			}
		}
	}
	if verb, _, ok := strings.Cut(c.Path, "/"); ok && glued.get().MatchString(c.Path) && verb != "" {
		return cmdQuoted(words), true
	}
	return "", false
}

// cmdQuoted joins words, those with blanks in quotes.
func cmdQuoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; strings.ContainsAny(w, " \t") {
			out[i] = `"` + w + `"`
		}
	}
	return strings.Join(out, " ")
}

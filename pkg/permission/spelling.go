package permission

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"strings"
)

// A text is that of a command of which every word is known, made
// when it is first compared.
type text struct {
	command *command.Command
	known   bool
	program int    // the length of the program's name
	text    string // the program by its base name, and the arguments
	bare    string // as [usual] has it, "" if that is text
	forms   [forms]*command.Command
}

// text returns the text of a command, kept for the permissions that follow.
func (in *View) text(c *command.Command) *text {
	for i := range in.texts {
		switch t := &in.texts[i]; t.command {
		case c:
			return t
		case nil:
			t.fill(c)
			return t
		}
	}
	t := new(text)
	t.fill(c)
	return t
}

func (t *text) fill(c *command.Command) {
	name := c.Name
	*t = text{command: c, known: name != "", program: len(name)}
	size := len(name)
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if len(w.Values) != 1 || !w.Known() || w.Many {
			t.known = false
			return
		}
		size += 1 + len(w.Values[0])
	}
	if !t.known {
		return
	}
	t.text = joinWords(name, c.Words[1:], size)
	if words := usual(c); words != nil {
		t.bare = joinWords(name, words, size)
	}
}

// Spelled calls yield for every text that words may be, with blanks between them, until it
// returns false. known says that nothing in it is unknown, unsure that there are more texts
// than could be listed.
func Spelled(words []shell.Word, yield func(text string, known bool) bool) (unsure bool) {
	return spellings(words, "", func(text string, known bool) bool {
		return yield(strings.ReplaceAll(text, string(joint), " "), known)
	})
}

// names returns the names that a deny or an ask may give to the program of a command: the
// one by which it is known, then those that the line has for it, such as python, python3.12
// and python3. The last is there so that a version does not evade what its program may not do.
func names(c *command.Command) []string {
	called := c.Called()
	if called == c.Name {
		return []string{c.Name}
	}
	return []string{c.Name, called, program.Listed(called)}
}

// isCalled reports whether a name is one of [names].
func isCalled(c *command.Command, name string) bool {
	if called := c.Called(); c.Name != name && called != c.Name {
		return called == name || program.Listed(called) == name
	}
	return c.Name == name
}

func joinWords(program string, words []shell.Word, size int) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(program)
	for i := range words {
		b.WriteByte(joint)
		b.WriteString(clean(words[i].Values[0]))
	}
	return b.String()
}

// hitsTarget compares every spelling of a command: the program by its base
// name and as written, with and without its global options.
func (in *View) hitsTarget(t *target, c *command.Command) Hit {
	if h := t.program.head; h != "" && c.Name != "" && !isCalled(c, h) && !strings.EqualFold(c.Path, h) && !strings.Contains(h, "/") {
		if there := started(c); there != nil {
			return in.hitsTarget(t, there)
		}
		return None
	}
	best := in.hitsSpelling(t, c)
	for _, goal := range goals(c) {
		if best == None {
			best = in.hitsSpelling(t, &goal)
		}
	}
	last := forDeny
	if t.rooted {
		last = absolute
	}
	for v := forDeny; v <= last && best != Full; v++ {
		if there := in.resolved(c, v); there != c {
			best = max(best, in.hitsSpelling(t, there))
		}
	}
	return best
}

// hitsSpelling is hitsTarget for a command as its words are, or as its options mean.
func (in *View) hitsSpelling(t *target, c *command.Command) Hit {
	best := in.hitsWritten(t, c)
	if best == Full || c.Name == "" {
		return best
	}
	r := t.reading()
	if r.usual != nil {
		best = max(best, in.hitsGlobs(r.usual.in(in.Home), r.usual.in(in.Home), c))
	}
	if r.meaning != nil {
		best = max(best, r.meaning.hits(in.Home, c))
	}
	return best
}

// hitsWritten is hitsTarget for a command as its words are.
func (in *View) hitsWritten(t *target, c *command.Command) Hit {
	return in.hitsGlobs(t.program.in(in.Home), t.glob.in(in.Home), c)
}

// hitsGlobs compares the words of a command with a pattern, and with the pattern as it is
// written.
func (in *View) hitsGlobs(program, asWritten *glob, c *command.Command) Hit {
	if text := in.text(c); text.known {
		if text.hits(program) || c.Path != c.Name && asWritten.matches(c.Path+text.text[text.program:]) {
			return Full
		}
		return None
	}
	return hitsForms(program, asWritten, c)
}

// hits reports whether a pattern means the command, by either name of its program.
func (t *text) hits(g *glob) bool {
	if g.matches(t.text) || t.bare != "" && g.matches(t.bare) {
		return true
	}
	for _, name := range names(t.command)[1:] {
		if g.matches(name+t.text[t.program:]) || t.bare != "" && g.matches(name+t.bare[t.program:]) {
			return true
		}
	}
	return false
}

// hitsForms is hitsTarget for commands with words that are unknown.
func hitsForms(program, asWritten *glob, c *command.Command) Hit {
	best := None
	try := func(g *glob, program string, words []shell.Word) {
		unsure := spellings(words, program, func(text string, known bool) bool {
			switch {
			case g.matches(text):
				best = Full // a star stands for whatever is unknown
			case !known && (g.matches(strings.ReplaceAll(text, string(unknown), "")) || g.may(text)):
				best = max(best, Maybe)
			}
			return best != Full
		})
		if unsure && !g.wild {
			best = max(best, Maybe)
		}
	}
	if c.Name == "" {
		if try(asWritten, "", c.Words); best == Maybe && !asWritten.mayRunAs(c) {
			return None
		}
		return best
	}
	tails := [2][]shell.Word{c.Words[1:], usual(c)}
	for i, tail := range tails {
		if i > 0 && tail == nil || best == Full {
			continue
		}
		for _, name := range names(c) {
			if best != Full {
				try(program, name+withJoint(tail), tail)
			}
		}
		if best != Full && c.Path != c.Name {
			try(asWritten, c.Path+withJoint(tail), tail)
		}
	}
	return best
}

func withJoint(tail []shell.Word) string {
	if len(tail) == 0 {
		return ""
	}
	return string(joint)
}

// mayRunAs reports whether a command of which the program is one unknown word
// may be what the pattern says. Such a word holds no blank: what the pattern has
// behind its program must be the arguments.
func (g *glob) mayRunAs(c *command.Command) bool {
	program := &c.Words[0]
	if g.head == "" || program.Many || program.Glob {
		return true
	}
	if known := program.Prefix[strings.LastIndexByte(program.Prefix, '/')+1:]; !strings.HasPrefix(strings.ToLower(g.head), strings.ToLower(known)) {
		return false
	}
	rest := g.elem[len([]rune(g.head)):]
	if len(rest) == 0 || len(c.Words) == 1 {
		return len(c.Words) == 1 && (len(rest) == 0 || g.tail && len(rest) == 2)
	}
	may := false
	unsure := spellings(c.Words[1:], "", func(text string, _ bool) bool {
		may = mayMatch(rest[1:], []rune(text), loosely)
		return !may
	})
	return may || unsure
}

package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// Gist returns what a line says without how it is spelled: two lines with the same
// gist do the same, and differ at most in blanks, comments, quotes and where the
// lines end. What is not fully understood stays as it is written.
func (l *Line) Gist() []byte {
	if l.Problem != nil || l.Divergence != nil || len(l.Commands) == 0 {
		return []byte(l.Source)
	}
	g := gist{line: l, says: make([]saying, 0, 4*len(l.Commands)), out: make([]byte, 0, 2*len(l.Source))}
	for i := range l.Commands {
		if c := &l.Commands[i]; c.Parent < 0 { // a payload is in the words of its wrapper
			g.command(c)
		}
	}
	slices.SortStableFunc(g.says, func(a, b saying) int { return cmp.Compare(a.span.From, b.span.From) })
	for _, p := range g.says {
		g.between(p.span.From)
		g.put(p.kind, p.text)
		g.at = max(g.at, p.span.To)
	}
	g.between(len(l.Source))
	return g.out
}

// A gist is being written: what is known of the words, in the order of the
// source, and the text between them.
type gist struct {
	line  *Line
	says  []saying
	out   []byte
	at    int  // how far the source is written
	ends  bool // a command has ended since something was written
	joins bool // what was written last is text between words
}

// A saying is a part of the source with what it says.
type saying struct {
	span shell.Span
	kind byte
	text string
}

func (g *gist) command(c *command.Command) {
	for i := range c.Words {
		g.word(&c.Words[i])
	}
	for i := range c.Assigns {
		a := &c.Assigns[i]
		g.add(a.Span, '=', g.line.Text(a.Span))
	}
	for i := range c.Redirects {
		r := &c.Redirects[i]
		g.add(r.Span, '>', r.Fd+r.Op)
		g.word(&r.Target)
	}
}

func (g *gist) word(w *shell.Word) {
	if v, ok := w.Literal(); ok && !w.Many && !w.Splits {
		g.add(w.Span, 'w', v)
		return
	}
	g.add(w.Span, '$', g.line.Text(w.Span))
}

func (g *gist) add(s shell.Span, kind byte, text string) {
	g.says = append(g.says, saying{s, kind, text})
}

// put writes a text of a kind. A line that can be read has no NUL.
func (g *gist) put(kind byte, text string) {
	if g.ends && !g.joins && len(g.out) > 0 {
		g.out = append(g.out, 0, ';')
	}
	g.ends, g.joins = false, kind == '&'
	g.out = append(append(g.out, 0, kind), text...)
}

// between writes the text up to an offset without blanks and comments.
func (g *gist) between(to int) {
	for g.at < to {
		rest := g.line.Source[g.at:to]
		switch {
		case strings.HasPrefix(rest, "\\\n"):
			g.at += 2
		case rest[0] == ' ' || rest[0] == '\t':
			g.at++
		case rest[0] == '\n' || rest[0] == ';':
			g.ends = true
			g.at++
		case rest[0] == '#' && (g.at == 0 || strings.IndexByte(" \t\n;&|()", g.line.Source[g.at-1]) >= 0):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			g.at += end
		default:
			end := strings.IndexAny(rest, " \t\n;\\")
			if end < 0 {
				end = len(rest)
			}
			end = max(end, 1)
			g.put('&', rest[:end])
			g.at += end
		}
	}
}

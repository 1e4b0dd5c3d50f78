package desk

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/approval"
)

// functions are what templates call.
var functions = template.FuncMap{
	"text": func(s string) []piece { return pieces(s, nil) },
	"time": func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") },
	"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"count": func(n *int, of string) string {
		switch *n {
		case 0:
			return "no " + of + "s"
		case 1:
			return "1 " + of
		}
		return fmt.Sprintf("%d %ss", *n, of)
	},
	"reviewOutcome": func(v approval.Review) string { return view.ReviewOutcome(&v) },
	"reviewScores":  func(v approval.Review) string { return view.ReviewScores(&v) },
	"reviewCost":    func(v approval.Review) string { return view.ReviewCost(&v) },
	"scope": func(s approval.Scope) string {
		return strings.ToUpper(view.ScopeName(s)[:1]) + view.ScopeName(s)[1:]
	},
}

// A piece is a part of a text that is shown in one way.
type piece struct {
	Text string
	// Hidden is for what a reader would not see, written out; Foreign for letters
	// that look like others; Marked for the part that decided.
	Hidden, Foreign, Marked bool
}

// pieces divides a text by how it is shown. The span of bytes that decided is marked.
func pieces(s string, span *[2]int) (out []piece) {
	add := func(p piece) {
		if n := len(out); n > 0 && !p.Hidden && out[n-1].Hidden == p.Hidden && out[n-1].Foreign == p.Foreign && out[n-1].Marked == p.Marked {
			out[n-1].Text += p.Text
			return
		}
		out = append(out, p)
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		p := piece{Text: s[i : i+size], Marked: span != nil && i >= span[0] && i < span[1]}
		switch {
		case r == utf8.RuneError && size == 1:
			p.Text, p.Hidden = fmt.Sprintf("\\x%02X", s[i]), true
		case r == '\n':
		case clip.Hidden(r):
			p.Text, p.Hidden = fmt.Sprintf("U+%04X", r), true
		case r >= 0x80 && unicode.IsLetter(r):
			p.Foreign = true
		}
		add(p)
		i += size
	}
	return out
}

// legible returns a page in which nothing hides: what templates print as it is, others
// have written.
func legible(page []byte) []byte {
	hides := func(r rune) bool { return clip.Empty(r) && r != '\n' && r != '\t' }
	if !bytes.ContainsFunc(page, hides) {
		return page
	}
	var out bytes.Buffer
	for _, r := range string(page) {
		if hides(r) {
			fmt.Fprintf(&out, "U+%04X", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}

// written returns a text in which what a reader would not see is written out.
func written(s string) (out string) {
	for _, p := range pieces(s, nil) {
		out += p.Text
	}
	return out
}

package desk

import (
	"bytes"
	"encoding/json"
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
	// short is for a list, where another page has the whole.
	"short": func(s string) []piece { return pieces(clip.Text(s, maxText), nil) },
	"time":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") },
	"iso":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
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
	"denials":       denials,
	"denial":        view.DenialName,
	"scope": func(s approval.Scope) string {
		return strings.ToUpper(view.ScopeName(s)[:1]) + view.ScopeName(s)[1:]
	},
}

// denials are the ways to deny a call for longer than once, for the script.
func denials(list []approval.Offer) (string, error) {
	type way struct {
		Scope approval.Scope `json:"scope"`
		Name  string         `json:"name"`
		Text  string         `json:"text"`
	}
	ways := []way{}
	for _, o := range list {
		stored := strings.TrimPrefix(strings.Join(o.Stores, "; "), "deny ")
		ways = append(ways, way{o.Scope, view.DenialName(o.Scope), "Deny " + stored + " from now on"})
	}
	text, err := json.Marshal(ways)
	return string(text), err
}

// A piece is a part of a text that is shown in one way.
type piece struct {
	Text string
	// Hidden is for what a reader would not see, written out; Foreign for letters
	// that look like others; Marked for the part that decided.
	Hidden, Foreign, Marked bool
}

// pieces divides a text by how it is shown. The span of bytes that decided is marked.
// Each piece but one of what hides is a part of the text itself, which is copied nowhere.
func pieces(s string, span *[2]int) (out []piece) {
	var run piece // that is not in out yet
	from := 0     // where it begins
	end := func(at int) {
		if run.Text = s[from:at]; run.Text != "" {
			out = append(out, run)
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		marked := span != nil && i >= span[0] && i < span[1]
		hidden := hiddenName(r, s[i:i+size])
		foreign := hidden == "" && r >= 0x80 && unicode.IsLetter(r)
		if hidden != "" || marked != run.Marked || foreign != run.Foreign {
			end(i)
			from, run = i, piece{Foreign: foreign, Marked: marked}
		}
		i += size
		if hidden != "" {
			out = append(out, piece{Text: hidden, Hidden: true, Marked: marked})
			from = i
		}
	}
	end(len(s))
	return out
}

// hiddenName writes out a character that a reader would not see, "" for others.
func hiddenName(r rune, text string) string {
	switch {
	case r == utf8.RuneError && len(text) == 1:
		return fmt.Sprintf("\\x%02X", text[0])
	case r >= ' ' && r < 0x7f || r == '\n' || !clip.Hidden(r):
		return ""
	}
	return fmt.Sprintf("U+%04X", r)
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
func written(s string) string {
	var out strings.Builder
	for _, p := range pieces(s, nil) {
		out.WriteString(p.Text)
	}
	return out.String()
}

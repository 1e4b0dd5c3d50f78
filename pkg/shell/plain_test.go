package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// plainly holds the tree of a text against that of the parser. It reports
// whether the text is plain.
func plainly(t *testing.T, p *plainParser, src string) bool {
	t.Helper()
	defer p.release()
	list, ok := p.parse(src)
	if !ok {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		t.Errorf("%q is read, and the parser says %v", src, err)
	} else if d := difference(reflect.ValueOf(list), reflect.ValueOf(file.Stmts), ""); d != "" {
		t.Errorf("%q: %s", src, d)
	}
	return true
}

// difference returns the place of the first difference between two trees, "" for
// none. Of a position only the offset counts.
func difference(a, b reflect.Value, at string) string {
	if a.Type() != b.Type() {
		return fmt.Sprintf("%s is %v and not %v", at, a.Type(), b.Type())
	}
	if x, ok := a.Interface().(syntax.Pos); ok {
		y := b.Interface().(syntax.Pos)
		if x.IsValid() != y.IsValid() || x.Offset() != y.Offset() {
			return fmt.Sprintf("%s is %d and not %d", at, x.Offset(), y.Offset())
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !a.IsNil() && !b.IsNil() {
			return difference(a.Elem(), b.Elem(), at)
		}
		if a.IsNil() != b.IsNil() {
			return fmt.Sprintf("%s is %v and not %v", at, a, b)
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(a.Field(i), b.Field(i), at+"."+a.Type().Field(i).Name); d != "" {
				return d
			}
		}
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s has %d elements and not %d", at, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := difference(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
	default:
		if a.Interface() != b.Interface() {
			return fmt.Sprintf("%s is %v and not %v", at, a, b)
		}
	}
	return ""
}

// Most of what agents send is plain, and read as the parser reads it.
func TestPlainLines(t *testing.T) {
	var p plainParser
	for _, file := range []string{"agent-lines.txt", "history.txt", "disguises.txt", "lookalikes.txt"} {
		text, err := os.ReadFile("../../testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		plain, all := 0, 0
		for src := range strings.Lines(string(text)) {
			if src = strings.TrimSuffix(src, "\n"); src == "" || src[0] == '#' {
				continue
			}
			fields := strings.SplitN(src, " · ", 4)
			all++
			if plainly(t, &p, unescapeCase(fields[len(fields)-1])) {
				plain++
			}
		}
		if file == "agent-lines.txt" && plain*10 < all*9 {
			t.Errorf("of %d lines of agents only %d are plain", all, plain)
		}
	}
}

// plainPieces are what TestPlainRandom makes texts of.
var plainPieces = []string{
	"a", "b1", "2", "é", "\xff", "=", "+=", "a=", "a=b", "a[", "[", "]", "{", "}", "{a}", "!", "#", "*", "?", "@", "~", "-", "+", ":", "%", "^", ",", "/dev/null",
	"'x y'", `"x"`, `"`, "'", `\`, "\\\n", `\$`, `\"`, `\|`, "\n", " ", " ", "\t",
	"$a", "${a}", "$1", "$", "$'", `$"`, "$#", "$[", "$-", "$(", "$((", "`", `"$a"`, `"a $(b) c"`, `"$"`, "${a:-b}",
	"(", ")", "))", ";", ";;", ";&", "&", "&&", "|", "||", "|&", ">", ">>", "<", "2>", "&>", "&>>", ">&", "<&1", "<>", ">|", "<(",
	"<<E", "<<'E'", `<<"E"`, "<<-E", "<<<", "E", "\nE\n",
	"if", "then", "export", "[[", "time", "+(",
}

func TestPlainRandom(t *testing.T) {
	r, rounds := rand.New(rand.NewPCG(seed.New(t), 1)), seed.Count(t, "LINES", 100_000)
	var p plainParser
	plain := 0
	for range rounds {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(plainPieces[r.IntN(len(plainPieces))])
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		if plainly(t, &p, b.String()) {
			plain++
		}
		if t.Failed() {
			return
		}
	}
	if plain < rounds/10 {
		t.Errorf("only %d of %d texts are plain, so that little is compared", plain, rounds)
	}
}

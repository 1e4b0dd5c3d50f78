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
		text, err := os.ReadFile("../../../testdata/" + file)
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
			if plainly(t, &p, strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(strings.TrimPrefix(fields[len(fields)-1], "$ "))) {
				plain++
			}
		}
		if file == "agent-lines.txt" && plain*10 < all*9 {
			t.Errorf("of %d lines of agents only %d are plain", all, plain)
		}
	}
}

// What the two could read differently is left to the parser.
func TestPlainEdges(t *testing.T) {
	var p plainParser
	for src, plain := range map[string]bool{
		"a 2>&1 >b <c": true, "2>a b": true, "a >| b &> c &>> d": true, "'2'>a": true, "a 2'b'>c": true, "a >!b": true, "a >-b": true, "a >(b)": false, "a2>b": true, "{fd}>x a": false, "a >& b": false, "a >&-": false, "a <> b": false, "a >> | b": false, "> a": false, "a >": false, "a > #b": false,
		"A=b": true, "A=": true, "A= b": true, "A=b C=$d e": true, "A=<b": false, "A+=b": false, "A[0]=b": false, "A=(b)": false, "A=\\\nb": false, "a A=b": true, "1A=b": true, "'A'=b": true,
		"a # b": true, "# a": true, "a#b": true, "a # b\\\nc": false, "$a#b": false, "$($$#) a": false, "a [ b": true, "a b[0]": false, "a $b[0]": true,
		"a\\\nb": false, "a \\\n b": true, "\"a\\\nb\"": false, "'a\\\nb'": true, "a \\": false, "\"a\\\"": false, "a\\ b": true, "a\r\nb": false, "a\x00b": false, "\xff": false, "é 'é' \"é\"": true,
		"a; b & c": true, "a && b || c | d": true, "a &&\n# b\n\nc": true, "a |\n b": true, "a |& b": false, "a &| b": false, "a ;; b": false, "a ;& b": false, "a\n; b": false, "a &&": false, "| a": false, "a )": false, "(a)": false, "a ()": false,
		"! a": false, "if a; then b; fi": false, "{ a; }": false, "[[ a ]]": false, "time a": false, "export a": false, "a export if": true, "@test": false, "\\if": true, "'if' a": true,
		"$a ${a} $1 $? $$ $#": true, "\"$a ${b}c$(d)\"": true, "${1}": false, "${a:-b}": false, "${}": false, "${a": false, "$[1]": false, "$((1))": false, "$'a'": false, "$\"a\"": false, "a$": false, "\"a$\"": false, "`a`": false, "\"`a`\"": false,
		"$(a; b\n)": true, "$( )": true, "$(a": false, "$(((((((((a": false, "<(a)": false, "+(a)": false, "a=$(b)": true, "$(a)$(a)$(a)$(a)$(a)$(a)$(a)$(a)$(a)": true, "$($($($($($($($(a))))))))": true, "$($($($($($($($($(a)))))))))": false,
		"a <<E\nb\nE\n": true, "a <<'E'\n$b\\\nE": true, "a <<\"E\" <<F\nb\nE\nc\nF\nd": true, "a <<E && b\nE\n": true, "a <<E\n$b\nE\n": false, "a <<'E'\n\\\nb\nE\n": false, "a <<-E\n\tE\n": false, "a <<\\E\nE\n": false, "a <<E": false, "a <<E\nb": false, "a <<E <<F\nE": false, "a <<'E F'\nE F\n": false,
		"$(a <<E\nb\nE\n)": false, "a <<E $(b\nE\n)": false, "a <<$b\nb\n": false, "a <<< b": true, "a <<<<b": false,
	} {
		if plainly(t, &p, src) != plain {
			t.Errorf("%q: that it is plain is %v", src, !plain)
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

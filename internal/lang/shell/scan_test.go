package shell

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestScannerParts shows where the scanner and a parser that is wrong differ:
// each text is compared with what the parser made of another one.
func TestScannerParts(t *testing.T) {
	for _, c := range [][2]string{
		{"ls # x\npwd", "ls # x pwd"},
		{"ls; pwd", "ls  pwd"},
		{"ls & pwd", "ls ; pwd"},
		{"ls >a", "ls 1a"},
		{"ls 2>a", "ls  >a"},
		{"ls 'a' b", "ls 'a  b'"},
		{`ls "a" b`, `ls "a  b"`},
		{`ls \a b`, `ls a\ b`},
		{"ls $(a) b", "ls $(a  b)"},
		{"ls `a` b", "ls `a  b`"},
		{"ls ${a} b", "ls ${a:-b}"},
		{"ls $((1)) b", "ls $((1+ b))"},
		{"cat <<E\na\nE\nls\nE\n", "cat <<E\na\nF\nls\nE\n"},
		{"cat <<E\n$(ls)\nE\n", "cat <<E\n (ls)\nE\n"},
		{"x=(a b)", "x=\"a b\""},
		{"[[ a < b ]]", "[[ a = b ]]"},
		{"{ ls; }", "( ls; )"},
		{"! ls", "x ls"},
	} {
		var s scanner
		if !s.scan(c[0]) {
			t.Errorf("%q cannot be followed", c[0])
			continue
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(c[1]), "")
		if err != nil {
			t.Fatalf("%q: %v", c[1], err)
		}
		if a := s.agree(file.Stmts, EveryShell); !a.fails && c[0] != "! ls" {
			t.Errorf("%q is taken for %q", c[0], c[1])
		}
		if file, err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(c[0]), ""); err != nil {
			t.Fatalf("%q: %v", c[0], err)
		}
		if a := s.agree(file.Stmts, EveryShell); a.fails {
			t.Errorf("%q: the two disagree at %d", c[0], a.at)
		}
	}
}

func BenchmarkAgreement(b *testing.B) {
	const line = `cd /home/dev/project/web && grep -rn "useState" src --include='*.tsx' 2>/dev/null | head -20`
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	b.Run("parser", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.Parse(strings.NewReader(line), "")
		}
	})
	file, err := p.Parse(strings.NewReader(line), "")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("scanner", func(b *testing.B) {
		var s scanner
		b.ReportAllocs()
		for b.Loop() {
			if !s.scan(line) || s.agree(file.Stmts, EveryShell).fails {
				b.Fatal("they disagree")
			}
		}
	})
}

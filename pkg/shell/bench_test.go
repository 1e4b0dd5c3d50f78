package shell

import (
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"strings"
)

const line100 = `cd web && npm test -- --watch=false 2>&1 | tail -20; git log --oneline -5 | grep -n "fix: readers"`

func BenchmarkParseOnly(b *testing.B) {
	b.ReportAllocs()
	p := syntax.NewParser()
	for b.Loop() {
		if _, err := p.Parse(strings.NewReader(line100), ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	env := Env{Dir: "/home/dev/project", Home: "/home/dev"}
	for b.Loop() {
		if l := Read(line100, env); l.Problem != nil {
			b.Fatal(l.Problem.Why)
		}
	}
}

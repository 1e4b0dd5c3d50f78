package script

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// hostile are texts that repeat something up to a size.
func hostile(size int) map[string]string {
	out := map[string]string{}
	for name, part := range map[string]string{
		"open parentheses": "(", "open brackets": "[", "open braces": "{", "quotes": `"`, "single quotes": "'", "backquotes": "`", "escapes": `\`,
		"calls": "f(", "members": "a.", "keys": "a[", "sums": "a+", "texts": `"a"+`, "assignments": "a=", "own sums": "a=a+a;", "growing": `a="x";a+=a;`,
		"loops": "while 1:", "for loops": "for x in ", "blocks": "if(1){", "loops and calls": "while(1){fork();", "functions": "def f(a):", "arrows": "a=>", "conditions": "a?", "colons": "a:",
		"heredocs": "<<EOF\n", "interpolations": `"#{`, "templates": "`${", "percent": "%w(", "operators": "q{", "substitutions": "s/a/", "regexps": "/[",
		"runs": `system("ls");`, "aliases": "import a as b;", "evals": `eval("eval('x')");`, "lists": `[1,2],`, "pairs": "{a:1},", "comments": "# x\n", "block comments": "/* x */", "numbers": "1.", "deletes": `rm("/x");`,
		"deep functions": "function f(){", "comprehension": "[f(x) for x in ", "modifiers": "a while ", "commands": "a b ", "symbols": ":a ", "tags": "$`a`", "spread": "...a,", "pipes": `"a"|getline;`, "copies": "a=b;b=a;", "names": "abcdefgh ", "zero": "\x00", "wide": "é", "invalid": "\xff",
		"prints": `print("x", a);`, "writes": `open("f", "w").write("x");`, "appends": `a << "x" << a;`, "writes to one": `f = open("f", "w"); f.write("x"); print(f, "x");`,
	} {
		out[name] = strings.Repeat(part, size/len(part))
	}
	out["members of objects"] = "o = {" + strings.Repeat("a: 1, ", size/24) + "};" + strings.Repeat("rm(o.b);", size/16)
	out["loops over lists"] = strings.Repeat("for (x of ['a']) { unlink(x) } ", size/31)
	out["options"] = "o = {" + strings.Repeat("a: 1, ", size/24) + "};" + strings.Repeat("system(o);", size/20)
	return out
}

// TestHostile reads a megabyte of each in every language, and an eighth of it
// under the race detector, which finds no more in a longer text. The bounds are those
// of a busy machine: what is not linear takes minutes.
func TestHostile(t *testing.T) {
	seed.Slow(t)
	for name, text := range hostile(hostileSize) {
		for language := range grammars {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var p *Program
			took := cputime.Of(func() { p = Read(text, program.Language(language), Env{Home: "/home/dev", Output: true}) })
			runtime.ReadMemStats(&after)
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 2*time.Second || mb > 128 {
				t.Errorf("%s in language %d: %v, %d MB, %d calls", name, language, took, mb, len(p.Calls))
			}
		}
	}
}

// TestHostileInput reads a program that evaluates again and again what it is given,
// which is the same program.
func TestHostileInput(t *testing.T) {
	var b strings.Builder
	for i := range hostileSize / 4096 {
		fmt.Fprintf(&b, "exec(input() + '%d'); exec(open('f').read() + '%d'); import m%d\n", i, i, i)
	}
	given := func(string) []string { return []string{b.String()} }
	var p *Program
	took := cputime.Of(func() { p = Read(b.String(), program.Python, Env{Input: given(""), File: given, Variable: given}) })
	if took > 2*time.Second || len(p.Calls) == 0 {
		t.Errorf("%d calls, %v", len(p.Calls), took)
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(text, program.JavaScript, Env{Home: "/home/dev"})
			}
		})
	}
}

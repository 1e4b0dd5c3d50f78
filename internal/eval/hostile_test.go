package eval_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/cputime"
)

// hostile are shapes that cost a naive reader its stack, its memory or its
// time; each makes a line of about n bytes.
var hostile = map[string]func(n int) string{
	"open parens":       func(n int) string { return strings.Repeat("(", n) },
	"spaced parens":     func(n int) string { return strings.Repeat("( ", n/2) },
	"subshells":         func(n int) string { return strings.Repeat("(", n/2) + "ls" + strings.Repeat(")", n/2) },
	"quoted parens":     func(n int) string { return strings.Repeat("(')';", n/5) },
	"substitutions":     func(n int) string { return "echo " + strings.Repeat("$(", n/2) },
	"closed substs":     func(n int) string { return "echo " + strings.Repeat("$(", n/3) + strings.Repeat(")", n/3) },
	"backquotes":        func(n int) string { return "echo " + strings.Repeat("`", n) },
	"arithmetic":        func(n int) string { return "echo " + strings.Repeat("$((", n/3) },
	"arithmetic parens": func(n int) string { return "echo $((" + strings.Repeat("(", n) },
	"subscripts":        func(n int) string { return strings.Repeat("a[", n/2) },
	"find parens":       func(n int) string { return "find / " + strings.Repeat(`\( -name a -o `, n/14) + "-exec rm {} +" },
	"find commands":     func(n int) string { return "find / " + strings.Repeat(`-name a -exec rm {} \; `, n/23) },
	"find not":          func(n int) string { return "find / " + strings.Repeat("! ", n/2) + "-exec rm {} +" },
	"old arithmetic":    func(n int) string { return "echo " + strings.Repeat("$[", n/2) },
	"functions":         func(n int) string { return strings.Repeat("f() { ", n/6) },
	"blocks":            func(n int) string { return strings.Repeat("{ ", n/2) },
	"ifs":               func(n int) string { return strings.Repeat("if true; then ", n/14) },
	"whiles":            func(n int) string { return strings.Repeat("while true; do ", n/15) },
	"closed loops": func(n int) string {
		k := min(n/30, 2000)
		return strings.Repeat("for i in 1 2; do ", k) + "ls" + strings.Repeat("; done", k)
	},
	"expansions":     func(n int) string { return "echo " + strings.Repeat("${x:-", n/5) },
	"double quotes":  func(n int) string { return "echo " + strings.Repeat(`"$(`, n/3) },
	"process substs": func(n int) string { return "cat " + strings.Repeat("<(", n/2) },
	"heredocs":       func(n int) string { return strings.Repeat("cat <<E\n", n/8) },
	"javascript":     func(n int) string { return "cat <<'E'\n" + strings.Repeat("f(function(){[", n/14) + "\nE\n" },
	"pipes":          func(n int) string { return "ls" + strings.Repeat("|ls", n/3) },
	"ands":           func(n int) string { return "ls" + strings.Repeat("&&ls", n/4) },
	"lines":          func(n int) string { return strings.Repeat("ls\n", n/3) },
	"assignments":    func(n int) string { return strings.Repeat("a=1;", n/4) },
	"joins":          func(n int) string { return strings.Repeat("a$RANDOM=1||b=2;", n/16) },
	"long word":      func(n int) string { return strings.Repeat("a", n) },
	"many words":     func(n int) string { return strings.Repeat("a ", n/2) },
	"braces":         func(n int) string { return "echo " + strings.Repeat("{a,b}", n/5) },
	"nested braces":  func(n int) string { return "echo " + strings.Repeat("{a,", n/3) + strings.Repeat("}", n/3) },
	"brace range":    func(n int) string { return "echo {1..999999999}{1..999999999}" + strings.Repeat(" ", n-40) },
	"values":         func(n int) string { return strings.Repeat(`x="$x$x$x"y;`, n/12) },
	"eval":           func(n int) string { return strings.Repeat("eval ", n/5) + "ls" },
	"sh -c":          func(n int) string { return strings.Repeat("sh -c ", n/6) + "ls" },
	"terminals":      func(n int) string { return strings.Repeat("xterm -e ", n/9) + "ls" },
	"alternatives":   func(n int) string { return "rm " + strings.Repeat("/@(a|b)", n/7) },
	"letters of tar": func(n int) string { return "tar " + strings.Repeat("f", n) },
	"search tests":   func(n int) string { return "find / " + strings.Repeat("-path '/x*' ", n/12) + "-delete" },
	"pagers":         func(n int) string { return "export PAGER='git log'; " + strings.Repeat("git log;", n/8) },
	"wrappers":       func(n int) string { return strings.Repeat("nice ", n/5) + "ls" },
	"sudo":           func(n int) string { return strings.Repeat("sudo -u a env A=1 ", n/18) + "ls" },
	"calls":          func(n int) string { return "f(){ ls;}; " + strings.Repeat("f;", n/2) },
	"call tree": func(n int) string {
		return "a(){ ls;ls;};b(){ a;a;};c(){ b;b;};d(){ c;c;};e(){ d;d;};f(){ e;e;};g(){ f;f;};h(){ g;g;};" + strings.Repeat("h;", n/2)
	},
	"bodies":      func(n int) string { return strings.Repeat("f(){ f;f;};", n/11) + "f" },
	"case":        func(n int) string { return strings.Repeat("case x in x) ", n/13) },
	"zsh's cases": func(n int) string { return "zsh -c '() { :\n" + strings.Repeat("case ", n/5-8) + "'" },
	"zsh's loops": func(n int) string {
		return "zsh -c '() { :\n" + strings.Repeat("for a b c d e f g h (x) ", n/24-2) + "'"
	},
	"tests":         func(n int) string { return "[[ " + strings.Repeat("( ", n/2) },
	"negations":     func(n int) string { return "[[ " + strings.Repeat("! ", n/2) },
	"sums":          func(n int) string { return "echo $((1" + strings.Repeat("+1", n/2-8) + "))" },
	"forks":         func(n int) string { return `x="a b"; y=${z:-"c d"}; ` + strings.Repeat("$y$x ", n/5) },
	"echo pipeline": func(n int) string { return "echo x" + strings.Repeat("|cat", n/4) + "|sh" },
	"xargs": func(n int) string {
		return "echo " + strings.Repeat("a ", n/4) + "|" + strings.Repeat("xargs ", n/12) + "ls"
	},
	"globs":     func(n int) string { return "/bin/" + strings.Repeat("*a", n/2) + " x" },
	"redirects": func(n int) string { return "ls" + strings.Repeat(" >a", n/3) },
}

// TestHostile shows that every shape ends soon and in little memory, whatever
// its size.
func TestHostile(t *testing.T) {
	for name, make := range hostile {
		for _, n := range []int{1 << 10, 20 << 10, shell.MaxSource - 64, 1 << 20} {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				src := make(n)
				line, took, grown := measure(src)
				for try := 0; try < 3 && took > hostileTime; try++ { // the machine may be busy
					_, took, grown = measure(src)
				}
				if took > hostileTime {
					t.Errorf("took %v", took)
				}
				if grown > 64<<20 {
					t.Errorf("allocated %d MiB", grown>>20)
				}
				if line.Problem == nil && len(line.Commands) == 0 {
					t.Error("neither read nor refused")
				}
			})
		}
	}
}

func measure(src string) (line *eval.Line, took time.Duration, grown uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	took = cputime.Of(func() { line = eval.Read(src, eval.Env{Dir: "/w", Home: "/home/dev"}) })
	runtime.ReadMemStats(&after)
	return line, took, after.TotalAlloc - before.TotalAlloc
}

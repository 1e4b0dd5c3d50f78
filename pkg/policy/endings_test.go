package policy_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// odd are texts that grow, nest, double or repeat as a shell reads them; each is of
// about n bytes.
var odd = map[string]func(n int) string{
	"long word":      func(n int) string { return "echo " + strings.Repeat("r", n) },
	"escapes":        func(n int) string { return `printf '` + strings.Repeat(`\x72`, n/4) + `' | sh` },
	"octal escapes":  func(n int) string { return `echo -e '` + strings.Repeat(`\0162`, n/5) + `' | sh` },
	"ansi escapes":   func(n int) string { return `eval $'` + strings.Repeat(`\x72`, n/4) + `'` },
	"doubled text":   func(n int) string { return "x=ab; " + strings.Repeat("x=$x$x; ", n/8) + "echo $x" },
	"doubled words":  func(n int) string { return "x=/; " + strings.Repeat(`x="$x $x"; `, n/11) + "rm -rf $x" },
	"doubled quoted": func(n int) string { return "x=/; " + strings.Repeat(`x="$x $x"; `, n/11) + `rm -rf "$x"` },
	"appended":       func(n int) string { return "x=ab; " + strings.Repeat("x+=$x; ", n/7) + "$x" },
	"doubled array":  func(n int) string { return "x=(a b); " + strings.Repeat(`x+=("${x[@]}"); `, n/16) + `rm "${x[@]}"` },
	"grown array":    func(n int) string { return "x=(a b); " + strings.Repeat(`x+=(a); `, n/8) + `rm "${x[@]}"` },
	"arguments":      func(n int) string { return "set -- a b; " + strings.Repeat(`set -- "$@" "$@"; `, n/18) + `rm "$@"` },
	"joined": func(n int) string {
		return "set -- a b; " + strings.Repeat(`x="$*"; set -- "$x" "$x"; `, n/26) + `rm "$@"`
	},
	"repeated":        func(n int) string { return "x=abc; echo " + strings.Repeat("$x ", n/3) },
	"repeated lists":  func(n int) string { return `x="a b c d"; echo ` + strings.Repeat("$x ", n/3) },
	"unknown":         func(n int) string { return "echo " + strings.Repeat("$x ", n/3) },
	"unknown text":    func(n int) string { return `echo "` + strings.Repeat("$x ", n/3) + `"` },
	"quoted pieces":   func(n int) string { return "echo " + strings.Repeat(`a'b'`, n/4) },
	"double pieces":   func(n int) string { return `x=ab; echo "` + strings.Repeat(`a$x`, n/3) + `"` },
	"backslashes":     func(n int) string { return "echo " + strings.Repeat(`\a`, n/2) },
	"two values":      func(n int) string { return "x=${y:-ab}; x=${x:-cd}; echo " + strings.Repeat(`$x`, n/2) },
	"defaults":        func(n int) string { return "echo " + strings.Repeat(`${x:-a}`, n/7) },
	"nested defaults": func(n int) string { return "echo " + strings.Repeat(`${x:-`, n/6) + strings.Repeat("}", n/6) },
	"replacements":    func(n int) string { return "x=aaaaaaaa; " + strings.Repeat(`x=${x//a/aa}; `, n/14) + "echo $x" },
	"prefix removal": func(n int) string {
		return "x=" + strings.Repeat("a", n/2) + "; " + strings.Repeat("y=${x#a}; ", n/20) + "echo $y"
	},
	"heredoc":         func(n int) string { return "cat <<E | sh\n" + strings.Repeat("echo a\n", n/7) + "E" },
	"heredoc values":  func(n int) string { return "x=abc; cat <<E >f\n" + strings.Repeat("a $x\n", n/5) + "E" },
	"heredoc unknown": func(n int) string { return "cat <<E >f\n" + strings.Repeat("a $x\n", n/5) + "E" },
	"evals":           func(n int) string { return "eval " + strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ", n/31) },
	"big words": func(n int) string {
		return "f() { echo " + strings.Repeat("a ", min(n/4, 4000)) + "; }; " + strings.Repeat("f;", min(n/4, 4000))
	},
	"functions": func(n int) string { return "f(){ f$1 $1$1; }; " + strings.Repeat("f a;", n/4) },
	"recursion": func(n int) string { return `f(){ x="$x$x"; f "$@" "$@"; }; x=aa; f a b` + strings.Repeat(" c", n/2) },
	"loops": func(n int) string {
		return "x=a; for i in " + strings.Repeat("1 ", n/2) + `; do x="$x$x$i"; done; echo $x`
	},
	"nested loops": func(n int) string {
		return strings.Repeat("for i in 1 2; do ", min(n/30, 100)) + `x="$x$x"` + strings.Repeat("; done", min(n/30, 100))
	},
	"braces":          func(n int) string { return "echo " + strings.Repeat("{a,b}", n/5) },
	"braces in lists": func(n int) string { return "x=(" + strings.Repeat("{a,b}{c,d}{e,f} ", n/16) + `); rm "${x[@]}"` },
	"ranges":          func(n int) string { return "echo " + strings.Repeat("{1..900} ", n/9) },
	"files":           func(n int) string { return "echo a >f; " + strings.Repeat("cat f f >>f; ", n/13) + "sh f" },
	"file growth": func(n int) string {
		return "echo aaaaaaaa >f; " + strings.Repeat("cat f >g; cat g >>f; ", n/21) + "sh f"
	},
	"filters":         func(n int) string { return "echo " + strings.Repeat("a", n/2) + strings.Repeat("|rev", n/8) + "|sh" },
	"growing filters": func(n int) string { return "echo aaaaaaaa" + strings.Repeat("|sed s/a/aaaaaaaa/g", n/19) + "|sh" },
	"sed appends":     func(n int) string { return "echo a | sed '" + strings.Repeat("s/$/&&/;", n/8) + "' | sh" },
	"xxd":             func(n int) string { return "echo " + strings.Repeat("72", n/2) + "|xxd -r -p|sh" },
	"base64":          func(n int) string { return "echo " + strings.Repeat("cm0g", n/4) + "|base64 -d|sh" },
	"many pipes":      func(n int) string { return "echo rm" + strings.Repeat("|cat", n/4) + "|sh" },
	"many groups":     func(n int) string { return strings.Repeat("{ echo a; } | sh; ", n/18) },
	"nested groups": func(n int) string {
		return strings.Repeat("{ echo a; ", min(n/12, 150)) + strings.Repeat("; } | cat", min(n/12, 150)) + " | sh"
	},
	"xargs":         func(n int) string { return "echo " + strings.Repeat("a ", n/2) + "| xargs -I{} sh -c 'echo {} {} {}'" },
	"nested xargs":  func(n int) string { return "echo a b | " + strings.Repeat("xargs -I{} ", n/11) + "echo {} {}" },
	"parallel":      func(n int) string { return "parallel echo {} {} ::: " + strings.Repeat("a ", n/2) },
	"nested sh":     func(n int) string { return strings.Repeat("sh -c ", n/6) + "ls" },
	"nested quotes": func(n int) string { return nest("ls", n, func(s string) string { return "sh -c " + quoted(s) }) },
	"nested evals": func(n int) string {
		return nest("ls", n, func(s string) string { return "eval " + quoted(s) + " " + quoted(s) })
	},
	"nested echo": func(n int) string {
		return nest("ls", n, func(s string) string { return "echo " + quoted(s) + " | sh" })
	},
	"nested here": func(n int) string { return nest("ls", n, func(s string) string { return "sh <<< " + quoted(s) }) },
	"nested base64": func(n int) string {
		return nest("ls", n, func(s string) string {
			return "echo " + base64.StdEncoding.EncodeToString([]byte(s)) + " | base64 -d | sh"
		})
	},
	"substitutions": func(n int) string {
		return "x=" + strings.Repeat("$(echo ", n/8) + "a" + strings.Repeat(")", n/8) + "; rm $x"
	},
	"doubled subst":  func(n int) string { return "x=a; " + strings.Repeat(`x=$(echo $x $x); `, n/17) + "rm $x" },
	"doubled printf": func(n int) string { return "x=a; " + strings.Repeat(`printf -v x '%s%s' $x $x; `, n/26) + "rm $x" },
	"printf reuse":   func(n int) string { return `printf '%s%s%s' ` + strings.Repeat("a ", n/2) + "| sh" },
	"printf format": func(n int) string {
		return `printf '` + strings.Repeat("%s", n/4) + `' ` + strings.Repeat("a ", n/4) + "| sh"
	},
	"printf width":   func(n int) string { return `printf '%0` + strings.Repeat("9", n/2) + `d' 1 | sh` },
	"aliases":        func(n int) string { return "alias a='a a'; " + strings.Repeat("a;", n/2) },
	"trap":           func(n int) string { return strings.Repeat("trap 'trap ls EXIT' EXIT;", n/25) },
	"case":           func(n int) string { return "case $x in " + strings.Repeat("a|b) ls;; ", n/10) + "esac" },
	"conditions":     func(n int) string { return strings.Repeat("if $x; then y=a; else y=b$y; fi; ", n/34) + "rm $y" },
	"cd":             func(n int) string { return strings.Repeat("cd a; ", n/6) + "rm -rf ." },
	"cd up":          func(n int) string { return strings.Repeat("cd ..; ", n/7) + "rm -rf *" },
	"links":          func(n int) string { return strings.Repeat("ln -s / a; ln -s a b; ", n/22) + "rm -rf b/*" },
	"paths":          func(n int) string { return "rm -rf " + strings.Repeat("a/../", n/5) + "x" },
	"many paths":     func(n int) string { return "rm -rf " + strings.Repeat("a/b ", n/4) },
	"many globs":     func(n int) string { return "rm -rf " + strings.Repeat("a*/b? ", n/6) },
	"glob word":      func(n int) string { return "rm -rf " + strings.Repeat("*a?", n/3) },
	"brackets":       func(n int) string { return "rm -rf /" + strings.Repeat("[a-z]", n/5) },
	"extglobs":       func(n int) string { return "shopt -s extglob; rm -rf " + strings.Repeat("/@(a|b)", n/7) },
	"options":        func(n int) string { return "git " + strings.Repeat("-c a=b ", n/7) + "status" },
	"aliases of git": func(n int) string { return "git " + strings.Repeat("-c alias.a='!git a' ", n/20) + "a" },
	"tests":          func(n int) string { return "[ " + strings.Repeat("-n a -a ", n/8) + "-n a ]" },
	"arithmetic":     func(n int) string { return "echo $((1" + strings.Repeat("+1", n/2) + "))" },
	"counters":       func(n int) string { return "x=1; " + strings.Repeat("x=$((x*2)); ", n/12) + "echo $x" },
	"awk":            func(n int) string { return "awk 'BEGIN{x=\"a\"; " + strings.Repeat("x=x x;", n/6) + " system(x)}'" },
	"awk nests": func(n int) string {
		return "awk 'BEGIN{x=" + strings.Repeat("(", n/2) + strings.Repeat(")", n/2) + "}'"
	},
	"sed nests": func(n int) string { return "sed '" + strings.Repeat("{", n/2) + strings.Repeat("}", n/2) + "' f" },
	"sed groups": func(n int) string {
		return `sed 's/` + strings.Repeat(`\(a*`, n/8) + strings.Repeat(`\)*`, n/8) + `/x/' f`
	},
	"jq":       func(n int) string { return "jq '" + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "' f" },
	"jq pipes": func(n int) string { return "jq '." + strings.Repeat("|.a", n/3) + "' f" },
	"python": func(n int) string {
		return "python3 -c 'x=\"a\"\n" + strings.Repeat("x=x+x\n", n/6) + "import os; os.system(x)'"
	},
	"python nests": func(n int) string {
		return "python3 -c 'x=" + strings.Repeat("(", n/2) + strings.Repeat(")", n/2) + "'"
	},
	"python lists": func(n int) string { return "python3 -c 'x=[1]\n" + strings.Repeat("x+=x\n", n/5) + "print(x)'" },
	"python calls": func(n int) string {
		return "python3 -c 'import os\n" + strings.Repeat("os.system(\"ls\")\n", n/16) + "'"
	},
	"python blocks": func(n int) string { return "python3 -c '" + deep(n) + "'" },
	"node": func(n int) string {
		return "node -e 'let x=\"a\";" + strings.Repeat("x=x+x;", n/6) + "require(\"child_process\").exec(x)'"
	},
	"node nests": func(n int) string {
		return "node -e 'x=" + strings.Repeat("{a:[", n/8) + strings.Repeat("]}", n/8) + "'"
	},
	"node arrows": func(n int) string { return "node -e '" + strings.Repeat("()=>{", n/8) + strings.Repeat("}", n/8) + "'" },
	"node templates": func(n int) string {
		return "node -e 'x=" + strings.Repeat("`${", n/8) + "1" + strings.Repeat("}`", n/8) + "'"
	},
	"perl": func(n int) string { return "perl -e '$x=\"a\";" + strings.Repeat("$x.=$x;", n/7) + "system($x)'" },
	"ruby": func(n int) string { return "ruby -e 'x=\"a\";" + strings.Repeat("x+=x;", n/5) + "system(x)'" },
	"php":  func(n int) string { return "php -r '$x=\"a\";" + strings.Repeat("$x.=$x;", n/7) + "system($x);'" },
	"sql": func(n int) string {
		return "psql -c '" + strings.Repeat("SELECT (", n/10) + "1" + strings.Repeat(")", n/10) + "'"
	},
	"sql list": func(n int) string { return "psql -c '" + strings.Repeat("DELETE FROM a;", n/14) + "'" },
	"powershell": func(n int) string {
		return "pwsh -c '" + strings.Repeat("& { ", n/8) + "ls" + strings.Repeat(" }", n/8) + "'"
	},
	"powershell sum": func(n int) string { return "pwsh -c '$x=\"a\";" + strings.Repeat("$x=$x+$x;", n/9) + "ri $x'" },
	"zsh":            func(n int) string { return "zsh -c 'x=a; " + strings.Repeat("x=${(e)x}$x; ", n/13) + "$x'" },
	"make": func(n int) string {
		return "make -f - <<'E'\nx=a\n" + strings.Repeat("x:=$(x)$(x)\n", n/12) + "all:\n\t$(x)\nE"
	},
	"patch": func(n int) string {
		return "patch -p1 <<'E'\n" + strings.Repeat("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", n/35) + "E"
	},
	"tar letters": func(n int) string { return "tar " + strings.Repeat("f", n) },
	"find":        func(n int) string { return "find . " + strings.Repeat("-name a -o ", n/11) + "-delete" },
	"find parens": func(n int) string {
		return "find . " + strings.Repeat(`\( `, n/6) + "-name a" + strings.Repeat(` \)`, n/6) + " -delete"
	},
	"env":       func(n int) string { return "env " + strings.Repeat("a=b ", n/4) + "ls" },
	"env -S":    func(n int) string { return nest("ls", n, func(s string) string { return "env -S " + quoted(s) }) },
	"urls":      func(n int) string { return "curl " + strings.Repeat("http://a/b ", n/11) },
	"url":       func(n int) string { return "curl 'http://a/?" + strings.Repeat("a=%72&", n/6) + "'" },
	"url globs": func(n int) string { return "curl 'http://a/" + strings.Repeat("{a,b}", n/5) + "'" },
	"json": func(n int) string {
		return "curl -d '" + strings.Repeat(`{"a":`, n/6) + "1" + strings.Repeat("}", n/6) + "' http://a"
	},
	"words of find": func(n int) string { return "find / " + strings.Repeat(`-name a -exec rm {} \; `, n/23) },
	"assignments":   func(n int) string { return strings.Repeat("a=b ", n/4) + "ls" },
	"redirects":     func(n int) string { return "ls " + strings.Repeat(">a ", n/3) },
	"heredocs":      func(n int) string { return strings.Repeat("cat <<E\na\nE\n", n/12) },
	"secrets":       func(n int) string { return "cat " + strings.Repeat("~/.ssh/id_rsa ", n/14) },
	"greps":         func(n int) string { return "grep " + strings.Repeat("-e a ", n/5) + "-r ." },
	"dots":          func(n int) string { return "rm -rf " + strings.Repeat("../", n/3) },
	"slashes":       func(n int) string { return "rm -rf " + strings.Repeat("/", n) },
	"blanks":        func(n int) string { return "rm -rf" + strings.Repeat(" ", n) + "/" },
	"newlines":      func(n int) string { return strings.Repeat("\n", n) + "ls" },
	"comments":      func(n int) string { return strings.Repeat("# a\n", n/4) + "ls" },
	"line ends":     func(n int) string { return "ls " + strings.Repeat("\\\n", n/2) + "a" },
	"unicode":       func(n int) string { return "echo " + strings.Repeat("é", n/2) },
	"full width":    func(n int) string { return strings.Repeat("ｒ", n/3) },
}

// deep is Python with a block in each block.
func deep(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String()
}

// nest wraps a line in others until it has n bytes.
func nest(line string, n int, wrap func(string) string) string {
	for len(line) < n {
		line = wrap(line)
	}
	return line
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// feeds hand a text to a shell.
var feeds = map[string]func(text string) string{
	"":            func(s string) string { return s },
	"eval":        func(s string) string { return "eval " + quoted(s) },
	"sh -c":       func(s string) string { return "sh -c " + quoted(s) },
	"zsh -c":      func(s string) string { return "zsh -c " + quoted(s) },
	"echo":        func(s string) string { return "echo " + quoted(s) + " | sh" },
	"printf":      func(s string) string { return "printf %s " + quoted(s) + " | sh" },
	"printf %b":   func(s string) string { return "printf %b " + quoted(s) + " | sh" },
	"variable":    func(s string) string { return "x=" + quoted(s) + `; bash -c "$x"` },
	"split":       func(s string) string { return "x=" + quoted(s) + `; $x` },
	"here-string": func(s string) string { return "sh <<< " + quoted(s) },
	"heredoc":     func(s string) string { return "sh <<'EOF'\n" + s + "\nEOF" },
	"heredoc open": func(s string) string {
		return "sh <<EOF\n" + s + "\nEOF"
	},
	"process": func(s string) string { return "bash <(echo " + quoted(s) + ")" },
	"source":  func(s string) string { return ". <(printf '%s\\n' " + quoted(s) + ")" },
	"base64": func(s string) string {
		return "base64 -d <<< " + base64.StdEncoding.EncodeToString([]byte(s)) + " | sh"
	},
	"file":       func(s string) string { return "cat > t.sh <<'EOF'\n" + s + "\nEOF\nsh t.sh" },
	"xargs":      func(s string) string { return "echo " + quoted(s) + " | xargs -0 sh -c" },
	"find -exec": func(s string) string { return "find . -exec sh -c " + quoted(s) + ` \;` },
	"parallel":   func(s string) string { return "parallel ::: " + quoted(s) },
	"ssh":        func(s string) string { return "ssh localhost " + quoted(s) },
	"su":         func(s string) string { return "su root -c " + quoted(s) },
	"trap":       func(s string) string { return "trap " + quoted(s) + " EXIT" },
	"function":   func(s string) string { return "f() {\n" + s + "\n}; f; f" },
	"loop":       func(s string) string { return "for i in 1 2 3; do\n" + s + "\ndone" },
	"subst":      func(s string) string { return "x=$(" + s + "\n); $x" },
	"alias":      func(s string) string { return "alias a=" + quoted(s) + "; a" },
	"env -S":     func(s string) string { return "env -S " + quoted(s) },
	"python":     func(s string) string { return "python3 -c " + quoted("import os\nos.system("+fmt.Sprintf("%q", s)+")") },
	"node": func(s string) string {
		return "node -e " + quoted("require('child_process').execSync("+fmt.Sprintf("%q", s)+")")
	},
	"awk":       func(s string) string { return "awk " + quoted("BEGIN{system("+fmt.Sprintf("%q", s)+")}") },
	"perl":      func(s string) string { return "perl -e " + quoted("system("+fmt.Sprintf("%q", s)+")") },
	"make":      func(s string) string { return "make -f - <<'EOF'\nall:\n\t" + s + "\nEOF" },
	"pwsh":      func(s string) string { return "pwsh -c " + quoted("bash -c "+quoted(s)) },
	"git alias": func(s string) string { return "git -c alias.x=" + quoted("!"+s) + " x" },
	"tr":        func(s string) string { return "echo " + quoted(s) + " | tr a a | sh" },
	"sed":       func(s string) string { return "echo " + quoted(s) + " | sed s/a/a/ | sh" },
}

// Every reading ends, and takes little: each odd text by itself, of each size, and
// handed to a shell in each way.
func TestEndings(t *testing.T) {
	e := engine(t, "deny read *private/*|deny shell git push *|deny write locked/*", nil)
	tries := seed.Share(t)
	for name, text := range odd {
		for way, feed := range feeds {
			sizes := []int{40 << 10}
			if way == "" {
				sizes = []int{1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 125 << 10, 256 << 10, 1 << 20}
			}
			for _, n := range sizes {
				if tries() {
					ends(t, e, fmt.Sprintf("%s, %s, %d bytes", name, way, n), feed(text(n)))
				}
			}
		}
	}
}

// ends decides a line, which must take few steps and little memory.
func ends(t *testing.T, e *policy.Engine, name, line string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := e.Explain(context.Background(), nil, call(line))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 200<<20 {
		t.Errorf("%s: it takes %d MiB", name, made>>20)
	}
	cost := x.Line.Cost
	// What a function, a loop or a group runs is looked at each time.
	if most := 1<<14 + 64*len(line); cost.Steps > min(most, 1<<20) {
		t.Errorf("%s: %d steps for %d bytes", name, cost.Steps, len(line))
	}
	if cost.Bytes > 33<<20 {
		t.Errorf("%s: %d MiB of values", name, cost.Bytes>>20)
	}
}

// What grows without end is not followed, and what is plain beside it still is: a
// line does not hide behind its size.
func TestGrowthHidesNothing(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Yolo = true })
	grown := "x=ab; " + strings.Repeat("x=$x$x; ", 30)
	lines := map[string]string{
		"a literal":          grown + "rm -rf /",
		"a short value":      grown + "y=/; rm -rf $y",
		"pieces":             grown + `y=/; rm -rf "$y"etc`,
		"a text that is run": grown + "sh -c 'rm -rf /'",
		"padded echo":        "echo 'rm -rf / #" + strings.Repeat("x", 60<<10) + "' | sh",
		"padded printf":      "printf '" + strings.Repeat(`\x20`, 9000) + "rm -rf /' | sh",
		"words":              "x=/; " + strings.Repeat(`x="$x $x"; `, 20) + "rm -rf $x",
		"more words":         "x=/; " + strings.Repeat(`x="$x $x"; `, 9) + "rm -rf $x",
		"elements":           "x=(/ b); " + strings.Repeat(`x+=("${x[@]}"); `, 25) + `rm -rf "${x[@]}"`,
		"escapes":            `printf '` + strings.Repeat(`\x72`, 9000) + `; rm -rf /' | sh`,
	}
	for name, line := range lines {
		if v := decide(t, e, nil, call(line)); v.Decision != policy.Deny {
			t.Errorf("%s: %v at %v: %s", name, v.Decision, v.Stage, v.Why)
		}
	}
}

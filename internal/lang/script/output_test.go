package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/program"
)

// shownOutput writes what a program prints, and what it writes to which files.
func shownOutput(p *script.Program) string {
	var out []string
	if p.Output != nil {
		out = append(out, fmt.Sprintf("prints %q", script.Filled(strings.Join(p.Output, "|"), "?")))
	}
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Text != nil {
			var paths []string
			for _, v := range c.Values {
				if path := shownValue(v); path != "?" { // a handle, a mode
					paths = append(paths, path)
				}
			}
			out = append(out, fmt.Sprintf("writes %s %q", strings.Join(paths, " "), script.Filled(strings.Join(c.Text.Texts, "|"), "?")))
		}
	}
	return strings.Join(out, "; ")
}

func TestOutput(t *testing.T) {
	for _, c := range []struct {
		language   program.Language
		text, want string
	}{
		{program.Python, `print("a")`, `prints "a\n"`},
		{program.Python, `print("a", "b"); print("c", end="")`, `prints "a b\nc"`},
		{program.Python, `print("a", "b", sep="-")`, `prints "a-b\n"`},
		{program.Python, `print(x, "b")`, `prints "? b\n"`},
		{program.Python, `print(x)`, ``},
		{program.Python, `print()`, `prints "\n"`},
		{program.Python, `print(1 + 1)`, ``},
		{program.Python, `print("a", file=sys.stderr)`, ``},
		{program.Python, `print("a", file=sys.stdout)`, `prints "a\n"`},
		{program.Python, `sys.stdout.write("a"); sys.stderr.write("b")`, `prints "a"`},
		{program.Python, `sys.stdout.buffer.write(b"a")`, `prints "a"`},
		{program.Python, `os.write(1, b"a"); os.write(2, b"b")`, `prints "a"`},
		{program.Python, `sys.stdout.writelines(["a", "b"])`, `prints "ab"`},
		{program.Python, `for x in ["a", "b"]: print(x)`, `prints "a\n|b\n"`},
		{program.Python, `exec("print('a')")`, `prints "a\n"`},
		{program.Python, `logging.info("a"); app.write("b"); print_it("c")`, ``},
		{program.Python, `write("a")`, ``},
		{program.Python, strings.Repeat("sys.stderr.write('a'); ", 300) + "print('b')", `prints "b\n"`},
		{program.Python, `open("f", "w").write("a")`, `writes f "a"`},
		{program.Python, "with open('f', 'w') as f:\n  f.write('a')\n  print('b', file=f)", `writes f "ab\n"`},
		{program.Python, "with open('f', 'w') as f, open('g', 'w') as g:\n  g.write('a')\n  f.write('b')", `writes f "b"; writes g "a"`},
		{program.Python, `open("f").write("a")`, ``},
		{program.Python, `Path("f").write_text("a")`, `writes f "a"`},
		{program.Python, `f = os.open("f", os.O_WRONLY); os.write(f, b"a")`, `writes f "a"`},
		{program.JavaScript, `console.log("a", "b"); console.error("c")`, `prints "a b\n"`},
		{program.JavaScript, `process.stdout.write("a"); res.end("b"); logger.info("c")`, `prints "a"`},
		{program.JavaScript, `fs.writeFileSync("f", "a")`, `writes f "a"`},
		{program.JavaScript, `const s = fs.createWriteStream("f"); s.write("a"); s.end("b")`, `writes f "ab"`},
		{program.JavaScript, `fs.writeSync(fs.openSync("f", "w"), "a")`, `writes f "a"`},
		{program.Ruby, `puts "a", "b\n"; print "c", "d"`, `prints "a\nb\ncd"`},
		{program.Ruby, `$stdout << "a" << "b"; $stderr << "c"`, `prints "ab"`},
		{program.Ruby, `printf("a%s", "b")`, `prints "ab"`},
		{program.Ruby, `File.open("f", "w") { |f| f.puts "a"; f << "b" }`, `writes f "a\nb"`},
		{program.Ruby, `words << "a"; $stdout.end("b")`, ``},
		{program.Perl, `print "a", "b"; say "c"; printf "%s", "d"`, `prints "abc\nd"`},
		{program.Perl, `print STDOUT "a"; print STDERR "b"`, `prints "a"`},
		{program.Perl, `print $x, "a"; print $F, "b"`, `prints "?a?b"`},
		{program.Perl, `open F, ">f"; print F "a"`, `writes f "a"`},
		{program.Perl, `open my $f, ">", "f"; print $f "a"; print {$f} "b"; print "c"`, `prints "c"; writes f "ab"`},
		{program.PHP, `echo "a", "b"; print "c";`, `prints "abc"`},
		{program.PHP, `fwrite(STDOUT, "a"); fwrite(STDERR, "b");`, `prints "a"`},
		{program.PHP, `fprintf(fopen("f", "w"), "a%s", "b");`, `writes f "ab"`},
		{program.PHP, `file_put_contents("php://stdout", "a");`, `prints "a"; writes php://stdout "a"`},
		{program.Lua, `print("a", "b"); io.write("c", "d")`, `prints "a\tb\ncd"`},
		{program.Lua, `local f = io.open("f", "w"); f:write("a")`, `writes f "a"`},
		{program.AWK, `BEGIN { print "a", "b"; printf "%s", "c" }`, `prints "a b\nc"`},
		{program.AWK, `{ print; print "a" > "f" }`, `writes f "a\n"`},
		{program.AWK, `{ print $1 "a" }`, `prints "?a\n"`},
		{program.AWK, `BEGIN { print "a" | "cat" }`, ``},
	} {
		if got := shownOutput(script.Read(c.text, c.language, script.Env{Output: true})); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	if p := script.Read(`print("a"); open("f", "w").write("b")`, program.Python, script.Env{}); p.Output != nil || p.Calls[0].Text != nil {
		t.Errorf("nobody asked: %s", shownOutput(p))
	}
}

// However much a program writes, little of it is followed.
func TestMuchOutput(t *testing.T) {
	big := `x = "` + strings.Repeat("a", 20000) + `"; `
	for _, text := range []string{
		big + strings.Repeat("print(x); ", 5000),
		big + `f = open("f", "w"); ` + strings.Repeat("f.write(x); ", 5000),
		strings.Repeat(`open("f", "w").write("a"); `, 5000),
	} {
		p := script.Read(text, program.Python, script.Env{Output: true})
		size := len(strings.Join(p.Output, ""))
		for i := range p.Calls {
			if c := &p.Calls[i]; c.Text != nil {
				size += len(strings.Join(c.Text.Texts, ""))
			}
		}
		if size > 1<<20 {
			t.Errorf("%.60s…: %d bytes", text, size)
		}
	}
}

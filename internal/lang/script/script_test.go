package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/program"
)

var acts = map[script.Act]string{
	script.Deletes: "deletes", script.Moves: "moves", script.Writes: "writes", script.Runs: "runs",
	script.Kills: "kills", script.Forks: "forks", script.ChangesDir: "chdir",
	script.Evaluates: "evaluates", script.Loads: "loads", script.Reads: "reads", script.Decodes: "decodes", script.Encodes: "encodes",
	script.Requests: "requests", script.Sends: "sends", script.Connects: "connects",
}

// shown writes the calls of a program, one behind the other.
func shown(p *script.Program) string { return shownIf(p, func(*script.Call) bool { return true }) }

// changing holds for a call that is known to change something.
func changing(c *script.Call) bool { return !c.Open && c.Act <= script.ChangesDir }

func shownIf(p *script.Program, test func(*script.Call) bool) string {
	var out []string
	for i := range p.Calls {
		c := &p.Calls[i]
		if !test(c) {
			continue
		}
		s := acts[c.Act]
		if c.Method != "" {
			s += " " + c.Method
		}
		for _, v := range c.Values {
			s += " " + shownValue(v)
		}
		if c.Act == script.Runs && !c.Line {
			s += " (words)"
		}
		if c.Endless {
			s += " (endless)"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func shownValue(v script.Value) string {
	if v.Items != nil && v.Texts == nil {
		var parts []string
		for _, item := range v.Items {
			parts = append(parts, shownValue(item))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	s := strings.NewReplacer(script.Unknown, "?", script.Argument, "<argument>", script.Input, "<input>", script.Field(0), "<line>", script.Field(1), "<field 1>").Replace(strings.Join(v.Texts, "|"))
	if v.Each {
		s = "each " + s
	}
	return s
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		language   program.Language
		text, want string
	}{
		{program.Python, `import shutil; shutil.rmtree("/a")`, "deletes /a"},
		{program.Python, `import shutil as s; s.rmtree("/a")`, "deletes /a"},
		{program.Python, `from shutil import rmtree as r; r("/a")`, "deletes /a"},
		{program.Python, `# shutil.rmtree("/a")`, ""},
		{program.Python, `"""shutil.rmtree("/a")"""`, ""},
		{program.Python, `print("os.system('x')")`, ""},
		{program.Python, `app.delete("/a")`, ""},
		{program.Python, `d = "/a"; shutil.rmtree(d)`, "deletes /a"},
		{program.Python, `d = x; shutil.rmtree(d)`, ""},
		{program.Python, "def f(p):\n  os.remove(p)\nf('/a')", "deletes /a"},
		{program.Python, `os.system("a" + "b")`, "runs ab"},
		{program.Python, `os.system("a" "b")`, "runs ab"},
		{program.Python, `os.system("a " + x)`, "runs a ?"},
		{program.Python, `x = "b"; os.system(f"a {x} {{c}}")`, "runs a b {c}}"},
		{program.Python, `os.system("%s %d" % ("a", 1))`, "runs a 1"},
		{program.Python, `os.system("{} {1}".format("a", "b"))`, "runs a b"},
		{program.Ruby, `system(format("a %{x}", x: "b"))`, "runs a b"},
		{program.Ruby, `system(sprintf("a %<x>s", x: "b"))`, "runs a b"},
		{program.Ruby, `system("a %{x}" % {x: "b"})`, "runs a b"},
		{program.JavaScript, `new Map([["/a", 1]]).forEach((v, k) => fs.rmSync(k))`, "deletes [/a 1]"},
		{program.Python, `os.system(" ".join(["a", "b"]))`, "runs a b"},
		{program.Python, `os.system("ba"[::-1])`, "runs ab"},
		{program.Python, `os.system("a" * 3)`, "runs aaa"},
		{program.Python, `os.system("\x61\u0062\143")`, "runs abc"},
		{program.Python, `os.system(r"\x61")`, `runs \x61`},
		{program.Python, `os.system(base64.b64decode("bHM=").decode())`, "runs ls"},
		{program.Python, `os.system(bytes.fromhex("6c73").decode())`, "runs ls"},
		{program.Python, `os.system(codecs.decode("yf", "rot13"))`, "runs ls"},
		{program.Python, `os.system(chr(0x6c) + chr(115))`, "runs ls"},
		{program.Python, `os.system("a" if x else "b")`, "runs a|b"},
		{program.Python, `c = "a"; c += "b"; os.system(c)`, "runs a|ab"},
		{program.Python, `getattr(os, "system")("a")`, "runs a"},
		{program.Python, `os.__dict__["system"]("a")`, "runs a"},
		{program.Python, `subprocess.run(["a", "b"])`, "runs a b (words)"},
		{program.Python, `subprocess.run("a b", shell=True, cwd="/")`, "runs a b"},
		{program.Python, `subprocess.run(args=["a", "b"])`, "runs a b (words)"},
		{program.Python, `os.execvp("a", ["a", "b"])`, "runs a a b (words)"},
		{program.Python, `list(map(os.remove, ["/a", "/b"]))`, "deletes /a|/b"},
		{program.Python, `Thread(target=os.system, args=("a",))`, "runs a"},
		{program.Python, `exec("import os; os.system('a')")`, "runs a"},
		{program.Python, `[os.remove(p) for p in glob.glob("/a/*")]`, "deletes each /a/*"},
		{program.Python, `[os.remove(p) for p in glob.glob("/a/*") if x]`, ""},
		{program.Python, "for n in os.listdir('/a'):\n  os.remove(os.path.join('/a', n))", "deletes each /a/*"},
		{program.Python, "for n in os.listdir('/a'):\n  if n: os.remove('/a/' + n)", "deletes /a/?"},
		{program.Python, `shutil.rmtree(Path.home() / "x")`, "deletes /home/dev/x"},
		{program.Python, `shutil.rmtree(os.path.expanduser("~/x"))`, "deletes /home/dev/x"},
		{program.Python, `shutil.rmtree(os.environ["HOME"])`, "deletes /home/dev"},
		{program.Python, `os.remove(sys.argv[1])`, "deletes <argument>"},
		{program.Python, `open("/a", "w").write("/b")`, "writes /a"},
		{program.Python, `open("/a", "r").read()`, ""},
		{program.Python, `os.open("/a", os.O_WRONLY | os.O_CREAT)`, "writes /a ?"},
		{program.Python, `Path("/a").write_text("/b")`, "writes /a"},
		{program.Python, `shutil.copy("/a", "/b")`, "writes /b"},
		{program.Python, `os.rename("/a", "/b")`, "moves /a"},
		{program.Python, "while True:\n  os.fork()\nos.fork()", "forks (endless); forks"},
		{program.Python, "while x:\n  os.fork()", "forks"},
		{program.Python, `os.kill(-1, 9)`, "kills -1 9"},
		{program.JavaScript, `require("fs").rmSync("/a", {recursive: true})`, "deletes /a"},
		{program.JavaScript, `const {rmSync: r} = require("fs"); r("/a")`, "deletes /a"},
		{program.JavaScript, `import {rmSync as r} from "fs"; r("/a")`, "deletes /a"},
		{program.JavaScript, `import * as f from "fs"; f.rmSync("/a")`, "deletes /a"},
		{program.JavaScript, `import("fs").then(m => m.rm("/a"))`, "deletes /a"},
		{program.JavaScript, "const p = '/a'; fs.rmSync(`${p}/b`)", "deletes /a/b"},
		{program.JavaScript, `["/a", "/b"].forEach(p => fs.rmSync(p))`, "deletes /a|/b"},
		{program.JavaScript, `["/a"].forEach(fs.rmSync)`, "deletes /a"},
		{program.JavaScript, `fs.readdirSync("/a").filter(x).forEach(f => fs.rmSync("/a/" + f))`, "deletes /a/?"},
		{program.JavaScript, `cp["exec" + "Sync"]("a")`, "runs a"},
		{program.JavaScript, "$`a b`", "runs a b"},
		{program.JavaScript, `/rm/.exec("rm -rf /")`, ""},
		{program.JavaScript, `new Map().delete("/")`, ""},
		{program.JavaScript, `const q = 1 / 2; exec("a"); const r = 3 / 4`, "runs a"},
		{program.JavaScript, `// x` + "\n" + `exec("a") /* exec("b") */`, "runs a"},
		{program.JavaScript, `new Deno.Command("a", {args: ["b"]})`, "runs a b (words)"},
		{program.JavaScript, `setInterval(() => cp.fork("x"), 0)`, "forks x (endless)"},
		{program.Perl, `unlink "/a", "/b";`, "deletes /a /b"},
		{program.Perl, `unlink for glob("/a/*")`, "deletes each /a/*"},
		{program.Perl, `system(qw(a b))`, "runs a b"},
		{program.Perl, `my $x = "b"; system("a $x")`, "runs a b"},
		{program.Perl, `qx{a b}`, "runs a b"},
		{program.Perl, `s/x/y/; tr/a/b/; system q(a)`, "runs a"},
		{program.Perl, `print <<E; system("a");` + "\nsystem('b')\nE\n" + `system("c")`, "runs a; runs c"},
		{program.Perl, `open(F, "<", "/a")`, ""},
		{program.Perl, `open(F, ">>/a")`, "writes ? /a"},
		{program.Perl, `open(P, "-|", "a", "b")`, "runs a b (words)"},
		{program.Perl, `system $c`, ""},
		{program.Perl, `fork while 1`, "forks (endless)"},
		{program.Ruby, `FileUtils.rm_rf "/a", verbose: true`, "deletes /a"},
		{program.Ruby, `%w[/a /b].each { |p| File.delete(p) }`, "deletes /a|/b"},
		{program.Ruby, `x = "b"; system "a #{x}"`, "runs a b"},
		{program.Ruby, `h.delete("/")`, ""},
		{program.Ruby, `delete "/", to: "a"`, ""},
		{program.Ruby, `send(:system, "a")`, "runs a"},
		{program.Ruby, "loop do\n  fork\nend\nfork", "forks (endless); forks"},
		{program.PHP, `$f = "system"; $f("a");`, "runs a"},
		{program.PHP, "<?php system('a') ?> system('b') <?php system('c')", "runs a; runs c"},
		{program.PHP, `foreach (glob("/a/*") as $f) unlink($f);`, "deletes each /a/*"},
		{program.Lua, `os.execute("a " .. "b")`, "runs a b"},
		{program.Lua, `--[[ os.execute("a") ]] os.execute [[b]]`, "runs b"},
		{program.AWK, `{ system("a " $1) }`, "runs a <field 1>"},
		{program.AWK, `BEGIN { print "a" | "sh" }`, "runs a"},
		{program.AWK, `BEGIN { print "a" | "sort" }`, "runs sort"},
		{program.AWK, `BEGIN { "a" | getline x }`, "runs a"},
		{program.AWK, `BEGIN { print "a" > "/b" }`, "writes /b"},
		{program.AWK, `/system("a")/ { print }`, ""},
		{program.AppleScript, `tell application "x" to do script "a"`, "runs a"},
		{program.NoLanguage, `(call-process "a" nil "b")`, "runs a ? b"},
		{program.NoLanguage, `unlink("/a", recursive = TRUE)`, "deletes /a ?"},
	} {
		t.Run(c.text, func(t *testing.T) {
			p := script.Read(c.text, c.language, script.Env{Home: "/home/dev"})
			if got := shownIf(p, changing); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestActs reads calls that change nothing here, and those of which nothing is
// known.
func TestActs(t *testing.T) {
	for _, c := range []struct {
		language   program.Language
		text, want string
	}{
		{program.Python, `exec(x)`, "evaluates ?"},
		{program.Python, `f(getattr); map(send)`, ""},
		{program.Python, `re.compile(x)`, ""},
		{program.Python, `json.load(f)`, ""},
		{program.Python, `open("a", "rb").read()`, "reads a"},
		{program.Python, `open(p)`, "reads ?"},
		{program.Python, `open("x", "w")`, "writes x"},
		{program.Python, `import a.b`, "loads b"},
		{program.Python, `base64.b64decode(x)`, "decodes ?"},
		{program.Python, `x.decode("utf-8")`, ""},
		{program.Python, `base64.b64encode(x)`, "encodes ?"},
		{program.Python, `requests.get("https://a")`, "requests GET https://a"},
		{program.Python, `s = requests.Session(); s.post("https://a", json=d)`, "requests POST https://a"},
		{program.Python, `requests.request("delete", "https://a")`, "requests DELETE https://a"},
		{program.Python, `d.get("a")`, ""},
		{program.Python, `urlopen(Request("https://a", method="PUT"))`, "requests GET ?; requests PUT https://a"},
		{program.Python, `s = socket.socket(); s.connect(("h", 1)); s.sendall(x)`, "connects [h 1]; sends ?"},
		{program.Python, `shutil.rmtree(x)`, "deletes ?"},
		{program.JavaScript, `fetch("https://a", {method: "DELETE"})`, "requests DELETE https://a"},
		{program.JavaScript, `fetch("https://a", {body: x})`, "requests POST https://a"},
		{program.JavaScript, `axios({url: "https://a", method: "put"})`, "requests PUT https://a"},
		{program.JavaScript, `router.delete("/", f)`, ""},
		{program.JavaScript, `Buffer.from(x, "base64"); Buffer.from(x, "utf8")`, "decodes ? base64"},
		{program.JavaScript, `setTimeout(() => 1, 5); setTimeout("a b", 5)`, "evaluates a b"},
		{program.JavaScript, `require("./a")`, "loads ./a"},
		{program.Ruby, `File.read("a")`, "reads a"},
		{program.Ruby, `Net::HTTP::Delete.new(uri)`, "requests DELETE ?"},
		{program.PHP, `file_get_contents("https://a")`, "requests GET https://a"},
		{program.PHP, `file_get_contents("a")`, "reads a"},
		{program.PHP, `curl_setopt($c, CURLOPT_CUSTOMREQUEST, "DELETE"); curl_setopt($c, CURLOPT_TIMEOUT, 1);`, "requests DELETE"},
		{program.PHP, `include "a.php";`, "loads a.php"},
		{program.Perl, `do "./a.pl"`, "loads ./a.pl"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := shown(script.Read(c.text, c.language, script.Env{})); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEnv reads programs that use what they are given from outside.
func TestEnv(t *testing.T) {
	one := func(s string) script.Value { return script.Value{Texts: []string{s}} }
	env := script.Env{
		Home: "/home/dev", Arguments: []script.Value{one("/a"), one("/b")}, Input: []string{"/c\n"},
		Variable: func(name string) []string { return map[string][]string{"T": {"/t"}}[name] },
		File: func(name string) []string {
			return map[string][]string{"f": {"/f\n"}, "m.py": {`import os; os.remove("/m")`}, "./m.js": {`fs.rmSync("/m")`}, "m.rb": {`File.delete("/m")`}}[name]
		},
	}
	for _, c := range []struct {
		language   program.Language
		text, want string
	}{
		{program.Python, `os.remove(sys.argv[1]); os.remove(sys.argv[-1]); os.remove(sys.argv[3])`, "deletes /a; deletes /b; deletes <argument>"},
		{program.Python, `subprocess.run(["x"] + sys.argv[1:])`, "runs x /a /b (words)"},
		{program.Python, `subprocess.run(["x", *sys.argv[2:]])`, "runs x /b (words)"},
		{program.Python, `a = p.parse_args(); os.remove(a.path)`, "deletes /a|/b"},
		{program.Python, `os.remove(os.environ["T"]); os.remove(os.getenv("T")); os.remove(os.environ.get("U", "x"))`, "deletes /t; deletes /t; deletes ?|x"},
		{program.Python, `os.remove(sys.stdin.read().strip()); os.remove(input())`, "deletes /c; deletes /c"},
		{program.Python, `with open("f") as h: os.remove(h.read().strip())`, "deletes /f"},
		{program.Python, `os.remove(Path("f").read_text()); os.remove(open("g").read())`, "deletes /f"},
		{program.Python, `import m`, "deletes /m"},
		{program.JavaScript, `fs.rmSync(process.argv[1]); fs.rmSync(process.argv.slice(2)[0])`, "deletes /a; deletes /b"},
		{program.JavaScript, `const {T} = process.env; fs.rmSync(T); fs.rmSync(process.env.T)`, "deletes /t; deletes /t"},
		{program.JavaScript, `fs.rmSync(fs.readFileSync(0, "utf8"))`, "deletes /c"},
		{program.JavaScript, `require("./m")`, "deletes /m"},
		{program.Ruby, `File.delete(ARGV[0]); File.delete(ARGV.last); File.delete(gets.chomp)`, "deletes /a; deletes /b; deletes /c"},
		{program.Ruby, `require_relative "m"`, "deletes /m"},
		{program.Perl, `unlink $ARGV[1]; unlink shift; system "x @ARGV"; unlink $ENV{T}`, "deletes /b; deletes /a; runs x /a /b; deletes /t"},
		{program.PHP, `unlink($argv[1]); unlink(getenv("T")); unlink(fgets(STDIN));`, "deletes /a; deletes /t; deletes /c"},
		{program.AWK, `BEGIN { system("x " ARGV[1] " " ENVIRON["T"]) }`, "runs x /a /t"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := shownIf(script.Read(c.text, c.language, env), changing); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestNamelessModule reads imports of modules that have no name.
func TestNamelessModule(t *testing.T) {
	for _, c := range []struct {
		language program.Language
		text     string
	}{
		{program.JavaScript, `import * as s from ""; s("/a")`},
		{program.Python, "import a.\"\" as b\nb('/a')"},
	} {
		if got := shownIf(script.Read(c.text, c.language, script.Env{}), changing); got != "" {
			t.Errorf("%q: got %q", c.text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x = 1; f(x)", byte(program.Python))
	f.Add("`${a}`", byte(program.JavaScript))
	f.Add("%w[a #{b}] <<~E\nE", byte(program.Ruby))
	f.Add("q{ s{a}{b} <<E\n", byte(program.Perl))
	f.Add("import * as s from \"\"; s()", byte(program.JavaScript))
	f.Add("exec(open(sys.argv[1:][0]).read() + input() + os.environ['T'])", byte(program.Python))
	f.Add("f(getattr)", byte(program.Python))
	f.Add("eval(process.argv.slice(2)[0] + require('./f') + process.env.T)", byte(program.JavaScript))
	f.Fuzz(func(t *testing.T, text string, language byte) {
		given := script.Env{
			Home: "/home/dev", Arguments: []script.Value{{Texts: []string{text, "/a"}}, {}}, Input: []string{text, "a\nb"},
			Variable: func(string) []string { return []string{text} }, File: func(string) []string { return []string{text} },
		}
		script.Read(text, program.Language(language), given)
		p := script.Read(text, program.Language(language), script.Env{Home: "/home/dev"})
		script.Read(text, program.Language(language), script.Env{Output: true})
		if again := script.Read(text, program.Language(language), script.Env{Home: "/home/dev"}); shown(p) != shown(again) {
			t.Errorf("two readings differ: %q and %q", shown(p), shown(again))
		}
	})
}

func ExampleRead() {
	p := script.Read("import os\nfor d in ['a', 'b']:\n    os.system('ls ' + d)", program.Python, script.Env{})
	for _, c := range p.Calls {
		fmt.Println(c.Name, c.Values[0].Texts)
	}
	// Output:
	// system [ls a ls b]
	// import [os]
}

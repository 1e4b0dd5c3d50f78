package confine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/lang/confine"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/cputime"
)

var acts = []string{"reads", "loads", "creates", "appends", "replaces", "removes"}

// said says what a script does.
func said(text string, language program.Language) string {
	list, refused := confine.Read(text, language)
	if refused != nil {
		if refused.Why == "" || refused.From < 0 || refused.To > len(text) || refused.From > refused.To {
			return fmt.Sprintf("a refusal of %d to %d: %s", refused.From, refused.To, refused.Why)
		}
		return "refused: " + refused.Why
	}
	var out []string
	for _, a := range list {
		each := ""
		if a.Each {
			each = "each "
		}
		out = append(out, acts[a.Act]+" "+each+a.Path)
	}
	return strings.Join(out, ", ")
}

// TestAccesses shows which files scripts open.
func TestAccesses(t *testing.T) {
	for _, row := range []struct {
		language   program.Language
		want, text string
	}{
		{program.Python, "", `print("hello", 1 + 2)`},
		{program.Python, "reads a", `open("a").read()`},
		{program.Python, "reads a", `open("a", "rb", encoding=None)`},
		{program.Python, "replaces a", `open(file="a", mode="w")`},
		{program.Python, "replaces a", `open("a", "r+")`},
		{program.Python, "appends a", `open("a", "ab")`},
		{program.Python, "creates a", `open("a", "x")`},
		{program.Python, "reads a/b", "from pathlib import Path\n(Path('a') / 'b').read_text()"},
		{program.Python, "reads /b", "from pathlib import Path\n(Path('a') / '/b').read_text()"},
		{program.Python, "replaces a/b", "import pathlib as p\np.Path('a', 'b').write_text('')"},
		{program.Python, "creates a, removes a/b", "import os\nos.makedirs('a', exist_ok=True); os.remove('a/b')"},
		{program.Python, "reads a/b.c", "import os.path\nd = 'a'\nopen(os.path.join(d, f'b.{e}')) if 0 else 1\ne = 'c'"},
		{program.Python, "reads a, reads b", "p = 'a'\np = 'b'\nopen(p)"},
		{program.Python, "replaces a.py, replaces b.py", "for n in 'a', 'b':\n  open(f'{n}.py', 'w')"},
		{program.Python, "replaces each a/**/*.py", "from pathlib import Path\nfor p in sorted(Path('a').rglob('*.py')): p.write_text('')"},
		{program.Python, "reads each a/*.py, reads each a/*.py", "import glob\nl = [f for f in glob.glob('a/*.py') if 'x' in f]\nfor f in l: open(f)"},
		{program.Python, "reads each a/*", "import os\nfor f in os.listdir('b'): open('a/' + f)"},
		{program.Python, "removes each a/*", "from pathlib import Path\nfor p in Path('a').iterdir(): p.unlink()"},
		{program.Python, "reads a", "x = f\"{open('a').read()}\""},
		{program.Python, "", "import os\nprint(os.path.exists('/etc'), os.listdir('/'))"},
		{program.Python, "", "'{} {0:>{1}}'.format(1, 2)"},
		{program.Python, "refused: which file it opens is unknown", "def f(p): open(p)"},
		{program.Python, "refused: which file it opens is unknown", "import os\nfor f in os.listdir('b'): open('a/' + f, 'w')"},
		{program.Python, "refused: which file it opens is unknown", "for f in ['a'] if 0 else ['/b']: open(f)"},
		{program.Python, "refused: which file it opens is unknown", "x = 1\np = 'a' if x else '/b'\nopen(p)"},
		{program.Python, "refused: which file it opens is unknown", "open('a' 'b')"},
		{program.Python, "refused: how it opens the file is unknown", "open('a', 'r' 'w')"},
		{program.Python, "refused: what the argument opener does is unknown", "open('a', opener=print)"},
		{program.Python, "refused: open is passed on, so its arguments are unknown", "f = open"},
		{program.Python, "refused: it may move a file", "x.replace('b')\nx = 1"},
		{program.Python, "refused: what the format reaches is unknown", "'{0.x}'.format(1)"},
		{program.Python, "refused: it assigns to an attribute", "x = 1\nx.name = 2"},
		{program.Python, "refused: it imports numpy, which is not known to only compute", "import numpy"},
		{program.Python, "refused: os.system is not known to only compute", "import os\nos.system('x')"},
		{program.Python, "refused: what .system does is unknown", "x = 1\nx.system()"},
		{program.Python, "refused: a module is passed on", "import os\nprint(os)"},
		{program.Python, "refused: it uses eval", "eval('1')"},
		{program.Python, "refused: it uses execfile", "def f():\n  execfile = 1\nexecfile('x')"},
		{program.Python, "refused: it calls file, which opens files in Python 2", "def f():\n  file = 1\nfile('x', 'w')"},
		{program.Python, "reads a", "for file in ['a']: open(file)"},
		{program.Python, "refused: it uses eval", "eval = 1\nprint(eval)"},
		{program.Python, "refused: the name nothing is unknown", "nothing()"},
		{program.Python, "refused: the comment may set how the text is decoded", "# coding: x\nprint()"},
		{program.Python, "refused: the script has a control character", "print()\rprint()"},
		{program.Python, "refused: a value in the string is not closed", `print(f'{"a" + 'b'}')`},
		{program.Python, "refused: its brackets do not match", "print((1]"},
		{program.Python, "refused: a string is not closed", "print('a)\n')"},

		{program.JavaScript, "", `console.log(1 + 2, [1, 2].map(x => x * 2))`},
		{program.JavaScript, "reads a", `const fs = require("fs"); fs.readFileSync("a", "utf8")`},
		{program.JavaScript, "replaces a", `require("node:fs").writeFileSync("a", x); var x = 1`},
		{program.JavaScript, "appends a, creates b, removes c", `const fs = require("fs"); fs.appendFileSync("a", ""); fs.mkdirSync("b", {recursive: true}); fs.unlinkSync("c")`},
		{program.JavaScript, "reads a", `const {readFileSync: r} = require("fs"); r("a")`},
		{program.JavaScript, "loads ./a.json", `console.log(require("./a.json").version)`},
		{program.JavaScript, "reads a/b.c", "const path = require('path'), d = 'a'; const n = `b.${e}`, e = 'c'; require('fs').readFileSync(path.join(d, n))"},
		{program.JavaScript, "replaces a, replaces b", `const fs = require("fs"); for (const p of ["a", "b"]) { fs.writeFileSync(p, "") }`},
		{program.JavaScript, "reads each a/*", `const fs = require("fs"); for (const f of fs.readdirSync("b")) fs.readFileSync("a/" + f)`},
		{program.JavaScript, "", `for (let i = 0, a = [1]; i < 3; i++) console.log(a[i], a[i + 1], a[a.length - 1], a["x"])`},
		{program.JavaScript, "", "let s = ''; process.stdin.on('data', d => s += d).on('end', () => console.log(s.length / 2, /\"[/]/g.test(s)))"},
		{program.JavaScript, "refused: which file it opens is unknown", `const fs = require("fs"); for (const f of fs.readdirSync("b")) fs.writeFileSync("a/" + f, "")`},
		{program.JavaScript, "refused: which file it opens is unknown", `const fs = require("fs"), p = "a"; (p => fs.readFileSync(p))("/b")`},
		{program.JavaScript, "refused: which file it opens is unknown", `const fs = require("fs"); let p = "a"; [p] = ["/b"]; fs.readFileSync(p)`},
		{program.JavaScript, "refused: which file it opens is unknown", "const p = 'a'\n+ x; require('fs').readFileSync(p); var x = ''"},
		{program.JavaScript, "refused: which file it opens is unknown", "require('fs').readFileSync(p); var p = 'a'"},
		{program.JavaScript, "refused: which file it opens is unknown", `require("fs").readFileSync(require("path").join("", "/b"))`},
		{program.JavaScript, "reads a/b", `require("fs").readFileSync(require("path").join("a", "/b"))`},
		{program.JavaScript, "refused: readFileSync is passed on, so its arguments are unknown", `const fs = require("fs"); ["a"].map(fs.readFileSync)`},
		{program.JavaScript, "refused: the name of a property is unknown", `const k = "a"; console.log({}[k])`},
		{program.JavaScript, "refused: the name of a property is unknown", `const {["a"]: x} = {}`},
		{program.JavaScript, "refused: it uses the property constructor", `"".constructor`},
		{program.JavaScript, `refused: it uses the property "constructor"`, `const {"constructor": x} = ""`},
		{program.JavaScript, "refused: it uses process.env", `process.env`},
		{program.JavaScript, "refused: process is passed on", `const p = process`},
		{program.JavaScript, "refused: the slash may divide or begin a regular expression", `if (1) /x/.test("")`},
		{program.JavaScript, "refused: it uses this", `this`},
		{program.JavaScript, "refused: it binds console", `const console = 1`},
		{program.JavaScript, "refused: it changes a module", `const path = require("path"); path.join = x => x`},
		{program.JavaScript, "refused: it loads a module that is not known to only compute", `require("child_process")`},
		{program.Ruby, "refused: scripts in this language are not checked", `puts 1`},
	} {
		if got := said(row.text, row.language); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.text, got, row.want)
		}
	}
}

// TestEnds shows which loops end by themselves.
func TestEnds(t *testing.T) {
	for _, row := range []struct {
		want     bool
		language program.Language
		text     string
	}{
		{true, program.Python, "for x in range(3): print(x)"},
		{true, program.Python, "print('while'.count('w'))"},
		{true, program.Python, "import itertools; print(itertools.chain([1], [2]))"},
		{true, program.Python, "import datetime; print(datetime.datetime.fromtimestamp(1700000000))"},
		{true, program.Python, "out = []\nfor x in range(1000): out.append(x * 3 ** 2)"},
		{false, program.Python, "for x in range(10 ** 12): print(x)"},
		{false, program.Python, "for x in range(100000000): print(x)"},
		{false, program.Python, "print('x' * 10_000_000_000)"},
		{false, program.Python, "print('x' * 10**10)"},
		{false, program.Python, "print(2 ** 2 ** 2 ** 40)"},
		{false, program.Python, "print(1 << n)"},
		{false, program.Python, "a = [1]\nfor x in a: a.append(x)"},
		{false, program.Python, "a = [1]\nfor x in a: a += [x]"},
		{false, program.Python, "a = [1]\n[a.append(x) for x in a]"},
		{false, program.Python, "a = [1]\nany(a.append(x) for x in a)"},
		{false, program.Python, "a = [1]\nfor i, x in enumerate(a): a.append(x)"},
		{false, program.Python, "a = [1]\nfor x in map(str, (a)): a.append(x)"},
		{false, program.Python, "class A:\n  a = [1]\nfor x in A.a: A.a.append(x)"},
		{false, program.Python, "import math; math.factorial(10 ** 9)"},
		{false, program.Python, "print(1 << 9 ** 9)"},
		{false, program.Python, "print(1 << 99 * 99999)"},
		{false, program.Python, "print(1 << 99 << 99)"},
		{true, program.Python, "a = []\nfor x in [1, 2]:\n  if x not in a: a.append(x)"},
		{true, program.Python, "a = []\n[a.append(x) for x in [1, 2] if x not in a]"},
		{true, program.Python, "a = [1]\nfor x in list(a): a.append(x)\nfor x in a[1:]: a.append(x)"},
		{true, program.Python, "n = 0\nfor x in [1, 2]: n += x\nfor x in 'a b'.split(): n += len(x)"},
		{true, program.Python, "a = {}\nfor x in a.get('x'): a.add(1)"},
		{true, program.Python, "print(2 ** 10 * 3, 1 << 20)"},
		{false, program.Python, "while True: pass"},
		{false, program.Python, "print(f'{[x for x in iter(int, 1)]}')"},
		{false, program.Python, "import time; time.sleep(1)"},
		{false, program.Python, "from itertools import count as c\nfor x in c(): print(x)"},
		{false, program.Python, "import itertools as it\nfor x in it.cycle([1]): print(x)"},
		{false, program.Python, "import itertools as it\nfor x in it.repeat(1): print(x)"},
		{false, program.Python, "s = 'a'\nfor _ in range(60): s += s"},
		{false, program.Python, "s = 'a'\nfor _ in range(60): s = s + s"},
		{true, program.Python, "s = t = 'a'\nfor _ in range(60): s += t"},
		{false, program.Python, "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(90))"},
		{false, program.Python, "def f(n):\n  if n < 2: return n\n  return f(n - 1) + f(n - 2)\nprint(f(90))"},
		{false, program.Python, "f = lambda n: n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(90))"},
		{true, program.Python, "def f(x): return x\nprint(f(1), f(2))\nprint(f(3))"},
		{true, program.Python, "def f(x):\n  return x\nprint(f(1), f(2))"},
		{true, program.Python, "def f(n): return n and f(n - 1)\nprint(f(9), f(8))"},
		{true, program.Python, "f = lambda n: n\nprint(f(1), f(2))"},
		{false, program.Python, "import itertools; list(itertools.permutations(range(20)))"},
		{true, program.Python, "import itertools; list(itertools.combinations([1, 2, 3], 2))"},
		{false, program.Python, "print('%1000000000d' % 1)"},
		{false, program.Python, "print(f'{1:1000000000d}')"},
		{true, program.Python, "print('%5d at 12:30:1000000000, 100%' % 1)"},
		{true, program.Python, "import json; json.loads('{\"id\":123456789}')"},
		{false, program.Python, "import re; re.match('(a+)+$', x)"},
		{true, program.Python, "import re; re.findall(r'(\\w+)=(\\d+)', x)"},
		{true, program.JavaScript, "for (const a of [1]) console.log(a)"},
		{false, program.JavaScript, "for (let i = 0; i < 10; i--) {}"},
		{false, program.JavaScript, "for (let i = 9; i > 0; i++) {}"},
		{false, program.JavaScript, "for (let i = 0; i < 10; i -= 1) {}"},
		{false, program.JavaScript, "const f = n => n < 2 ? n : f(n - 1) + f(n - 2); f(90)"},
		{false, program.JavaScript, "function f(n) { if (n < 2) return n; return f(n - 1) + f(n - 2) }; f(90)"},
		{true, program.JavaScript, "const f = x => x + 1; console.log(f(1), f(2), f(3))"},
		{true, program.JavaScript, "function f(x) { return x } console.log(f(1), f(2))"},
		{false, program.JavaScript, "console.log(/^(\\w+\\s?)*$/.test(x))"},
		{true, program.JavaScript, "console.log(/^\\w+$/.test(x))"},
		{true, program.JavaScript, "for (let i = 0, n = f(1); i < n; i++) {}"},
		{true, program.JavaScript, "for (let i = 9; i >= 0; i--) {}"},
		{false, program.JavaScript, "for (;;) {}"},
		{false, program.JavaScript, "for (let i = 0; i < 3;) {}"},
		{false, program.JavaScript, "console.log('x'.repeat(1e9))"},
		{false, program.JavaScript, "for (const x of a) a.push(x)"},
		{false, program.JavaScript, "const a = new Set([1]); for (const x of a) a.add(x + 1)"},
		{false, program.JavaScript, "const a = new Map(); for (const x of a.keys()) a.set(x + 1, 1)"},
		{true, program.JavaScript, "const a = [1]; for (const x of [...a]) a.push(x)"},
		{true, program.JavaScript, "const a = new Map(); for (const [k, v] of Object.entries({b: 1})) a.set(k, v)"},
		{false, program.JavaScript, "for (let i = 0; 1; i++) {}"},
		{false, program.JavaScript, "for (let i = a < 1; ; i = a < 1) {}"},
		{false, program.JavaScript, "for (let i = 0; f(a < 1); i++) {}"},
		{false, program.JavaScript, "while (a < 1) {}"},
		{false, program.JavaScript, "do {} while (a < 1)"},
		{false, program.JavaScript, "console.log(`${(() => { while (1) {} })()}`)"},
	} {
		if got := confine.Ends(row.text, row.language); got != row.want {
			t.Errorf("%v: %s", got, row.text)
		}
	}
}

// TestShadows shows which names stand for modules of Python.
func TestShadows(t *testing.T) {
	for name, want := range map[string]bool{
		"json": true, "re.py": true, "JSON.py": true, "_strptime.cpython-312-x86_64-linux-gnu.so": true, "sitecustomize.py": true, "org": true, "tzdata": true, "app": false, "src": false, "tests": false,
	} {
		if got := confine.Shadows(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestMakesPackage shows what makes a directory a package that Python loads.
func TestMakesPackage(t *testing.T) {
	for _, row := range []struct {
		want      bool
		dir, name string
	}{
		{true, "json", "__init__.py"},
		{true, "org", "python"},
		{true, "Org", "Python.py"},
		{true, "tzdata", "zoneinfo"},
		{true, "tzdata", "__init__.py"},
		{false, "org", "apache"},
		{false, "json", "python"},
		{false, "json", ".gitignore"},
	} {
		if got := confine.MakesPackage(row.dir, row.name); got != row.want {
			t.Errorf("%s/%s: %v", row.dir, row.name, got)
		}
	}
}

// TestHostile shows that no script takes long to be read.
func TestHostile(t *testing.T) {
	long := 16 << 10
	for _, unit := range []string{
		"x=", "(", "[", "{", "f(", "lambda ", "for x in ", "for a in b:", "as ", "a.b", "open(", "open('a');", "f'{x}'", "'a'+", "a[i];", "a=>", "`${", "`${a}`", "/a/;", "x/",
		"const a=", "let a=", "let i=0;a[i];", "for(const a of ", "p='a';", "import os\n", "import os,", "[f for f in ", "def f(a):\n", "x.y.z(", "\\\n", "a b ", "{a:", "=a", ";a++",
	} {
		text := strings.Repeat(unit, long/len(unit))
		for _, language := range []program.Language{program.Python, program.JavaScript} {
			if took := cputime.Of(func() { _, _ = confine.Read(text, language) }); took > 250*time.Millisecond {
				t.Errorf("%q in language %d takes %v", unit, language, took)
			}
		}
	}
	if _, refused := confine.Read(strings.Repeat(" ", long+1), program.Python); refused == nil {
		t.Error("a long script is read")
	}
}

// scripts are those of the labelled sessions.
func scripts(tb testing.TB) (out []string) {
	data, err := os.ReadFile("../../../testdata/workday/scripts.txt")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if _, text, ok := strings.Cut(line, " · shell · "); ok {
			text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "⏎", "\n")
			if i := strings.IndexAny(text, "\"'\n"); i > 0 {
				text = strings.TrimSuffix(strings.TrimRight(text[i+1:], "\"'"), "EOF")
			}
			out = append(out, text)
		}
	}
	return out
}

// FuzzRead shows that every text is read or refused, with a place in it.
func FuzzRead(f *testing.F) {
	for _, text := range scripts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []program.Language{program.Python, program.JavaScript} {
			if got := said(text, language); strings.HasPrefix(got, "a refusal") || got != said(text, language) {
				t.Errorf("%q: %s", text, got)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	list := scripts(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range list {
			_, _ = confine.Read(text, program.Python)
			_, _ = confine.Read(text, program.JavaScript)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*len(list)), "ns/script")
}

func ExampleRead() {
	files, refused := confine.Read("from pathlib import Path\nfor p in Path('docs').glob('*.md'):\n    print(p, len(p.read_text()))\n", program.Python)
	fmt.Println(files[0].Path, files[0].Each, files[0].Act == confine.Reads, refused == nil)

	_, refused = confine.Read("import os; os.system('id')", program.Python)
	fmt.Println(refused)
	// Output:
	// docs/*.md true true true
	// os.system is not known to only compute
}

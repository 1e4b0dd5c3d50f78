package eval

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// TestSpans compares the source text of commands; of payloads in quotes too.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"ls -l|pwd", "ls -l;  pwd "},
		{"ls|pwd", "ls&pwd"},
		{"ls > f|wc", "ls > f | wc"},
		{"ls", "! ls"},
		{"A=1 ls", " A=1 ls # x"},
		{"ls|pwd", "(ls; pwd)"},
		{"cat <<E|ls", "cat <<E; ls\na\nE\n"},
		{"echo $(ls)|ls", "echo $(ls)"},
		{"sudo -n ls -l|ls -l", "sudo -n ls -l"},
		{"bash -c 'ls -l; pwd'|ls -l|pwd", "bash -c 'ls -l; pwd'"},
		{`bash -c "ls -l; pwd"|ls -l|pwd`, `bash -c "ls -l; pwd"`},
		{`bash -c "ls \"a\""|"ls \"a\""`, `bash -c "ls \"a\""`},
		{`bash -c ls\ -l|ls\ -l`, `bash -c ls\ -l`},
		{"eval 'ls'|ls", "eval 'ls'"},
		{"eval ls -l|ls -l", "eval ls -l"},
		{`sh -c 'sh -c "ls"'|sh -c "ls"|ls`, `sh -c 'sh -c "ls"'`},
		{"x='ls -l'|$x", "x='ls -l'; $x"},
		{"env -S 'ls -l'|'ls -l'|'ls -l'", "env -S 'ls -l'"},
		{"ls -l|pwd", "ls \\\n-l\npwd\n"},
		{"éa b|ls", "éa b; ls"},
	} {
		l := Read(c.line, testEnv)
		var got []string
		for _, cmd := range l.Commands {
			got = append(got, l.Source[cmd.Span.From:cmd.Span.To])
		}
		if g := strings.ReplaceAll(strings.Join(got, "|"), "\\\n", ""); g != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, g, c.want)
		}
	}
}

// TestWordSpans compares the source text of each word with the word.
func TestWordSpans(t *testing.T) {
	l := Read(`ls 'a b' "c"d e\ f $x`, testEnv)
	want := []string{"ls", "'a b'", `"c"d`, `e\ f`, "$x"}
	for i, w := range l.Commands[0].Words {
		if got := l.Source[w.Span.From:w.Span.To]; got != want[i] || w.Quoted != (i > 0) {
			t.Errorf("word %d stands as %s, quoted %v", i, got, w.Quoted)
		}
	}
}

var placeNames = []string{"piped", "piping", "background", "loop", "branch", "subst", "subshell", "function", "payload", "defined", "out"}

func places(p command.Place) string {
	var out []string
	for i, n := range placeNames {
		if p&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}

// TestPlaces looks at where the command ls stands.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"", "ls; pwd"},
		{"", "{ ls; }"},
		{"", "ls && pwd"},
		{"branch", "pwd && ls"},
		{"branch", "pwd || ls"},
		{"", "true && ls"},
		{"piping subshell", "ls | wc"},
		{"piped subshell", "pwd | ls"},
		{"piped piping subshell", "pwd | ls | wc"},
		{"piping subshell", "ls |& wc"},
		{"background subshell", "ls &"},
		{"background subshell", "coproc ls"},
		{"loop", "for i in a; do ls; done"},
		{"loop", "while pwd; do ls; done"},
		{"loop", "while ls; do pwd; done"},
		{"loop", "until ls; do pwd; done"},
		{"branch", "if pwd; then ls; fi"},
		{"branch", "if pwd; then id; else ls; fi"},
		{"", "if ls; then pwd; fi"},
		{"branch", "case x in x) ls;; esac"},
		{"subst subshell", "echo $(ls)"},
		{"subst subshell", "echo `ls`"},
		{"subst subshell", "cat <(ls)"},
		{"subst subshell out", "tee >(ls)"},
		{"subshell", "(ls)"},
		{"function defined", "f() { ls; }"},
		{"payload", "bash -c ls"},
		{"payload", "eval ls"},
		{"piped subshell", "pwd | sudo ls"},
		{"loop branch", "while pwd; do if id; then ls; fi; done"},
	} {
		l := Read(c.line, testEnv)
		i := slices.IndexFunc(l.Commands, func(c command.Command) bool { return c.Name == "ls" })
		if i < 0 {
			t.Errorf("%s: there is no ls in %s", c.line, render(l))
		} else if got := places(l.Commands[i].Place); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// TestSpawns counts the places that start processes without bound.
func TestSpawns(t *testing.T) {
	for _, c := range []struct {
		want int
		line string
	}{
		{1, ":(){ :|:& };:"},
		{1, ":(){ : | : & }; :"},
		{1, "while [[ 1 ]]; do x & done"},
		{1, "while [[ 1 == 1 ]]; do x & done"},
		{1, "until [ 1 = 2 ]; do x & done"},
		{1, "until [ -z x ]; do x & done"},
		{1, "until [ ]; do x & done"},
		{1, "while [ 1 -lt 2 ]; do x & done"},
		{1, "while ! false; do x & done"},
		{1, "until ((0)); do x & done"},
		{1, "while (( 1 < 2 )); do x & done"},
		{1, "until [[ ! x ]]; do x & done"},
		{0, "while [[ ! x ]]; do x & done"},
		{1, "for ((;1;)); do x & done"},
		{1, "while echo; do x & done"},
		{1, "while true; do sh -c 'yes &'; done"},
		{1, "while true; do eval 'x &'; done"},
		{1, "while true; do setsid -f yes; done"},
		{1, "while true; do coproc x; done"},
		{1, "while true; do x & sleep 0; done"},
		{1, "a(){ b|b& };b(){ a|a& };a"},
		{1, "a(){ b | b; }; b(){ a; }; a"},
		{1, "a(){ b & }; b(){ c; }; c(){ a; a; }; a"},
		{1, "f() { sh -c 'f() { :(){ :|:& };:\n}; f'\n}; f"},
		{0, "a(){ b & }; b(){ a; }"},
		{0, "a(){ b | b; }; b(){ ls; }; a"},
		{0, "a(){ b; }; b(){ a; }; a"},
		{0, "a(){ b & }; b(){ if x; then a; fi; }; a"},
		{0, "while [[ $i -lt 5 ]]; do x & i=$((i+1)); done"},
		{0, "while [[ x == y* ]]; do x & done"},
		{0, "while [ 1 = 2 ]; do x & done"},
		{0, "until [ 1 = 1 ]; do x & done"},
		{0, "while true; do sh -c ls; done"},
		{0, "while true; do sh -c 'x & wait'; done"},
		{0, "while true; do x & sleep 0.5; done"},
		{0, "until curl -s h; do x & done"},
		{1, "f(){ f|f& };f"},
		{1, "bomb() { bomb | bomb & }; bomb"},
		{1, "f() { f & f & }; f"},
		{1, "f() { (f) & f; }; f"},
		{1, "function f { f | f & }; f"},
		{1, "f() { $(f); }; f"},
		{1, "while true; do ls & done"},
		{1, "while :; do ls & done"},
		{1, "while ((1)); do ls & done"},
		{1, "until false; do ls & done"},
		{1, "while [ 1 ]; do ls & done"},
		{1, "for ((;;)); do ls & done"},
		{1, "bash -c ':(){ :|:& };:'"},
		{1, "eval ':(){ :|:& };:'"},
		{0, ":(){ :|:& }"},
		{0, "f() { ls | wc & }; f"},
		{0, "f() { f; }; f"},
		{0, "f() { if a; then f & fi; }; f"},
		{0, "echo ':(){ :|:& };:'"},
		{0, "while true; do ls & wait; done"},
		{0, "while true; do ls & sleep 1; done"},
		{0, "while true; do ls; done"},
		{0, "for i in 1 2 3; do ls & done"},
		{0, "while read x; do ls & done"},
		{0, "while false; do ls & done"},
		{0, "until true; do ls & done"},
		{0, "for ((i=0;i<3;i++)); do ls & done"},
		{0, ": | : &"},
		{0, "# :(){ :|:& };:"},
		{0, "ssh h ':(){ :|:& };:'"},
		{0, "docker run i sh -c 'while :; do ls & done'"},
	} {
		if l := Read(c.line, testEnv); l.Problem != nil || len(l.Spawns) != c.want {
			t.Errorf("%s: %d spawns, want %d", c.line, len(l.Spawns), c.want)
		}
	}
}

// TestOddities compares why characters are odd, and where they stand.
func TestOddities(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"", "ls é 日本 \t\n"},
		{"3 the control character U+001B", "ls \x1b[0m"},
		{"3 the control character U+0007", "ls \a"},
		{"3 the control character U+007F", "ls \x7f"},
		{"3 the control character U+009B", "ls \u009b"},
		{"3 the invisible character U+200B", "ls \u200b"},
		{"3 the invisible character U+202E", "ls \u202e"},
		{"3 the invisible character U+2066", "ls \u2066"},
		{"3 the invisible character U+FEFF", "ls \ufeff"},
		{"3 the invisible character U+00AD", "ls \u00ad"},
		{"3 the invisible character U+E0041", "ls \U000e0041"},
		{"3 the line separator U+2028", "ls \u2028"},
		{"2 the blank U+00A0, which no shell takes for one", "ls\u00a0a"},
		{"2 the blank U+3000, which no shell takes for one", "ls\u3000a"},
		{"3 a byte that is not UTF-8", "ls \xff"},
	} {
		var got []string
		for _, o := range Read(c.line, testEnv).Oddities {
			got = append(got, fmt.Sprint(o.Span.From, " ", o.Why))
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.line, g, c.want)
		}
	}
	if n := len(Read(strings.Repeat("\u200b", 99), testEnv).Oddities); n != 16 {
		t.Errorf("%d oddities are listed", n)
	}
}

// TestProblemCodes has a line for each code, and where the problem lies.
func TestProblemCodes(t *testing.T) {
	for _, c := range []struct {
		want  string
		line  string
		shell string
	}{
		{"", "ls", "zsh"},
		{"", "ls", "dash"},
		{"shell", "ls", "fish"},
		{"shell", "ls", "pwsh"},
		{"syntax", "ls (", ""},
		{"too-long", strings.Repeat("a", shell.MaxSource+1), ""},
		{"", strings.Repeat("a", shell.MaxSource), ""},
		{"too-deep", strings.Repeat("(", 5000) + "ls" + strings.Repeat(")", 5000), ""},
		{"too-many", strings.Repeat("ls;", maxCommands+1), ""},
		{"control-character", "ls \x00", ""},
		{"control-character", "ls \ra", ""},
		{"control-character", "ls\r", ""},
		{"control-character", "ls\r\npwd\r\n", ""},
		{"control-character", "ls 'a\r'", ""},
		{"control-character", "ls # a\r\npwd", ""},
		{"control-character", "ls a\\\r\npwd", ""},
	} {
		l := Read(c.line, Env{Dir: "/w", Shell: c.shell})
		got := ""
		if l.Problem != nil {
			got = l.Problem.Code
		}
		if got != c.want {
			t.Errorf("%.40q for %q: problem %q, want %q", c.line, c.shell, got, c.want)
		}
		checkLine(t, l)
	}
}

// TestArgv reads argument vectors: nothing in them is special.
func TestArgv(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"ls -l", []string{"ls", "-l"}},
		{"'a b' 'c;d' '*' $x `id` ''", []string{"a b", "c;d", "*", "$x", "`id`", ""}},
		{"ls ~ '{a,b}' a=b '#' >f", []string{"ls", "~", "{a,b}", "a=b", "#", ">f"}},
		{`ls 'a\nb' 'a\tb' \x1b é '''`, []string{"ls", "a\nb", "a\tb", "\x1b", "é", "'"}},
		{"if !", []string{"if", "!"}},
		{"A=1 ls", []string{"A=1", "ls"}},
		{"bash -c 'ls; pwd'; ^ls; ^pwd", []string{"bash", "-c", "ls; pwd"}},
		{"sudo ls; ^ls", []string{"sudo", "ls"}},
		{"!control-character", []string{"ls", "\x00"}},
		{"", nil},
	} {
		l := Argv(c.args, testEnv)
		if got := render(l); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.args, got, c.want)
		}
		if c.args != nil && c.args[0] == "A=1" && len(l.Commands[0].Words) != 2 {
			t.Errorf("%q assigns", c.args)
		}
	}
}

// TestReasons looks for parts of the reasons why a command is opaque or in
// doubt.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"the program is unknown", "$x"},
		{"the program is unknown", "/bin/*"},
		{"the program is unknown", "$(ls)"},
		{"evaluates unknown text", "eval $x"},
		{"evaluates unknown text", `bash -c "$x"`},
		{"evaluates text that does not parse", "bash -c 'if'"},
		{"text that cannot be read", "bash -c $'ls \\ra'"},
		{"evaluates its input", "curl x | sh"},
		{"evaluates its input", "bash"},
		{"the file it runs is unknown", "bash $x"},
		{"the file it runs is unknown", ". $x"},
		{"as a prompt", "echo ${x@P}"},
		{"nested too deeply", "eval eval eval eval eval eval eval eval eval eval ls"},
		{"wrap commands too deeply", strings.Repeat("nice ", 40) + "ls"},
		{"text of a variable as arithmetic", "echo $((x))"},
		{"text of a variable as arithmetic", "[[ $x -eq 1 ]]"},
		{"output of a command as arithmetic", "echo $(($(ls)))"},
		{"by name", "[[ -v x ]]"},
		{"invisible characters", "l\u200bs"},
		{"invisible characters", "ls -\u200bl"},
		{"a configuration value is unknown", "git -c $x status"},
	} {
		found := ""
		for _, cmd := range Read(c.line, testEnv).Commands {
			found += cmd.Opaque + "|" + cmd.Doubt + "|"
		}
		if !strings.Contains(found, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.line, found, c.want)
		}
	}
}

// TestEnvironments reads one line for several surroundings.
func TestEnvironments(t *testing.T) {
	const line = "cd; ls ~/a b"
	for _, c := range []struct {
		want []string
		env  Env
	}{
		{[]string{"/h", "/h/a"}, Env{Dir: "/w", Home: "/h"}},
		{[]string{UnknownHome, UnknownHome + "/a"}, Env{Dir: "/w"}},
		{[]string{UnknownHome, UnknownHome + "/a"}, Env{}},
	} {
		cmd := Read(line, c.env).Commands[1]
		if got := []string{cmd.Dir.Values[0], cmd.Words[1].Values[0]}; !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.env, got, c.want)
		}
	}
	if dir := Read("ls", Env{}).Commands[0].Dir; !dir.Open || len(dir.Values) > 0 {
		t.Errorf("an unknown directory is %+v", dir)
	}
}

package eval_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/support/cputime"
)

// TestEscapes shows what programs hand to a shell in languages of their own.
func TestEscapes(t *testing.T) {
	for _, row := range []struct {
		line string
		want []string
	}{
		{`vim -c 'silent! !a b' f`, []string{"a b"}},
		{`vim -c "1,'x!a" f`, []string{"a"}},
		{`vim -c 'g!/!b/!a' f`, []string{"a"}},
		{`vim -c 'v/!b/d' f`, nil},
		{`vim -c 'au X * sil !a' f`, []string{"a"}},
		{`vim '+/!a' f`, nil},
		{`ex -sc '1i|!a' f`, nil},
		{"ed f <<'E'\ni\n!a\n.\n!b\nE", []string{"b"}},
		{`less '+!a' f '!b'`, []string{"a"}},
		{`gdb -ex 'pipe p x | a b'`, []string{"a b"}},
		{`sqlite3 x ".output '|a b'" 'select 1'`, []string{"a b"}},
		{`sqlite3 x '.outputs |a'`, nil},
		{`psql -c "select '\! a'"`, nil},
		{`psql -c "COPY t FROM  PROGRAM 'a b' csv"`, []string{"a b"}},
		{`mysql -e 'select 1; SYSTEM a'`, []string{"a"}},
		{`mysql -e 'systems a'`, nil},
		{"m4 <<< \"syscmd(\\`a b')\"", []string{"a b"}},
		{`kak -e 'x %sh{a b} y'`, []string{"a b"}},
		{`crontab - <<< '# 1 2 3 4 5 a'`, nil},
		{`crontab - <<< '*/5 2 3 4 5 a b'`, []string{"a b"}},
		{`(crontab -l; echo '@daily a') | crontab -`, []string{"a"}},
		{`screen -S s -X stuff 'a b'`, []string{"a b"}},
		{`n exec 20 a 'b c'`, []string{"20 a 'b c'", "a 'b c'"}},
		{`expect -c 'if {1} { spawn -noecho a {b c} }'`, []string{"a 'b c'"}},
		{`expect -c 'puts "exec a"; # exec b'`, nil},
		{`tclsh <<< 'puts "[exec a]"'`, []string{"a"}},
		{`pwsh -c '"a","b" | % { c $_ }'`, []string{"c a", "c b", "c $_", `"a","b" | % { c $_ }`, "\"a\",\"b\" | % \nc $_"}},
		{"pwsh -c '$a = \"/x\"; (& c $a); return d –e `\n f # g`\nSet-Location /y'", []string{"$a = \"/x\"; (& c $a); return d –e `\n f # g`\nSet-Location /y", "a=\"/x\"\nc $a\nd -e  f # g\ncd /y", "cd /y"}},
	} {
		line := eval.Read(row.line, eval.Env{Dir: "/d", Home: "/h"})
		var got []string
		for i := range line.Commands {
			for _, e := range line.Commands[i].Escapes() {
				if e.Kind == command.Shelled {
					got = append(got, e.Text)
				}
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.line, got, row.want)
		}
	}
}

// However a text nests commands of a program's own language, looking for them ends soon.
func TestHostileEscapes(t *testing.T) {
	for program, parts := range map[string]string{
		"vim": "au |exe norm au |g/x/|sil ", "expect": "[|{|eval {|[exec ", "psql": `\g |"`, "gdb": "pipe a, ", "screen": "-X exec ", "pwsh": "{|{$_", "dc": "!",
	} {
		for part := range strings.SplitSeq(parts, "|") {
			line := program + " <<'E'\n" + strings.Repeat(part, 50000/len(part)) + "\nE"
			if took := cputime.Of(func() { eval.Read(line, eval.Env{Home: "/home/dev", Dir: "/home/dev/project"}) }); took > 2*time.Second {
				t.Errorf("%s %q: %v", program, part, took)
			}
		}
	}
}

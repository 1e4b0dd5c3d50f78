package eval

import (
	"testing"
)

// TestFindExpression reads expressions as find does: whether most of what lies
// below the root reaches the last action.
func TestFindExpression(t *testing.T) {
	for _, row := range []struct {
		most       bool
		expression string
	}{
		{true, ""},
		{true, "-type f"},
		{true, "! -name x"},
		{true, "-not -name x"},
		{true, "! ! -type f"},
		{true, "-name x -o -true"},
		{true, "-name x -o -type f"},
		{true, `\( -type f -o -type l \)`},
		{true, `\( -name x -o ! -name x \)`},
		{true, `-name x -prune -o`},
		{true, `-name x -quit -o`},
		{true, `-path /proc -prune -o -type f`},
		{true, `\( -path /proc -o -path /sys \) -prune -o`},
		{true, `\( -name x -prune \) -o -print`},
		{true, `-name x ,`},
		{true, `\( -name x , -true \)`},
		{true, `! \( -name x -o -name y \)`},
		{true, `! \( -name x -a -type f \)`},
		{true, `-exec true \;`},
		{true, `-name x -exec echo {} \; -o`},
		{true, `-maxdepth 1 -mindepth 1`},
		{true, `-name '*'`},
		{true, `-name '[!x]*'`},
		{true, `-name '[a-z]*'`},
		{true, `-name '[[:print:]]*'`},
		{true, `-name '*[^x]'`},
		{true, `-path '*[a-z]*'`},
		{true, `-regex '.*[a-z].*'`},
		{true, `-name '*.*'`},
		{true, `-name '.*'`},
		{true, `\( -name 'a*' -o -name 'b*' \)`},
		{true, `-name '*e*'`},
		{true, `! -newer x`},
		{true, `-mtime -9999`},
		{true, `\( \( -type f \) \)`},
		{true, `-name x -o -name y -o -size +0`},
		{true, `-false -o`},
		{false, "-name x"},
		{false, "-true -o"},
		{false, "-false"},
		{false, "! -true"},
		{false, "! ! -name x"},
		{false, "! -name x -name y"},
		{false, `-type f ! -path '/proc/*' -name x`},
		{false, `\( -name x -o -name y \)`},
		{false, `-type f \( -name '*.o' -o -name '*.a' \)`},
		{false, `\( -name x -o \( -name y -type f \) \)`},
		{false, `-path /proc -prune -o -name x`},
		{false, `-name x -prune -o -name y -prune -o -name z`},
		{false, `-name x -prune`},
		{false, `-newer x`},
		{false, `-name x -o -name y`},
		{false, `-name x -print -o -name y`},
		{false, `! \( ! -name x \)`},
		{false, `! \( -type f -o ! -name x \) -name y`},
		{false, `-type f , -name x`},
		{false, `-exec grep -q x {} \;`},
		{false, `! -name x -exec test -s {} \;`},
		{false, `-name '*.[oa]'`},
		{false, `-path '*/[a-z]bc/*'`},
		{false, `-regex '.*\.[oa]'`},
		{false, `-name '*~'`},
		{false, `-name '*.c'`},
		{false, `-name '.*.swp'`},
		{false, `-quit`},
		{false, `-mtime +7 -name x`},
	} {
		for _, action := range []string{"-delete", `-exec rm {} +`, `-ok rm {} \;`} {
			line := Read("find / "+row.expression+" "+action, Env{})
			if line.Problem != nil {
				t.Fatalf("%q: %s", row.expression, line.Problem.Why)
			}
			c := &line.Commands[0]
			got := c.DeletesMost()
			if action != "-delete" {
				got = line.Sweeper(&line.Commands[len(line.Commands)-1]) == c
			}
			if got != row.most {
				t.Errorf("find / %s %s: most %v", row.expression, action, got)
			}
		}
		piped := Read("find / "+row.expression+" -print | xargs rm", Env{})
		if _, narrowed := piped.Commands[0].SearchRoots(); narrowed == row.most {
			t.Errorf("find / %s -print | xargs rm: narrowed %v", row.expression, narrowed)
		}
	}
}

// TestSweeper tells the actions of one find apart.
func TestSweeper(t *testing.T) {
	for _, row := range []struct {
		most bool
		line string // of which the last command is run
	}{
		{false, `find / -exec ls {} \; -name x -exec rm {} \;`},
		{true, `find / -name x -exec ls {} \; -o -exec rm {} \;`},
		{false, `find / -type f -exec ls {} + -name x -exec rm {} +`},
		{true, `find / -name x -exec ls {} + , -exec rm {} +`},
		{false, `find / -exec find {} -name x -exec rm {} \;`},
		{true, `find / -name x -exec find {} -exec rm {} \;`},
	} {
		line := Read(row.line, Env{})
		if got := line.Sweeper(&line.Commands[len(line.Commands)-1]) != nil; got != row.most {
			t.Errorf("%s: most %v", row.line, got)
		}
	}
	for _, row := range []struct {
		narrowed bool
		line     string
	}{
		{true, "find / -name x -o -name y | xargs rm"},
		{false, "find / -name x -o -type f | xargs rm"},
		{false, "find / -print -name x | xargs rm"},
		{true, "find / -print -name x -delete"},
		{true, "find / -print -name x -print0 -delete"},
		{false, `find / \) -delete`},
		{true, `find / \( -name x -delete`},
		{false, "find / -neweraa x -delete"},
	} {
		c := &Read(row.line, Env{}).Commands[0]
		if _, narrowed := c.SearchRoots(); narrowed != row.narrowed {
			t.Errorf("%s: narrowed %v", row.line, narrowed)
		}
	}
}

// TestFindHandsOnNames shows what a find that looks for names hands on of its
// roots.
func TestFindHandsOnNames(t *testing.T) {
	for _, row := range []struct{ want, line string }{
		{"rm {/etc|?}", `find / -name etc -exec rm {} \;`},
		{"rm {/etc|/usr|?}", `find / \( -name etc -o -name usr \) -exec rm {} +`},
		{"rm {/a/x|/b/x|?}", `find /a /b/ -name x -exec rm {} +`},
		{"rm ?", `find / -name etc -prune -o -newer x -exec rm {} +`},
		{"rm {/b|?}", `find / -name a -prune -o -name b -exec rm {} +`},
		{"rm {/etc|?}", `find / \( -name etc -prune -o -newer x \) -exec rm {} +`},
		{"rm ?", `find / ! -name etc -newer x -exec rm {} +`},
		{"rm ?", `find / -type f -name etc -exec rm {} +`},
		{"rm ?", `find / -newer x -exec rm {} +`},
	} {
		line := Read(row.line, Env{})
		if got := renderWords(line.Commands[len(line.Commands)-1].Words); got != row.want {
			t.Errorf("%s hands on %s, want %s", row.line, got, row.want)
		}
	}
}

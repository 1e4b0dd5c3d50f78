package eval_test

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// TestListings reads lines whose last command is given what another lists:
// names count only behind the directory in which they stand.
func TestListings(t *testing.T) {
	rows := []struct{ want, line string }{
		{"/*", "rm $(ls -d /*)"},
		{"/a/*", "for d in $(ls /a); do rm /a/$d; done"},
		{"/a/*", "for d in $(ls /a); do rm \"/a/${d}\"; done"},
		{"", "for d in $(ls /a); do rm /b/$d; done"},
		{"", "for d in $(ls /a); do rm $d; done"},
		{"/a/*", "cd /a; rm $(ls)"},
		{"/a/*/b", "ls /a | while read -r d; do rm /a/$d/b; done"},
		{"/a/*", "ls /a | sed 's|^|/a/|' | xargs rm"},
		{"", "ls /a | sed 's|^|/b/|' | xargs rm"},
		{"/a/*", "ls /a | grep -v x | xargs -I{} rm /a/{}"},
		{"", "ls -d /a/* | grep x | xargs rm"},
		{"", "ls -d /a/* | head -1 | xargs rm"},
		{"", "ls -l /a | xargs rm"},
		{"/a/*", "mapfile -t x < <(ls -d /a/*); rm \"${x[@]}\""},
		{"/a/*", "x=$(ls -d /a/*); rm $x"},
		{"/a*", "compgen -f /a | xargs rm"},
		{"/dev/*", "for d in $(lsblk -dno NAME); do rm /dev/$d; done"},
		{"/*", "rm /!(a)"},
	}
	for _, r := range rows {
		line := eval.Read(r.line, eval.Env{Dir: "/w", Home: "/home/dev"})
		c := &line.Commands[len(line.Commands)-1]
		var got []string
		for i := range line.Commands {
			if line.Commands[i].Name == "rm" {
				c = &line.Commands[i]
			}
		}
		for _, w := range c.Words[1:] {
			got = append(got, w.Values...)
		}
		if r.want == "" && len(got) > 0 || r.want != "" && !slices.Contains(got, r.want) {
			t.Errorf("%s: rm is given %q, want %q", r.line, got, r.want)
		}
		for _, w := range c.Words[1:] {
			if !w.Open && len(w.Values) > 0 && w.Values[0] != "-r" {
				t.Errorf("%s: %q is no open set", r.line, w.Values)
			}
		}
	}
}

// TestLinks follows what a line links, and the links of processes.
func TestLinks(t *testing.T) {
	rows := []struct{ want, line string }{
		{"/etc/x", "ln -s /etc e; rm e/x"},
		{"/w/e", "ln -s /etc e; rm e"},
		{"/etc", "ln -s /etc e; rm e/"},
		{"/w/e/x", "rm e/x; ln -s /etc e"},
		{"/etc/x", "ln -s /etc d/; rm d/etc/x"},
		{"/w/s/x", "ln -s ../s d/e; rm d/e/x"},
		{"/", "mount --bind / m; rm m"},
		{"/w/m", "mount /dev/sdb1 m; rm m"},
		{"/etc", "rm /proc/$$/root/etc"},
		{"/etc", "rm /proc/self/task/7/root/etc"},
		{"/w/x", "rm /proc/self/cwd/x"},
		{"/", "rm /proc/self/cwd/.."},
		{"/proc/7/cwd/x", "rm /proc/7/cwd/x"},
		{"/proc/self/status", "rm /proc/self/status"},
	}
	for _, r := range rows {
		line := eval.Read(r.line, eval.Env{Dir: "/w", Home: "/home/dev"})
		for i := range line.Commands {
			c := &line.Commands[i]
			if c.Name != "rm" {
				continue
			}
			w := c.Words[1].Set
			if got := line.Follow(shell.Paths(c.Dir, w), c, w); !slices.Equal(got, []string{r.want}) {
				t.Errorf("%s: %q, want %q", r.line, got, r.want)
			}
		}
	}
}

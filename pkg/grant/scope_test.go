package grant_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestPathIsScope: what a program without a grammar is given as a path is where
// it works, so that a grant holds from wherever the agent stands, and nowhere
// else.
func TestPathIsScope(t *testing.T) {
	const away = "/srv/away"
	for _, tc := range []struct{ want, dir, line string }{
		{"allow", away, "freshx ~/app/sub"},
		{"allow", away, "freshx ~/app"},
		{"allow", away, "freshx /home/dev/app/sub"},
		{"allow", away, "freshx /home/dev/app/sub/../x.txt"},
		{"allow", away, "freshx --out=/home/dev/app/x ~/app/sub"},
		{"allow", away, "freshx --verbose -v ~/app/sub -- ~/app/src"},
		{"ask", away, "freshx src=~/app/src ~/app/sub"},
		{"ask", away, "freshx \"$HOME/app/sub\" '/home/dev/app/x y'"},
		{"allow", away, "freshx ~/app/sub 2>&1 | tail -3"},
		{"allow", away, "freshx ~/app/sub > /home/dev/app/log"},
		{"allow", away, "freshx ~/app/sub > /dev/null"},
		{"allow", home, "freshx ./app/sub"},
		{"allow", away, "cd ~/app && freshx sub"},
		{"allow", app, "freshx sub"},
		{"allow", app, "freshx"},
		{"allow", app, "freshx ./sub ~/app/x"},
		{"allow", app, "freshx --count 3 x"},

		// Elsewhere.
		{"ask", app, "freshx /etc"},
		{"ask", home + "/.ssh", "freshx ~/app/sub"},
		{"ask", home + "/.aws", "freshx ~/app/sub"},
		{"allow", "/", "freshx ~/app/sub"},
		{"allow", "/tmp", "freshx ~/app/sub"},
		{"allow", home, "freshx ~/app/sub"},
		{"ask", away, "freshx"},
		{"ask", away, "freshx sub"},
		{"ask", away, "freshx --verbose"},
		{"ask", away, "freshx ."},
		{"ask", away, "freshx ~/app/sub out"}, // out may lie in /srv/away
		{"ask", away, "freshx ~/app/sub -o out"},
		{"ask", away, "freshx ~/app/sub -oout"},
		{"ask", away, "freshx ~/app/sub --out out"},
		{"ask", away, "freshx ~/app/sub --out=out"},
		{"ask", away, "freshx ~/app/sub --root=."},
		{"ask", away, "freshx ~/app/sub out=x"},
		{"ask", away, "freshx ~/app/sub @list"},
		{"ask", away, "freshx ~/app/sub > out"},
		{"ask", away, "freshx ~/app/sub < in"},
		{"ask", away, "freshx ~/app/sub 2>> log"},
		{"ask", away, "freshx ~/app/sub &> log"},
		{"ask", away, "freshx > ~/app/log"}, // the path is no argument
		{"ask", away, "freshx < ~/app/in"},
		{"ask", away, "freshx --out=/home/dev/app/x"}, // an output says nothing of what it reads
		{"ask", away, "freshx -C/home/dev/app"},
		{"ask", away, "freshx ~/app2/sub"},
		{"ask", away, "freshx ~/app/../x"},
		{"ask", away, "freshx ~/app/sub/../../x"},
		{"ask", away, "freshx ~/app/.."},
		{"ask", away, "freshx ~/app/sub /etc"},
		{"ask", away, "freshx /etc ~/app/sub"},
		{"ask", away, "freshx ~/app/sub --out=/etc"},
		{"ask", away, "freshx ~/app/sub --out /etc"},
		{"ask", away, "freshx ~/app/sub -o/etc"},
		{"ask", away, "freshx ~/app/sub -o ../x"},
		{"ask", away, "freshx ~/app/sub -o.."},
		{"ask", away, "freshx ~/app/sub -C/"},
		{"ask", away, "freshx ~/app/sub @/etc/passwd"},
		{"ask", away, "freshx @~/app/sub"},
		{"ask", away, "freshx ~/app/sub:/etc"},
		{"ask", away, "freshx /home/dev/app/a:/etc"},
		{"ask", away, "freshx ~/app/a,/etc"},
		{"ask", away, "freshx '~/app/a;/etc'"},
		{"ask", away, "freshx ~/app/sub key=/etc"},
		{"ask", away, "freshx ~/app/sub key=~/x"},
		{"ask", away, "freshx ~/app/sub key=~root/x"},
		{"ask", away, "freshx ~/app/sub a.b=../x"},
		{"ask", away, "freshx ~/app/sub '{\"out\":\"/etc\"}'"},
		{"ask", away, "freshx ~/app/sub 'x /etc'"},
		{"ask", away, "freshx ~/app/sub x%/etc"},
		{"ask", away, "freshx ~/app/sub x#/etc"},
		{"ask", away, "freshx ~/app/sub x!/etc"},
		{"ask", away, "freshx ~/app/sub x^/etc"},
		{"ask", away, "freshx ~/app/sub 'x$/etc'"},
		{"ask", away, "freshx ~/app/sub 'x\\/etc'"},
		{"ask", away, "freshx ~/app/sub 'x?/etc'"},
		{"ask", away, "freshx ~/app/sub 'x*/etc'"},
		{"ask", app, "freshx x%/etc"},
		{"ask", app, "freshx 'x!/etc'"},
		{"ask", app, "freshx 'x#~/y'"},
		{"ask", app, "freshx 'a\\../../x'"},
		{"ask", away, "freshx ~/app/sub file:///etc"},
		{"ask", away, "freshx ~/app/sub file:/etc"},
		{"ask", away, "freshx file:///home/dev/app/sub"},
		{"ask", away, "freshx ~/app/sub https://x.example"},
		{"ask", away, "freshx ~/app/sub git@x.example:y"},
		{"ask", away, "freshx ~root/app/sub"},
		{"ask", away, "freshx ~+/x ~/app/sub"},
		{"ask", away, "freshx ~-/x ~/app/sub"},
		{"ask", away, "freshx $X ~/app/sub"},
		{"ask", away, "freshx ~/app/$X"},
		{"ask", away, "freshx \"$PWD\" ~/app/sub"},
		{"ask", away, "freshx ~/app/*"},
		{"ask", away, "freshx ~/app/s?b"},
		{"ask", away, "freshx ~/app/{sub,../x}"},
		{"ask", away, "freshx $(cat list)"},
		{"ask", away, "freshx $(echo ~/x)"},
		{"ask", away, "freshx ~/app/out/x"}, // a link
		{"ask", away, "freshx ~/app/in"},
		{"ask", away, "freshx ~/app/out/../x"},
		{"ask", away, "freshx ~/way/sub"},
		{"ask", away, "freshx ~/app/lost"},
		{"ask", away, "freshx ~/app/.env"},
		{"ask", away, "freshx ~/app/.git/hooks"},
		{"ask", home, "freshx ./app/../x"},
		{"ask", away, "X=1 freshx ~/app/sub"},
		{"ask", away, "env freshx ~/app/sub"},
		{"ask", away, "sudo freshx ~/app/sub"},
		{"ask", away, "./freshx ~/app/sub"},
		{"ask", away, "freshx ~/app/sub <<< x"},
		{"ask", away, "freshx ~/app/sub && freshx x"},
		{"ask", away, "cd /etc && freshx ~/app/sub x"},
		{"ask", app, "cd /etc && freshx"},
		{"ask", away, "cd $X && freshx ~/app/sub"},

		// Programs that do what the directory says in which they start.
		{"ask", away, "make ~/app/sub"},
		{"ask", away, "npm run x ~/app/sub"},
		{"ask", away, "pytest ~/app/sub"},
		{"ask", away, "just ~/app/sub"},
		{"ask", away, "rake ~/app/sub"},
		{"ask", away, "task ~/app/sub"},
		{"ask", away, "tox ~/app/sub"},
		{"ask", away, "nox ~/app/sub"},
		{"ask", away, "gulp ~/app/sub"},
		{"ask", away, "grunt ~/app/sub"},
		{"ask", away, "webpack ~/app/sub"},
		{"ask", away, "vite build ~/app/sub"},
		{"ask", away, "jest ~/app/sub"},
		{"ask", away, "vitest ~/app/sub"},
		{"ask", away, "mocha ~/app/sub"},
		{"ask", away, "eslint ~/app/sub"},
		{"ask", away, "prettier ~/app/sub"},
		{"ask", away, "rspec ~/app/sub"},
		{"ask", away, "scons ~/app/sub"},
		{"ask", away, "ninja ~/app/sub"},
		{"ask", away, "invoke ~/app/sub"},
		{"ask", away, "hg commit ~/app/sub"},
		{"ask", away, "bazel build ~/app/sub"},
		{"ask", away, "jj commit ~/app/sub"},
		{"ask", away, "jupyter nbconvert ~/app/sub"},

		// Programs that talk to whom their directory says.
		{"ask", away, "hub ~/app/sub"},
		{"ask", away, "vercel ~/app/sub"},
		{"allow", app, "vercel ~/app/sub"},
	} {
		d := newDesk(t)
		d.dir = tc.dir
		for _, verb := range []string{"freshx", "make", "npm run", "pytest", "just", "rake", "task", "tox", "nox", "gulp", "grunt", "webpack", "vite", "jest", "vitest", "mocha", "eslint", "prettier", "rspec", "scons", "ninja", "invoke", "hg commit", "bazel build", "jj commit", "jupyter nbconvert", "hub", "vercel"} {
			d.entries = append(d.entries, here(t, verb+" in "+app)...)
		}
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("in %s, %q is %s by %s %s (%s), want %s", tc.dir, tc.line, v.Decision, v.Stage, v.Rule, v.Why, tc.want)
		}
	}
}

// TestScopeProposed shows that a click stores the directory of the path, and
// that the call then no longer asks.
func TestScopeProposed(t *testing.T) {
	for _, tc := range []struct {
		want  string
		scope grant.Scope
		dir   string
		line  string
	}{
		{"freshx in /home/dev/app/sub", grant.Here, "/srv/away", "freshx ~/app/sub"},
		{"freshx in /home/dev/app", grant.Here, "/srv/away", "freshx ~/app/x.txt"},
		{"freshx in /home/dev/app/sub", grant.Here, "/srv/away", "freshx ~/app/sub ~/app/sub/x"},
		{"freshx in /home/dev/app/src", grant.Here, app, "freshx ./src --x"},
		{"freshx in /home/dev/app", grant.Here, app, "freshx ./src x"},
		{"freshx in /home/dev/app", grant.Here, app, "freshx src"},
		{"!different directories", grant.Here, "/srv/away", "freshx ~/app/sub out"},
		{"freshx anywhere", grant.Anywhere, "/srv/away", "freshx ~/app/sub out"},

		// Shallow directories are for a conversation alone.
		{"!holds too much", grant.Here, "/", "freshx"},
		{"freshx in /, in this session", grant.Session, "/", "freshx"},
		{"!home directory", grant.Here, home, "freshx"},
		{"freshx in /home/dev, in this session", grant.Session, home, "freshx"},
		{"!holds too much", grant.Here, "/home", "freshx"},
		{"freshx in /home, in this session", grant.Session, "/home", "freshx"},
		{"!holds too much", grant.Here, "/tmp", "freshx"},
		{"freshx in /tmp, in this session", grant.Session, "/tmp", "freshx"},
		{"!holds too much", grant.Here, "/usr", "freshx"},
		{"freshx in /usr, in this session", grant.Session, "/usr", "freshx"},
		{"!sensitive", grant.Session, "/usr", "freshx x"},
		{"!sensitive", grant.Session, app, "freshx /usr"},
		{"freshx in /home/dev, in this session", grant.Session, app, "freshx ~"},
		{"touch in /home/dev, in this session", grant.Session, app, "touch ~/x.txt"},
		{"freshx in /, in this session", grant.Session, app, "freshx /"},
	} {
		d := newDesk(t)
		d.dir = tc.dir
		entries, why := d.propose(d.call(tc.line), tc.scope)
		got := texts(entries)
		if reason, ok := strings.CutPrefix(tc.want, "!"); ok {
			if len(entries) > 0 || !strings.Contains(why, reason) {
				t.Errorf("in %s, %q stores %q, %q; want %q", tc.dir, tc.line, got, why, tc.want)
			}
			continue
		}
		if got != tc.want {
			t.Errorf("in %s, %q stores %q, %q; want %q", tc.dir, tc.line, got, why, tc.want)
			continue
		}
		d.entries = entries
		if v := d.decide(d.call(tc.line)); v.Decision != policy.Allow {
			t.Errorf("in %s, %q asks again: %s %s %s", tc.dir, tc.line, v.Stage, v.Rule, v.Why)
		}
	}
}

// TestShallowSession: an approval for a chat in a wide directory covers there
// what it shows, and neither secrets nor another chat.
func TestShallowSession(t *testing.T) {
	e := grant.Entry{Verb: "freshx", Dir: "/", Scope: grant.Session, Tool: "shell", Agent: "claude", Conversation: "s1", By: "test"}
	for _, tc := range []struct{ want, session, line string }{
		{"allow", "s1", "freshx /srv/x"}, {"allow", "s1", "freshx"},
		{"ask", "s2", "freshx"}, {"ask", "", "freshx"},
		{"ask", "s1", "freshx ~/.ssh"}, {"ask", "s1", "freshx ~/.bashrc"}, {"ask", "s1", "sudo freshx"}, {"ask", "s1", "freshx > /etc/passwd"},
		{"deny", "s1", "freshx > /dev/sda"},
	} {
		d := newDesk(t)
		d.entries, d.session = []grant.Entry{e}, tc.session
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%q: %s by %s %s, want %s", tc.line, v.Decision, v.Stage, v.Rule, tc.want)
		}
	}
}

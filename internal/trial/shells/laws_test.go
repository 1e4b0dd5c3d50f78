//go:build linux

package shells_test

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A difference is something that a shell does with a line against what was
// decided about it.
type difference struct {
	Law   string // proved, covered, denied or floor
	Shell string // that ran the line
	Call  string // the shell that the call named, "" for none
	Did   string // what the shell did
	Read  string // what was read
}

func (d *difference) String() string {
	return fmt.Sprintf("%s (call's shell %q): %s %s\n\tread: %s", d.Law, d.Call, d.Shell, d.Did, d.Read)
}

// An ownWorld knows the playground.
type ownWorld struct{}

func (ownWorld) GitPrograms(dir string) ([]string, bool) {
	return nil, dir == project || strings.HasPrefix(dir, project+"/")
}

func (w ownWorld) GitDirs(dir string) ([]string, bool) {
	_, ok := w.GitPrograms(dir)
	return []string{project + "/.git"}, ok
}

func (ownWorld) RealPath(path string) (string, bool) { return resolve(path), true }

func (ownWorld) Links(string) ([]string, bool) { return nil, true }

func (ownWorld) Below(string, func(string, fs.FileMode) error) bool { return false }

// A bench holds the engines under which lines are judged.
type bench struct {
	plain, yolo          *policy.Engine // no permissions
	covering             *policy.Engine // allows some programs and one file
	denying, yoloDenying *policy.Engine // denies curl, and writing files whose names begin with secret
}

// allows are the permissions of the engine that covers.
var allows = []string{"shell go test *", "shell make *", "shell p *", "write out"}

// denies are those of the engine that denies.
var denies = []string{"shell curl *", "write secret*"}

func newBench(t testing.TB) *bench {
	engine := func(action policy.Decision, matches []string, yolo bool) *policy.Engine {
		s := policy.Defaults()
		s.Yolo = yolo
		for _, m := range matches {
			s.Permissions = append(s.Permissions, policy.Permission{Match: m, Action: action})
		}
		if action == policy.Allow {
			s.Allowlist = []policy.Entry{{Text: "npm run"}}
		}
		e, err := policy.New(s, policy.Options{World: ownWorld{}})
		must(t, err)
		return e
	}
	return &bench{
		plain: engine(policy.Deny, nil, false), yolo: engine(policy.Deny, nil, true), covering: engine(policy.Allow, allows, false),
		denying: engine(policy.Deny, denies, false), yoloDenying: engine(policy.Deny, denies, true),
	}
}

func decide(e *policy.Engine, line, sh string) policy.Verdict {
	c := policy.Shell(line, project)
	c.Home, c.ProjectDir, c.Shell = home, project, sh
	v, err := e.Decide(context.Background(), nil, c)
	if err != nil {
		return policy.Verdict{}
	}
	return v
}

// proves reports whether the default policy allows a line because it reads.
func (b *bench) proves(line, sh string) bool {
	v := decide(b.plain, line, sh)
	return v.Decision == policy.Allow && v.Stage == policy.StageReadonly
}

// covers reports whether permissions and proofs allow a line.
func (b *bench) covers(line, sh string) bool {
	return decide(b.covering, line, sh).Decision == policy.Allow
}

// callShells are the names that a call may have for its shell; "" comes first.
var callShells = func() []string {
	list := []string{""}
	for _, sh := range shells {
		for _, name := range append([]string{sh.name}, strings.Fields(sh.speaks)...) {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}()

// running returns the shells that run the line of a call; all do where it names
// none.
func running(call string) (list []judgeShell) {
	for _, sh := range shells {
		if call == "" || call == sh.name || slices.Contains(strings.Fields(sh.speaks), call) {
			list = append(list, sh)
		}
	}
	return list
}

// A claim is that a line was proved or covered for a call's shell.
type claim struct {
	law, call string
}

// A judgement is what became of one line.
type judgement struct {
	Proved, Covered  bool // where no shell was named
	Read             bool // in some shell
	Unreadable, Late bool
	Asked            []string // catastrophes that were only asked about
	Differences      []difference
}

// A judge judges lines by what shells do with them.
type judge struct {
	*bench
	*driver
}

// wrapsOutput reports whether a wrapper stands in a substitution: recorders run
// no payload, so that the output is another than where programs are real.
func wrapsOutput(line string) bool {
	l := eval.Read(line, eval.Env{Dir: project, Home: home})
	for i := range l.Commands {
		if c := &l.Commands[i]; c.In(command.InSubst) && c.Args.Payload > 0 {
			return true
		}
	}
	return false
}

// claims returns what is decided about a line, for each shell that a call may
// name.
func (b *bench) claims(line string) (list []claim) {
	if wrapsOutput(line) {
		return nil
	}
	for _, call := range callShells {
		if b.proves(line, call) {
			list = append(list, claim{"proved", call})
		}
		if b.covers(line, call) {
			list = append(list, claim{"covered", call})
		}
	}
	return list
}

// needed returns bash and the shells for which there is a claim.
func needed(claims []claim) []judgeShell {
	in := shells[:1:1]
	for _, c := range claims {
		for _, sh := range running(c.call) {
			if !slices.Contains(in, sh) {
				in = append(in, sh)
			}
		}
	}
	return in
}

// judge runs a line in each shell for which something was decided, and always
// in bash.
func (j *judge) judge(line string) (*judgement, error) {
	claims := j.claims(line)
	g := &judgement{
		Proved: slices.Contains(claims, claim{"proved", ""}), Covered: slices.Contains(claims, claim{"covered", ""}), Read: len(claims) > 0,
		Unreadable: reading(line, "").Problem != nil,
	}
	in := needed(claims)
	outcomes, err := j.run(line, in)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		read := reading(line, c.call)
		for i := range outcomes {
			if !slices.Contains(running(c.call), in[i]) {
				continue
			}
			if did := broken(c.law, read, &outcomes[i]); did != "" {
				g.Differences = append(g.Differences, difference{c.law, in[i].name, c.call, did, render(read)})
			}
		}
	}
	g.Late = slices.ContainsFunc(outcomes, func(o outcome) bool { return o.late })
	j.denied(g, line, &outcomes[0])
	j.floor(g, line, &outcomes[0])
	return g, nil
}

// reading returns a line as the engine reads it.
func reading(line, call string) *eval.Line {
	return eval.Read(line, eval.Env{Dir: project, Home: home, Shell: call})
}

// broken says what a shell did that a proof, or an allow, does not hold for.
func broken(law string, read *eval.Line, o *outcome) string {
	if did := unread(read.Commands, o); did != "" {
		return did
	}
	for _, file := range o.changed {
		if law == "proved" || file != project+"/out" {
			return "wrote " + file
		}
	}
	return ""
}

// denied checks, in bash, that what a policy denies does not run.
func (j *judge) denied(g *judgement, line string, o *outcome) {
	did := ""
	for i := range o.records {
		if r := &o.records[i]; r.name() == "curl" {
			did = "ran " + r.String()
		}
	}
	for _, file := range o.changed {
		if strings.HasPrefix(file, project+"/secret") && !aimless(line) {
			did = "wrote " + file
		}
	}
	if did == "" {
		return
	}
	for _, call := range []string{"", "bash"} {
		read := reading(line, call)
		if v := decide(j.denying, line, call); v.Decision == policy.Allow {
			g.Differences = append(g.Differences, difference{"denied", "bash", call, did, render(read)})
		}
		if v := decide(j.yoloDenying, line, call); v.Decision != policy.Deny {
			g.Differences = append(g.Differences, difference{"denied under yolo", "bash", call, did, render(read)})
		}
	}
}

// aimless reports whether a line writes a file of which nobody can know the
// name.
func aimless(line string) bool {
	read := reading(line, "")
	for i := range read.Commands {
		c := &read.Commands[i]
		if slices.ContainsFunc(c.Redirects, func(r command.Redirect) bool { return r.Writes() && r.Target.Open }) {
			return true
		}
	}
	return false
}

// catastrophes are commands that the floor denies.
var catastrophes = []string{
	"rm -rf /", "rm -rf /etc", "rm -fr ~", "mkfs.ext4 /dev/sda", "dd if=/dev/zero of=/dev/sda", "shutdown now", "reboot", "wipefs -a /dev/sda", "/bin/kill -9 -1", "chmod -R 777 /", "rm -rf /home",
}

// isCatastrophe reports whether a record is one.
func isCatastrophe(r *record) bool {
	return slices.ContainsFunc(catastrophes, func(text string) bool {
		words := strings.Fields(strings.ReplaceAll(text, "~", home))
		words[0] = path.Base(words[0])
		return slices.Equal(words, r.all())
	})
}

// floor checks, in bash, that a catastrophe is denied whatever the policy.
func (j *judge) floor(g *judgement, line string, o *outcome) {
	i := slices.IndexFunc(o.records, func(r record) bool { return isCatastrophe(&r) })
	if i < 0 {
		return
	}
	text := strings.Join(o.records[i].all(), " ")
	for _, call := range []string{"", "bash"} {
		v := decide(j.plain, line, call)
		if v.Decision == policy.Deny && v.Stage == policy.StageHardline {
			continue
		}
		read := reading(line, call)
		if v.Decision == policy.Allow || decide(j.yolo, line, call).Decision != policy.Deny && !unknown(read.Commands, &o.records[i]) {
			g.Differences = append(g.Differences, difference{"floor", "bash", call, "ran " + text, render(read)})
			continue
		}
		g.Asked = append(g.Asked, text)
	}
}

// unknown reports whether a program was read with an argument that is known not
// to be known, such as a variable that the line does not set. What it becomes
// in the throw-away root says nothing of what it is elsewhere.
func unknown(read []command.Command, r *record) bool {
	for i := range read {
		c := &read[i]
		if len(c.Words) == 0 || !c.Words[0].Has(r.name()) || !holds(read[i:i+1], r) {
			continue
		}
		if slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Open }) {
			return true
		}
	}
	return false
}

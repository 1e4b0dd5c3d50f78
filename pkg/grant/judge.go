package grant

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// Links follows symbolic links as [policy.World] does.
type Links interface {
	RealPath(path string) (real string, ok bool)
}

// A subject is what entries are compared with: a command, or a call of a file
// tool.
type subject struct {
	verb string
	// free says that no entry is needed: it only prints, or it holds another
	// command that is judged on its own.
	free bool
	// prints says that it is free because it only prints.
	prints bool
	// narrow is the directory that an entry should name, home that of the
	// command: entries name it where narrow does not hold all places.
	narrow, dir string
	// places are good until the next command is looked at.
	places []string
	// sent is what it sends, and where; nil where it sends nothing.
	sent *sent
}

// A callJudge looks at the commands of one call.
type callJudge struct {
	in    *policy.Input
	links Links
	scene hazard.Scene
	// logical and real are the directory of the call as it is written, and
	// after every link.
	logical, real string
	commands      []judged // of the line
	buf           [4]judged
	// dir is the last directory of a command that was looked at.
	dir directory
	// looked is the last command that was looked at, room where its first paths stand.
	looked places
	room   [8]string
}

// What is judged of a command before its words are.
type judged struct {
	runs    bool   // it runs another command of the line
	entries []held // those that may cover it because of its verb, where a set looks them up
}

// A directory is one with what was found out about it: whether another link
// lies on the way, and whether it has one of some roles, if these were asked
// for.
type directory struct {
	asked, clean string
	ok           bool
	roles        sensitive.Role
	found        bool
}

// judges are those of earlier calls, from which nothing is kept.
var judges = sync.Pool{New: func() any { return new(callJudge) }}

func newJudging(in *policy.Input, links Links) *callJudge {
	j := judges.Get().(*callJudge)
	home := in.Call.Home
	if home == "" {
		home = eval.UnknownHome
	}
	j.in, j.links, j.scene = in, links, policy.Scene(in.Line, home)
	if in.Line == nil {
		return j
	}
	if n := len(in.Line.Commands); n <= len(j.buf) {
		j.commands = j.buf[:n]
	} else {
		j.commands = make([]judged, n)
	}
	for i := range in.Line.Commands {
		if p := in.Line.Commands[i].Parent; p >= 0 {
			j.commands[p].runs = true
		}
	}
	return j
}

// release gives the judge back: nothing that it has made may be used any more
// but strings.
func (j *callJudge) release() {
	*j = callJudge{}
	judges.Put(j)
}

// locate finds the real directory of the call.
func (j *callJudge) locate() string {
	dir := j.in.Call.Dir
	if !strings.HasPrefix(dir, "/") {
		return "the directory of the call is unknown"
	}
	if j.links == nil {
		return "where links lead is unknown"
	}
	real, ok := j.links.RealPath(dir)
	if !ok {
		return "where the directory of the call leads is unknown"
	}
	j.logical, j.real = shell.Clean(dir), real
	return ""
}

// messy says why no grant counts within the line, "" if grants may.
func (j *callJudge) messy() string {
	l := j.in.Line
	switch {
	case l.Problem != nil:
		return "the line cannot be read: " + l.Problem.Why
	case l.Divergence != nil:
		return "shells read the line differently"
	case len(l.Oddities) > 0 || len(l.Spawns) > 0:
		return "the line contains text that a person does not see at a glance"
	case l.Control:
		return "the line has conditions, loops or functions"
	}
	for i := range l.Commands {
		if why := j.unclear(i); why != "" {
			return why
		}
	}
	return ""
}

// unclear says why it is not certain what a command of the line does.
func (j *callJudge) unclear(i int) string {
	c := &j.in.Line.Commands[i]
	switch {
	case c.Opaque != "" || c.Doubt != "":
		return "the line runs something unknown"
	case c.Function || c.Variant || c.In(command.Defined) || c.In(command.InFunction) || c.In(command.InLoop):
		return "the line defines functions or aliases, or repeats commands"
	case c.Keyword && c.Construct() != "time":
		return "the line changes variables or has conditions"
	}
	for k := range c.Words {
		w := &c.Words[k]
		if _, ok := w.Literal(); !ok || w.Many || w.Secret {
			if isPrinter(c.Name) && !w.Glob && (!w.Many || w.Number) && j.in.ReadsOnly(i) {
				continue // such as the status that echo prints
			}
			return "the line has a word whose value is unknown"
		}
	}
	for k := range c.Redirects {
		if _, ok := c.Redirects[k].Target.Literal(); !ok && !c.Redirects[k].Inline() {
			return "the line has a word whose value is unknown"
		}
	}
	return ""
}

// verb returns the verb of a command, or says why it has none that could be
// approved.
func (j *callJudge) verb(i int) (verb, why string) {
	if list := j.commands[i].entries; len(list) > 0 {
		return list[0].Verb, ""
	}
	verb = verbOf(&j.in.Line.Commands[i])
	if verb == "" {
		return "", "its program and sub-command are not plain names"
	}
	if isPrinter(verb) {
		return verb, ""
	}
	return verb, termIn(verb).unstorable()
}

// command judges a command of a line that is not messy: what entries are
// compared with, or why none counts.
func (j *callJudge) command(i int) (s subject, why string) {
	c := &j.in.Line.Commands[i]
	if why := j.surroundings(i); why != "" {
		return s, why
	}
	if holds, why := j.holder(i); holds || why != "" {
		return subject{verb: c.Called(), free: true}, why
	}
	if j.printsOnly(c) {
		return subject{verb: c.Called(), free: true, prints: true}, ""
	}
	if s.verb, why = j.verb(i); why != "" {
		return s, why
	}
	if why := exceeds(c); why != "" {
		return s, why
	}
	if why := j.in.Danger(i); why != "" {
		return s, "it " + why
	}
	j.looked = places{callJudge: j, c: c, verb: s.verb, list: j.room[:0]}
	p := &j.looked
	if why := p.collect(); why != "" {
		return s, why
	}
	s.places, s.narrow, s.dir = p.list, p.narrow, p.dir
	if network(s.verb) {
		s.sent = sentBy(c)
	}
	return s, ""
}

// surroundings says why no entry covers a command, whatever its words.
func (j *callJudge) surroundings(i int) string {
	c := &j.in.Line.Commands[i]
	switch {
	case c.Context != program.Local:
		return "it does not run on this machine"
	case len(c.Words) == 0:
		return "it assigns variables or redirects other commands"
	case len(c.Assigns) > 0:
		return "it sets variables"
	case c.Keyword:
		return ""
	case c.Name == "" || c.Path == "" || !j.in.Trusted(i):
		return "its program is named by a path"
	case c.In(command.Adrift):
		return "its directory depends on whether an earlier cd succeeds: join them with &&"
	}
	for k := range c.Redirects {
		if c.Redirects[k].Inline() {
			return "it reads text from the line"
		}
	}
	for p := c.Parent; p >= 0; p = j.in.Line.Commands[p].Parent {
		if !j.transparent(p) {
			return j.in.Line.Commands[p].Called() + " runs it"
		}
	}
	return ""
}

// holder reports whether a command does nothing but run another one of the line,
// as timeout does.
func (j *callJudge) holder(i int) (holds bool, why string) {
	c := &j.in.Line.Commands[i]
	switch {
	case !j.commands[i].runs && c.Args.Payload == 0 && !c.Keyword:
		return false, ""
	case !j.transparent(i) || !j.commands[i].runs || !harmlessRedirects(c):
		return false, "it runs another command"
	}
	return true, ""
}

// transparent reports whether a wrapper changes nothing about what it runs. env
// may change all of it.
func (j *callJudge) transparent(i int) bool {
	c := &j.in.Line.Commands[i]
	if c.Keyword {
		return c.Construct() == "time"
	}
	p := program.Lookup(c.Name)
	if p == nil || !p.Transparent || p.InShell || c.Of("splits") || len(c.Assigns) > 0 || c.Args.Unlisted || c.Args.Open || !j.in.Trusted(i) {
		return false
	}
	for i := range c.Args.Options {
		if s := c.Args.Options[i].Spec; s == nil || s.Role != program.RoleData {
			return false // such as a file that is written
		}
	}
	return true
}

// printsOnly reports whether a command does nothing but print or set a status.
func (j *callJudge) printsOnly(c *command.Command) bool {
	if !isPrinter(c.Name) || !harmlessRedirects(c) {
		return false
	}
	for i := range c.Words[1:] {
		v, ok := c.Words[i+1].Literal()
		if !ok || c.Words[i+1].Many || c.Words[i+1].Secret || isPathLike(v) || i == 0 && c.How("prints") == "format" && strings.HasPrefix(v, "-") {
			return false // printf -v sets a variable
		}
	}
	return true
}

func harmlessRedirects(c *command.Command) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; (r.Writes() || r.Reads() || r.Inline()) && !r.Target.KeepsNothing() {
			return false
		}
	}
	return true
}

package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/remote"
	"github.com/policyctl/policyctl/pkg/workspace"
)

// The rules of allows for work in the project: for what stays inside, for what
// starts the project's own commands, and for what only reads a service.
const (
	ruleWorkspace = "workspace"
	ruleProject   = "project_commands"
	ruleRemote    = "remote"
)

const staysInProject = "it changes only files inside the project"

// A site is where calls may write: the spaces, and what is known of them.
type site struct {
	*facts
	world  WorkspaceWorld
	spaces spaces
	own    []string // the directories of the session
	prover workspace.Prover
}

// site returns where the call may write, nil where nothing of it is proved.
func (r *run) site() *site {
	s := r.facts.site()
	if s != nil {
		s.prover.Made = r.replies.session.made
	}
	return s
}

// site is that of a run without what its session has made.
func (f *facts) site() *site {
	world, ok := f.e.options.World.(WorkspaceWorld)
	if !ok || f.leaves || f.line != nil && (reader{f}).strayed() {
		return nil
	}
	list := f.e.settings.SafeSpaces
	if list == nil {
		list = []Entry{{Text: SpaceProject}, {Text: SpaceSession}}
	}
	s := &site{facts: f, world: world, spaces: spaces{world: world}, own: f.deep([]Entry{{Text: SpaceSession}})}
	s.spaces.lists = append(s.spaces.lists, f.deep(list))
	if audience := f.audience(); audience != Personal {
		s.spaces.lists = append(s.spaces.lists, f.deep(audienceSpaces[audience]))
	}
	var scratch []string
	if f.e.settings.SafeSpaces == nil && f.audience() == Personal {
		scratch = scratchDirs
	}
	if f.line != nil && !s.followed() {
		return nil
	}
	s.prover = workspace.Prover{
		Home: f.home(), Scratch: scratch, Inside: s.inside, Leads: s.leads, Own: s.isOwn, File: world.File, Kept: world.Kept, GitDirs: world.GitDirs, GitRuns: s.gitRuns,
		Below: world.Below, OnlyReads: s.onlyReads, MayRead: f.mayRead, Made: noName,
	}
	return s
}

// scratchDirs are where temporary files lie, also where /tmp is a link.
var scratchDirs = []string{"/tmp", "/private/tmp"}

// activates reports whether a file is that of a virtual environment of the project.
func (f *facts) activates(path string) bool {
	s := f.site()
	return s != nil && s.prover.Activates(path)
}

// scriptReads proves that a command runs a script which only reads, wherever the
// files lie; if not, why.
func (f *facts) scriptReads(l *eval.Line, i int) (why string, ok bool) {
	if !workspace.RunsScript(l.Commands[i].Called()) {
		return "", false // another interpreter
	}
	s := f.site()
	if s == nil {
		return "", false
	}
	s.prover.Inside = func(path string) (why string, ok bool) {
		real, ok := f.view.RealPath(path)
		if !ok {
			return "where " + clip.Text(shell.Clean(path), maxQuoted) + " leads is unknown", false
		}
		for _, dir := range [...]string{"/dev", "/proc", "/sys", "/net"} {
			if permission.IsWithin(shell.Clean(path), dir) || permission.IsWithin(real, dir) {
				return "what lies in " + dir + " is no file of a disk", false
			}
		}
		return "", true
	}
	if len(f.e.options.Sources) > 0 {
		s.prover.MayRead = func(command.Effect) string { return "rules are not told what a script reads" }
	}
	p := s.prover.Reads(l, i)
	return p.Why, p.Proved
}

// mayRead says what keeps a command from reading a file that its words need not
// show: that it is a secret, or that a permission is about it.
func (f *facts) mayRead(e command.Effect) string {
	if why := (&prefix{names: noName}).readsSecret(f, e); why != "" {
		return why
	}
	for _, p := range f.permissions() {
		if p.Action == Allow || p.About() != permission.Reads {
			continue
		}
		for _, at := range f.view.Places(e.Dir, e.Target) {
			if p.HitsPath(&f.view, &at) {
				return "the permission " + p.Match + " is about " + clip.Text(at.Text, maxQuoted)
			}
		}
	}
	return ""
}

// followed reports whether the line moves about without links, behind which .. is
// another directory for one shell than for the next.
func (s *site) followed() bool {
	base := shell.Clean(s.call.Dir)
	root, ok := s.world.RealPath(base)
	if !ok {
		return false
	}
	for i := range s.line.Commands {
		c := &s.line.Commands[i]
		for _, dir := range c.Dir.Values {
			want := dir
			if permission.IsWithin(dir, base) {
				want = root + strings.TrimPrefix(dir, base)
			}
			if real, ok := s.world.RealPath(dir); !ok || real != want {
				return false
			}
			if how := c.How("moves"); how == "" || how == "pop" {
				continue
			}
			for k := range c.Words[1:] {
				for _, v := range c.Words[k+1].Values {
					path := v
					if !strings.HasPrefix(v, "/") {
						path = dir + "/" + v
					}
					real, ok := s.world.RealPath(path)
					clean, known := s.world.RealPath(shell.Clean(path))
					if !ok || !known || real != clean {
						return false
					}
				}
			}
		}
	}
	return true
}

func noName(string) bool { return false }

// deep returns the directories of a list that do not hold a home directory.
func (f *facts) deep(list []Entry) []string {
	var out []string
	for _, dir := range f.directories(list) {
		if dir != "/" && !permission.IsWithin(f.home(), dir) && strings.Count(dir, "/") > 1 {
			out = append(out, dir)
		}
	}
	return out
}

// inside reports whether a path lies strictly below a space of each list, as it is
// written and once its links are followed.
func (s *site) inside(path string) (why string, ok bool) {
	clean := shell.Clean(path)
	real, ok := s.view.RealPath(path)
	if !ok {
		return "where " + clip.Text(clean, maxQuoted) + " leads is unknown", false
	}
	if how := s.spaces.strays(clean, real, true); how != "" && !s.isNamed(clean, real) {
		if s.call.ProjectDir == "" {
			return clip.Text(clean, maxQuoted) + " lies in no project, since none was found for the call", false
		}
		return clip.Text(clean, maxQuoted) + " " + how + " the project", false
	}
	return "", true
}

// leads returns the path to which one leads, as people write it.
func (s *site) leads(path string) string { return s.view.Place("", path).Real }

// minSession is the length from which nobody else happens to give a directory the name of
// a session.
const minSession = 16

// isNamed reports whether a path lies below the directory of temporary files in one of the
// session's name, as agents make them for what they write beside the project.
func (s *site) isNamed(clean, real string) bool {
	name := s.call.Session
	if len(s.prover.Scratch) == 0 || len(name) < minSession || strings.Contains(name, "/") || strings.TrimPrefix(real, "/private") != strings.TrimPrefix(clean, "/private") {
		return false
	}
	before, rest, found := strings.Cut(clean, "/"+name+"/")
	if !found || rest == "" || !slices.ContainsFunc(s.prover.Scratch, func(dir string) bool { return permission.IsWithin(before, dir) }) {
		return false
	}
	f, ok := s.world.File(before + "/" + name)
	return ok && f.Kind == workspace.Directory && !f.Link
}

func (s *site) isOwn(path string) bool {
	real, ok := s.view.RealPath(path)
	if ok && s.isNamed(shell.Clean(path), real) {
		return true
	}
	return ok && s.spaces.holds(s.own, shell.Clean(path), false, true) && s.spaces.holds(s.own, real, true, true)
}

func (s *site) gitRuns(dir string) ([]string, bool) {
	programs, ok := s.world.GitPrograms(dir)
	hooks, known := s.world.GitHooks(dir)
	return append(programs, hooks...), ok && known
}

func (s *site) onlyReads(l *eval.Line, i int, c command.Command) bool {
	return s.parts.provedAs(func(l *eval.Line, i int) readonly.Proof { return s.parts.plainProofIn(l, i) }, i, c)
}

// coverByWorkspace marks the commands of the line that stay inside the project.
func (r *run) coverByWorkspace() {
	settings := &r.e.settings
	if !settings.AutoAllowWorkspace && len(r.e.forms) == 0 && r.e.services.Empty() {
		return
	}
	s := r.site()
	for i := range r.line.Commands {
		if r.parts.list[i].stage != StageNone || r.parts.proof(i).Proved {
			continue
		}
		c := &r.line.Commands[i]
		if r.coverByService(s, i, c) || s == nil || r.coverByForm(s, i) || !settings.AutoAllowWorkspace || !c.MayChange() && !workspace.RunsScript(c.Called()) {
			continue
		}
		proof := s.prover.Prove(r.line, i)
		if !proof.Proved {
			r.trace.note(Match{Rule: ruleWorkspace, Decision: Allow, Lost: proof.Why})
			continue
		}
		r.makes = append(r.makes, proof.Makes...)
		r.parts.allow(i, cover{stage: StageAllowlist, rule: ruleWorkspace, why: staysInProject})
	}
}

// besideForms are what is allowed with the project's own commands, and why.
var besideForms = [...]struct {
	proves func(*workspace.Prover, *eval.Line, int) bool
	why    string
}{
	{(*workspace.Prover).Starts, "it starts what follows"},
	{(*workspace.Prover).Sets, "it sets what follows on the line reads"},
	{(*workspace.Prover).Describes, "it only prints its version or its help"},
	{(*workspace.Prover).Ends, "it ends what the line itself has started"},
}

// coverByForm marks a command that the project runs of its own.
func (r *run) coverByForm(s *site, i int) bool {
	if len(r.e.forms) == 0 || len(r.parts.dangers(i)) > 0 {
		return false
	}
	if workspace.RunsScript(r.line.Commands[i].Called()) {
		if form, why := s.prover.RunsOwn(r.line, i, r.e.forms); form >= 0 {
			return r.coverBy(i, form)
		} else if why != "" {
			r.trace.note(Match{Rule: ruleProject, Decision: Allow, Lost: why})
		}
	}
	if runsInput(&r.line.Commands[i]) {
		return false
	}
	for k := range besideForms {
		if b := &besideForms[k]; b.proves(&s.prover, r.line, i) {
			r.parts.allow(i, cover{stage: StageAllowlist, rule: ruleProject, why: b.why})
			return true
		}
	}
	form, why := s.prover.Runs(r.line, i, r.e.forms)
	if form < 0 {
		if why != "" {
			r.trace.note(Match{Rule: ruleProject, Decision: Allow, Lost: why})
		}
		return false
	}
	return r.coverBy(i, form)
}

// coverBy marks a command that a form of the project's commands covers; it returns true.
func (r *run) coverBy(i, form int) bool {
	entry := &r.e.settings.ProjectCommands[form]
	r.parts.allow(i, cover{StageAllowlist, entry.Text, "the project commands have " + entry.Text, entry.Origin})
	return true
}

// coverByService marks a command that only reads a service that is named. What it
// writes must stay inside the project, of which a nil site knows nothing.
func (r *run) coverByService(s *site, i int, c *command.Command) bool {
	if r.e.services.Empty() {
		return false
	}
	service, ok := r.e.services.Covers(c)
	if !ok || len(r.parts.dangers(i)) > 0 || !workspace.Inherits(r.line, i) {
		return false
	}
	if s == nil && (writesFile(c) || r.barrier(c, nil) != "") {
		return false
	}
	if s != nil {
		if proof := s.prover.Outputs(r.line, i); !proof.Proved {
			r.trace.note(Match{Rule: ruleRemote, Decision: Allow, Lost: proof.Why})
			return false
		}
	}
	r.parts.allow(i, cover{StageAllowlist, ruleRemote, "it only reads " + service, r.e.originOf(service)})
	return true
}

// originOf returns where a service is named.
func (e *Engine) originOf(service string) Origin {
	for _, entry := range e.settings.RemoteReaders {
		if entry.Text == service || strings.HasPrefix(entry.Text, remote.Loopback) && remote.IsLoopback(service) {
			return entry.Origin
		}
	}
	return Origin{}
}

// fetchArguments are the arguments with which a tool that fetches does no more than
// that, whatever they hold. Where it connects, the subjects say.
var fetchArguments = []string{"url", "urls", "uri", "prompt", "query", "objective", "format", "timeout", "max_length", "maxLength", "max_tokens", "start_index", "raw",
	"description", "explanation", "extract_mode", "extractMode", "maxChars", "max_chars"}

// fetchesNamed allows a tool that fetches from hosts that are named.
func (r *run) fetchesNamed() *opinion {
	if r.tool.Kind != KindFetch || r.tool.undeclared || len(r.view.Subjects) == 0 || r.barred() || r.e.services.Empty() {
		return nil
	}
	if !r.onlyFetches() {
		return nil
	}
	host := ""
	for _, subject := range r.view.Subjects {
		var ok bool
		if host, ok = r.e.services.CoversURL(subject); !ok {
			return nil
		}
	}
	return r.say(opinion{decision: Allow, rule: ruleRemote, why: "it only reads " + host, origin: r.e.originOf(host)})
}

// onlyFetches reports whether the arguments of a tool that fetches tell it to do no
// more.
func (f *facts) onlyFetches() bool {
	for field, v := range f.call.Input {
		if v != nil && !slices.Contains(fetchArguments, field) && !(field == "method" && (v == "" || v == "GET" || v == "HEAD")) {
			return false
		}
	}
	return true
}

// compileWork compiles what the policy says of work in the project.
func (e *Engine) compileWork(errs *[]error) {
	for _, entry := range e.settings.ProjectCommands {
		form, err := workspace.ParseForm(entry.Text)
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%s%w", at(entry.Origin), err))
		}
		e.forms = append(e.forms, form)
	}
	for _, entry := range e.settings.RemoteReaders {
		services, err := remote.Parse([]string{entry.Text})
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%sreadonly.remote: %w", at(entry.Origin), err))
		}
		e.services = e.services.With(services)
	}
}

// fileInside allows a tool that writes files inside the project.
func (r *run) fileInside() *opinion {
	if !r.e.settings.AutoAllowWorkspace || !r.tool.isFile() || r.tool.Kind != KindWrite || r.tool.undeclared || len(r.view.Subjects) == 0 || r.barred() {
		return nil
	}
	s := r.site()
	if s == nil {
		return nil
	}
	for _, l := range r.args().argumentTexts() {
		if strings.HasPrefix(strings.TrimSpace(l.text), "*** Begin Patch") && command.OddPatch(strings.TrimSpace(l.text)) {
			return nil // what it changes is unknown
		}
	}
	removes := r.removesFiles()
	var makes []string
	for _, subject := range r.view.Subjects {
		if at := r.view.Subject(subject); !at.Sure || strings.Contains(subject, "://") || strings.ContainsFunc(subject, unicode.IsControl) || strings.Contains(subject, `\`) {
			return nil // for some tools it is another file
		}
		path := permission.ExpandHome(subject, r.call.Home)
		if !strings.HasPrefix(path, "/") {
			path = r.call.Dir + "/" + path
		}
		proof := s.prover.ProveFile(path, r.editsPart(subject), removes)
		if !proof.Proved {
			r.trace.note(Match{Rule: ruleWorkspace, Decision: Allow, Lost: proof.Why})
			return nil
		}
		makes = append(makes, proof.Makes...)
	}
	r.makes = append(r.makes, makes...)
	return r.say(opinion{decision: Allow, rule: ruleWorkspace, why: staysInProject})
}

// editsPart reports whether a tool leaves what a file holds but for the part that
// its arguments name.
func (r *run) editsPart(subject string) bool {
	if r.tool.Name == "write" {
		return false
	}
	for _, field := range [...]string{"content", "contents", "file_text", "fileText", "new_content"} {
		if r.call.Input[field] != nil {
			return false
		}
	}
	for _, field := range [...]string{"old_string", "old_str", "oldString"} {
		if r.call.Input[field] == "" {
			return false
		}
	}
	for _, v := range r.call.Input {
		if text, ok := v.(string); ok && slices.Contains(command.AddedPaths(text), subject) {
			return false
		}
	}
	return true
}

// removesFiles reports whether the arguments of a tool that writes may say that it
// removes or moves a file.
func (r *run) removesFiles() bool {
	for _, l := range r.args().argumentTexts() {
		if len(command.RemovedPaths(l.text)) > 0 || len(command.MovedPaths(l.text)) > 0 {
			return true
		}
		for _, mark := range []string{"+++ /dev/null", "deleted file mode", "rename from "} {
			if strings.HasPrefix(l.text, mark) || strings.Contains(l.text, "\n"+mark) {
				return true
			}
		}
		switch l.key {
		case "op", "operation", "action", "type", "kind":
			if strings.Contains(l.text, "delete") || strings.Contains(l.text, "remove") || strings.Contains(l.text, "move") {
				return true
			}
		}
	}
	return false
}

package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/workspace"
)

// A reader reads a call into its facts.
type reader struct{ *facts }

// prepare finds the tool and the directory of the call and reads its subject.
// Beside an error it has read what the floor may look at.
func (r reader) prepare() error {
	r.given = r.call.Dir
	unsettled := r.settle()
	tool, ok := r.e.tools.find(r.call.Tool, r.call.Input)
	if !ok {
		tool = stranger(r.call.Tool)
	}
	r.tool, r.leaves = tool, r.call.LeavesSandbox()
	r.look()
	inexact := tool.exactKeys(r.call.Input)
	if tool.Kind == KindShell {
		err := cmp.Or(unsettled, inexact, r.readLine())
		if err != nil {
			r.disguise(tool.Subject) // for the floor, whichever of them runs
		}
		return err
	}
	err := r.readSubjects()
	r.disguise(tool.Commands)
	return cmp.Or(unsettled, inexact, err)
}

// look lets patterns see the call.
func (r reader) look() {
	c, v := r.call, &r.view
	v.Input = c.Input
	v.Tool, v.Dir, v.Stands = r.tool.pattern(), c.Dir, cmp.Or(v.Stands, c.Dir)
	v.Project, v.Session, v.Home, v.OS = c.ProjectDir, c.SessionDir, c.Home, c.OS
	if w := r.e.options.World; w != nil {
		v.World = w
	}
	if v.Tool.Whole {
		v.Arguments = func() string { return canonical(r.tool, r.call.Input) }
		v.Texts = func() []string {
			var out []string
			for _, l := range r.args().argumentTexts() {
				out = append(out, l.text)
			}
			return out
		}
	}
}

// readSubjects reads the arguments of a tool other than the shell.
func (r reader) readSubjects() (err error) {
	tool, input := r.tool, r.call.Input
	if r.view.Subjects, err = tool.subjects(input); err != nil {
		return err
	}
	if tool.isFile() {
		r.view.Subjects = r.args().fromOtherDirs(r.args().withStrays(r.view.Subjects))
	}
	if r.view.Looks, err = tool.strings(tool.Looks, input); err != nil {
		return err
	}
	if len(tool.Looks) > 0 {
		r.view.Looks = r.args().withStrays(r.view.Looks)
	}
	list, err := tool.strings(tool.Picks, input)
	if tool.Kind == KindRead {
		for _, s := range r.view.Subjects {
			if strings.ContainsAny(s, "*?[{") {
				list = append(list, s) // of a tool that reads many files
			}
		}
	}
	if tool.Kind == KindRead {
		for _, s := range list {
			at := strings.IndexAny(s, "*?[{")
			if at < 0 && !slices.Contains(r.view.Subjects, s) {
				r.view.Subjects = append(r.view.Subjects, s)
			} else if end := strings.LastIndexByte(s[:max(at, 0)], '/'); end > 0 {
				r.view.Looks = append(r.view.Looks, s[:end]) // it chooses among what lies there
			}
		}
	}
	for _, p := range list {
		r.view.Picks = append(r.view.Picks, readonly.Picks(p)...)
	}
	if r.view.Search = r.lookLine(list); r.view.Search != nil {
		r.view.Spares = r.spares
	}
	return err
}

// spares reports whether a search shows nothing of a secret.
func (f *facts) spares(line *eval.Line, i int, path string) bool {
	return readonly.Spares(line, i, path, f.home(), f.lookProver().Holds)
}

func (r reader) readLine() error {
	command, argv, err := r.tool.command(r.call.Input)
	if err != nil {
		return err
	}
	env := r.surroundings()
	if len(r.e.forms) > 0 {
		env.Activates = r.activates
	}
	if r.e.wrappers.some() {
		env.Wraps = r.wraps
	}
	c := r.call
	if len(argv) == 1 {
		r.disguise(r.tool.Subject) // some tools hand it to a shell
	}
	if argv != nil && slices.ContainsFunc(r.tool.Runs.Shells, func(field string) bool { return !isEmpty(r.call.Input[field]) }) {
		r.doubt("whether a shell reads the list is unknown: write one line")
	}
	if argv != nil {
		r.line = eval.Argv(argv, env)
	} else {
		r.line = eval.Read(command, env)
	}
	if told := cmp.Or(r.told, env.Shell); (r.told != "" || r.line.Foreign()) && !r.guise {
		r.foreign(r.line.Source, told)
	}
	home := r.home()
	r.parts.scene = hazard.Scene{Line: r.line, Home: home, OS: c.OS, Protect: r.e.settings.Protect, Own: r.e.own, Ran: &r.parts.ran, Denies: hardline.Denies}
	r.parts.prover = readonly.Prover{Home: home, Shell: c.Shell, Extra: r.e.readonly, Base: r.view.Base(), Reasons: r.explained}
	r.view.Line = r.line
	r.limit()
	for i := range r.line.Commands {
		if r.parts.prover.Reads == nil && workspace.RunsScript(r.line.Commands[i].Called()) {
			r.parts.prover.Script = r.scriptReads
			break
		}
	}
	r.parts.fill(r.facts)
	return nil
}

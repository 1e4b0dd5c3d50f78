package judge

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/render"
)

// Recorded decides recorded calls once more.
type Recorded struct {
	*console.Process
	effective.Flags
	CallFlags
	against              []string
	compare, today, json bool
}

// NewReplay returns the command replay.
func NewReplay(p *console.Process) *cobra.Command {
	r := &Recorded{Process: p}
	cmd := &cobra.Command{
		Use:   "replay FILE…",
		Short: "Decide recorded calls, and show what would have asked most",
		Long: `Decide recorded calls in the order in which they were made, and show how often a
person would have been asked and by what, which single permission would save
most of these asks, and what else it would let through. Nothing is run or
written.

A recording is a file, a directory whose *.jsonl files are all read, or - for
the standard input. policyctl detects the format:
  a call a line, as eval --jsonl reads it
  a transcript of Claude Code, as below ~/.claude/projects
  a rollout of Codex, as below ~/.codex/sessions
  the events of a session of Copilot CLI, as below ~/.copilot/session-state
  a recorded chat of Qwen Code, as below ~/.qwen/projects
  an audit log, as policyctl audit export writes it
policyctl counts and names the lines that it does not understand.

Each call is decided as a hook would decide it now: under the policy that applies
in its directory and its project, with what you have approved, looking at today's
file system. --world=false looks at no file but to find the project: what depends
on git's configuration or a symbolic link is then unknown, and what is unknown
asks. --dir, --home, --agent and --shell fill in what a recording leaves out, and
--project-dir names the project of all calls.

--against decides the same calls under another policy file alone, and lists what
it decides differently. --compare prints only figures, on one line for the
policy in force and one for each --policy or --against by itself: what it
allows, asks and denies, and its asks per session. The exit code is 0 whatever
the decisions, and 1 if a file could not be read or holds no call.`,
		Example: `  policyctl replay ~/.claude/projects
  policyctl replay --policy policy.yaml ~/.codex/sessions
  policyctl replay --policy old.yaml --against new.yaml calls.jsonl
  policyctl replay --compare --policy builtin:baseline --policy builtin:developer calls.jsonl
  policyctl replay --json - < calls.jsonl`,
		RunE: r.run,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&r.json, "json", false, "print the report as JSON")
	flags.StringArrayVar(&r.against, "against", nil, "compare with the policy `FILE` alone; may repeat")
	flags.BoolVar(&r.compare, "compare", false, "compare the policy in force with each --policy alone, by figures")
	flags.BoolVar(&r.today, "world", true, "look at today's file system; --world=false judges by the recording alone")
	r.Flags.Register(cmd)
	r.RegisterPlaces(flags)
	flags.StringVar(&r.agent, "agent", "", "the `NAME` of the agent of calls that name none")
	console.Completes(cmd, "agent", hook.Names()...)
	flags.StringVar(&r.shell, "shell", "", "the `NAME` of the shell of commands that name none")
	return cmd
}

func (r *Recorded) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return console.Usagef("no recording: name files or directories, such as ~/.claude/projects, or - for the standard input")
	}
	if err := r.Resolve(r.Process); err != nil {
		return err
	}
	options, err := r.options()
	if err != nil {
		return err
	}
	inputs, missing := r.Inputs(args)
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	progress := newProgress(r.Stderr)
	options.Progress = progress.show
	if r.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(bulkGC))
	}
	report, err := replay.Run(ctx, inputs, options)
	progress.clear()
	if err != nil {
		return err
	}
	report.World = r.today
	report.Problems = slices.Concat(missing, report.Problems)
	if err := r.Show(r.json, report, func(page *render.Page) { r.page(page, report) }); err != nil {
		return err
	}
	return outcome(report)
}

// bulkGC lets the heap grow further than usual before it is collected. What a
// replay keeps has bounds, and nearly all that it allocates is gone with the call.
const bulkGC = 400

func (r *Recorded) page(page *render.Page, report *replay.Report) {
	if r.compare {
		page.Compared(report)
		return
	}
	page.Replay(report)
}

// options makes the policies. A policy that is invalid is not worth numbers.
func (r *Recorded) options() (replay.Options, error) {
	o := replay.Options{Complete: r.Complete}
	if r.today {
		r.World = r.Surroundings()
	}
	r.Flags.Project = r.CallFlags.Project
	if r.compare {
		r.against, r.Files = append(r.Files, r.against...), nil
		if len(r.against) == 0 {
			return o, console.Usagef("nothing to compare: name a policy, such as --policy builtin:developer")
		}
	}
	local, err := NewLocal(r.Process, &r.Flags, r.Dir)
	if err != nil {
		return o, err
	}
	o.Policy, o.Tools = local.Policy(), local.Here.Settings.Tools
	if !r.compare {
		o.With = local.With
	}
	broken := local.Here.Broken
	for _, name := range r.against {
		other, err := r.Alone(name).Load(r.Process, r.Dir)
		if err != nil {
			return o, err
		}
		broken = broken || other.Broken
		o.Against = append(o.Against, replay.Rival{Name: name, Engine: other.Engine})
	}
	if broken {
		return o, console.Exit(console.ExitUsage)
	}
	return o, nil
}

// Inputs returns the recordings that are named, each once.
func (r *Recorded) Inputs(args []string) (list []replay.Input, missing []replay.Problem) {
	seen := make(map[string]bool)
	for _, name := range args {
		found, problems := []replay.Input{replay.Stream("stdin", r.Stdin)}, []replay.Problem(nil)
		if name != "-" {
			name = filepath.Clean(name)
			found, problems = replay.Find(name)
		}
		missing = append(missing, problems...)
		for _, in := range found {
			if !seen[in.Name] {
				seen[in.Name] = true
				list = append(list, in)
			}
		}
	}
	return list, missing
}

// outcome is an error where the report is not of all that was named.
func outcome(r *replay.Report) error {
	if r.Interrupted {
		return fmt.Errorf("interrupted: the report covers %d of %d files", r.Files.Read, r.Files.Given)
	}
	if err := Unread(r.Problems); err != nil {
		return err
	}
	if r.Calls == 0 {
		return ErrNoCalls
	}
	return nil
}

// ErrNoCalls is where recordings hold no call.
var ErrNoCalls = errors.New("no call was found in the recordings: see policyctl help replay for the formats")

// Unread is an error where recordings could not be read.
func Unread(problems []replay.Problem) error {
	n := 0
	for _, p := range problems {
		if p.Unread {
			n += p.Count
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of the recordings could not be read: see the problems in the report", n)
}

// A progress is a line on a terminal that tells how far a replay is.
type progress struct {
	out   io.Writer
	begin time.Time
	last  time.Time
	shown bool
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{begin: time.Now()}
	if console.IsTerminal(stderr) {
		p.out = stderr
	}
	return p
}

// show rewrites the line, at most ten times a second and not for short work.
func (p *progress) show(at replay.Progress) {
	now := time.Now()
	if p.out == nil || now.Sub(p.begin) < time.Second || now.Sub(p.last) < time.Second/10 {
		return
	}
	p.last, p.shown = now, true
	what := "reading"
	if at.Pass == 2 {
		what = "trying permissions"
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s: %s%d of %d files, %d calls", what, bar(at.Read, at.Size), at.Files, at.Total, at.Calls)
}

// bar draws a part of a whole, "" where the whole is unknown.
func bar(part, whole int64) string {
	if part > whole || whole <= 0 {
		return ""
	}
	const width = 20
	done := int(part * width / whole)
	return fmt.Sprintf("[%s%s] %d %%, ", strings.Repeat("#", done), strings.Repeat(".", width-done), part*100/whole)
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

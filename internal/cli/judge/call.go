package judge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/tables"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/world"
)

// CallFlags describe the call. For calls that are read as JSON they are what
// applies where the JSON is silent.
type CallFlags struct {
	tool, input string
	Dir, Home   string
	session     string
	agent       string
	shell       string
	Project     string // that of a flag
	sessionDir  string
	audience    string
	record      string
	scopes      []string
	scope       policy.Scope    // scopes, once they are resolved
	seenBy      policy.Audience // audience, once it is resolved
	dirGiven    bool            // dir is that of a flag
	wd          string          // the working directory, "" where it is unknown
	// projects are those of the conversations so far, found those of single calls.
	projects map[string]string
	found    map[string]string
}

func (f *CallFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.tool, "tool", "shell", "the tool that is called, by `NAME` or alias")
	console.CompletesWith(cmd, "tool", tables.ToolNames)
	flags.StringVar(&f.input, "input", "", "the arguments of the call, as a `JSON` object")
	flags.StringVar(&f.Dir, "dir", "", "the `DIRECTORY` of the call (default the working directory)")
	flags.StringVar(&f.Home, "home", "", "the home `DIRECTORY` of the user (default $HOME)")
	flags.StringVar(&f.session, "session", "", "the `ID` of the session in which the call is made")
	flags.StringVar(&f.agent, "agent", "", "the `NAME` of the agent that calls: "+strings.Join(hook.Names(), ", ")+", or another; claude/Explore for a subagent")
	console.Completes(cmd, "agent", hook.Names()...)
	flags.StringVar(&f.shell, "shell", "", "the `NAME` of the shell that runs the command, such as bash")
	f.registerProject(flags)
	flags.StringVar(&f.sessionDir, "session-dir", "", "the `DIRECTORY` of the session's own files")
	flags.StringVar(&f.record, "record", "", "the facts that rules see, as a `JSON` record, instead of those derived from the call")
	flags.StringArrayVar(&f.scopes, "scope", nil, "what the call comes through, as `plugin=NAME`, profile=NAME or integration=NAME; may repeat")
	console.CompletesStart(cmd, "scope", func() []string { return []string{"plugin=", "profile=", "integration="} })
	flags.StringVar(&f.audience, "audience", "personal", "`WHO` sees what the call reads: personal, team or public")
	console.Completes(cmd, "audience", "personal", "team", "public")
}

// RegisterPlaces adds the flags of what recorded calls may leave out.
func (f *CallFlags) RegisterPlaces(flags *pflag.FlagSet) {
	flags.StringVar(&f.Dir, "dir", "", "the `DIRECTORY` of calls that name none (default the working directory)")
	flags.StringVar(&f.Home, "home", "", "the home `DIRECTORY` of the user (default $HOME)")
	f.registerProject(flags)
}

func (f *CallFlags) registerProject(flags *pflag.FlagSet) {
	flags.StringVar(&f.Project, "project-dir", "", "the `DIRECTORY` of the project (default the one that an agent's hook would find)")
}

// one returns the call that is given, and the policy that applies to it, which is
// there even where the call is wrong.
func (f *CallFlags) one(p *console.Process, under *effective.Flags, args []string) (*effective.Policy, *policy.Call, error) {
	if err := f.Resolve(p); err != nil {
		return nil, nil, err
	}
	under.Project = f.Project
	eff, err := under.Load(p, f.Dir)
	if err != nil {
		return nil, nil, err
	}
	c, err := f.call(p, &eff.Settings, args)
	return eff, c, err
}

// Resolve fills in the directories.
func (f *CallFlags) Resolve(p *console.Process) error {
	f.dirGiven = f.Dir != ""
	wd, err := p.Getwd()
	f.wd = wd
	for i, dir := range []*string{&f.Dir, &f.Project, &f.sessionDir} {
		switch {
		case i > 0 && *dir == "":
			continue
		case err != nil && !filepath.IsAbs(*dir):
			return fmt.Errorf("the working directory is unknown: %w; name directories from the root, as in --dir /srv/app", err)
		case !filepath.IsAbs(*dir):
			*dir = filepath.Join(wd, *dir)
		}
		*dir = filepath.Clean(*dir)
	}
	if f.Home == "" {
		f.Home = p.Getenv("HOME")
	}
	if err := f.resolveScope(); err != nil {
		return err
	}
	var none *policy.NameError
	if err := f.seenBy.UnmarshalText([]byte(cmp.Or(f.audience, "personal"))); errors.As(err, &none) {
		return console.Unknown("audience", f.audience, none.Valid, "see --help")
	}
	return nil
}

// resolveScope reads the scopes.
func (f *CallFlags) resolveScope() error {
	parts := map[string]*string{"plugin": &f.scope.Plugin, "profile": &f.scope.Profile, "integration": &f.scope.Integration}
	for _, s := range f.scopes {
		name, value, ok := strings.Cut(s, "=")
		into, known := parts[name]
		switch {
		case !ok || value == "":
			return console.Usagef("--scope %s: write it as in --scope plugin=github", s)
		case !known:
			return console.Unknown("scope", name, []string{"plugin", "profile", "integration"}, "one of plugin, profile, integration")
		case *into != "" && *into != value:
			return console.Usagef("--scope names two %ss: %s and %s", name, *into, value)
		}
		*into = value
	}
	return nil
}

// Surroundings returns what the engine may look at: the file system, as the
// user of the call sees it.
func (f *CallFlags) Surroundings() policy.World {
	env := os.Environ()
	if f.Home != "" {
		env = append(env, "HOME="+f.Home)
	}
	return world.New(env)
}

// Complete gives a call what it does not say itself. transcript is the file in
// which an agent has recorded it, "" for none.
func (f *CallFlags) Complete(c *policy.Call, transcript string) {
	if c.Dir == "" && (f.dirGiven || c.ProjectDir == "" && c.SessionDir == "") {
		c.Dir = f.Dir // else the engine takes the directory that the call names
	}
	c.Home = cmp.Or(c.Home, f.Home)
	c.Session = cmp.Or(c.Session, f.session)
	if c.Agent == "" {
		agent, subagent, _ := strings.Cut(f.agent, "/")
		c.Agent, c.Subagent = agent, cmp.Or(c.Subagent, subagent)
	}
	hook.Complete(c)
	c.Shell = cmp.Or(c.Shell, f.shell)
	c.SessionDir = cmp.Or(c.SessionDir, f.sessionDir)
	c.ProjectDir = cmp.Or(c.ProjectDir, f.Project, f.projectOf(c, transcript))
	c.Scope.Plugin = cmp.Or(c.Scope.Plugin, f.scope.Plugin)
	c.Scope.Profile = cmp.Or(c.Scope.Profile, f.scope.Profile)
	c.Scope.Integration = cmp.Or(c.Scope.Integration, f.scope.Integration)
	c.Audience = max(c.Audience, f.seenBy)
	if c.Time.IsZero() {
		c.Time = time.Now()
	}
}

// projectOf finds the project of a call as the hook of an agent does.
func (f *CallFlags) projectOf(c *policy.Call, transcript string) string {
	if f.projects == nil {
		f.projects, f.found = make(map[string]string), make(map[string]string)
	}
	conversation := c.Agent + "\x00" + c.Session
	if transcript != "" && !filepath.IsAbs(transcript) {
		transcript = filepath.Join(f.wd, transcript)
	}
	w := world.Work{Dir: c.Dir, Home: c.Home, Transcript: transcript, Before: f.projects[conversation]}
	asked := strings.Join([]string{w.Dir, w.Home, w.Transcript, w.Before}, "\x00")
	at, known := f.found[asked]
	if !known {
		at = w.Project()
		remember(f.found, asked, at)
	}
	if c.Session != "" {
		remember(f.projects, conversation, at)
	}
	return at
}

// maxRemembered bounds how many projects are remembered.
const maxRemembered = 1 << 16

func remember(in map[string]string, key, project string) {
	if len(in) >= maxRemembered {
		clear(in)
	}
	in[key] = project
}

// call makes the call from the flags, and from the command in args or on the
// standard input.
func (f *CallFlags) call(p *console.Process, s *policy.Settings, args []string) (*policy.Call, error) {
	if err := f.Resolve(p); err != nil {
		return nil, err
	}
	c, err := f.subject(p, s, args)
	if err != nil {
		return nil, err
	}
	f.Complete(c, "")
	return c, f.describe(c)
}

// describe adds the record that a flag gives.
func (f *CallFlags) describe(c *policy.Call) error {
	if f.record == "" {
		return nil
	}
	var err error
	if c.Record, err = policy.DecodeObject([]byte(f.record)); err != nil {
		return console.Usagef("--record: %v; write it as in --record '{\"type\":\"slack.post\"}'", err)
	}
	if err := checkRecord(c); err != nil {
		return console.Usagef("--record: %v", err)
	}
	return nil
}

// checkRecord says what is wrong with the record that a call brings along.
func checkRecord(c *policy.Call) error {
	if c.Record == nil {
		return nil
	}
	_, err := record.Decode(c.Record)
	return err
}

func (f *CallFlags) subject(p *console.Process, s *policy.Settings, args []string) (*policy.Call, error) {
	if f.input != "" {
		if len(args) > 0 {
			return nil, console.Usagef("both --input and a command are given: give one of them")
		}
		return f.decode()
	}
	field, err := f.commandField(s)
	if err != nil {
		return nil, err
	}
	command, err := commandText(p, args)
	if err != nil {
		return nil, err
	}
	return &policy.Call{Tool: f.tool, Input: map[string]any{field: command}}, nil
}

// decode reads the call as strictly as one that an agent sends.
func (f *CallFlags) decode() (*policy.Call, error) {
	input, err := policy.DecodeObject([]byte(f.input))
	if err != nil {
		return nil, console.Usagef("--input: %v; write it as in --input '{\"command\":\"ls\"}'", err)
	}
	if f.tool == "" {
		return nil, console.Usagef("--tool is empty: name the tool that takes the arguments")
	}
	return &policy.Call{Tool: f.tool, Input: input}, nil
}

// commandField returns the argument of the tool that holds a command, or an
// error for a tool that takes none.
func (f *CallFlags) commandField(s *policy.Settings) (string, error) {
	var names []string
	for _, t := range slices.Concat(s.Tools, policy.BuiltinTools()) {
		names = append(append(names, t.Name), t.Aliases...)
		if t.Name != f.tool && !slices.Contains(t.Aliases, f.tool) {
			continue
		}
		if t.Kind == policy.KindShell && len(t.Subject) > 0 {
			return t.Subject[0], nil
		}
		return "", console.Usagef("the tool %s takes no command: give its arguments with --input JSON", f.tool)
	}
	return "", console.Unknown("tool", f.tool, names, "give its arguments with --input JSON")
}

// maxCommand bounds the command on the standard input; the engine reads far
// less.
const maxCommand = 10 << 20

// commandText returns the argument, or what stands on the standard input.
func commandText(p *console.Process, args []string) (string, error) {
	if len(args) > 0 && args[0] != "-" {
		return args[0], nil
	}
	if len(args) == 0 && console.IsTerminal(p.Stdin) {
		return "", console.Usagef("no command: give one in quotes, or on the standard input")
	}
	data, err := io.ReadAll(io.LimitReader(p.Stdin, maxCommand+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("the standard input cannot be read: %w", err)
	case len(data) > maxCommand:
		return "", errors.New("the command on the standard input is longer than 10 MiB: split it")
	case len(bytes.TrimSpace(data)) == 0:
		return "", console.Usagef("no command: the standard input is empty; give one in quotes, or on the standard input")
	}
	return strings.TrimRight(string(data), "\n"), nil
}

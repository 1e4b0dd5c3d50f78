// Package effective finds the policy under which a command decides: flags, variables
// and files in layers, bundles, and the engine of the rules. It decides nothing.
package effective

import (
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

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

// Flags say under which policy a call is decided.
type Flags struct {
	Files    []string
	sets     []string
	NoConfig bool
	Bundle   bundleFlags
	Engine   engineFlag
	FlagSet  *pflag.FlagSet
	// world is what the engine knows of the machine, nil for nothing.
	World policy.World
	// granted says that what the person has approved counts.
	Granted bool
	// Project is the directory of the project that the person names, "" for none.
	Project string
}

// Register adds the flags.
func (f *Flags) Register(cmd *cobra.Command) {
	f.FlagSet = cmd.Flags()
	f.FlagSet.StringArrayVar(&f.Files, "policy", nil, "a further policy `FILE`, a directory of them, or builtin:NAME, read once; may repeat")
	console.CompletesBeside(cmd, "policy", Builtin)
	f.FlagSet.StringArrayVar(&f.sets, "set", nil, "set one key of the policy, as `KEY=VALUE`; may repeat")
	console.CompletesStart(cmd, "set", settable)
	f.FlagSet.BoolVar(&f.NoConfig, "no-config", false, "apply only the policy of these flags; policyctl config path lists the others")
	f.FlagSet.Bool("yolo", false, "allow whatever is not denied")
}

// settable are the keys of a policy that have one value, each with what comes before it.
func settable() (out []string) {
	for _, k := range config.Keys() {
		if k.Scalar {
			out = append(out, k.Path+"=")
		}
	}
	return out
}

// Alone returns flags that name files as the only policy.
func (f *Flags) Alone(files ...string) *Flags {
	return &Flags{Files: files, NoConfig: true, FlagSet: f.FlagSet, World: f.World}
}

// An Policy is a policy in force.
type Policy struct {
	*policy.Engine
	Settings policy.Settings
	// broken says that the policy is invalid, so that only denies and asks are
	// left of it, and refused that of denies only the floor is.
	Broken, refused bool
	World           policy.World
	// options returns what the engine has beside the settings.
	options func(policy.World) (policy.Options, error)
}

// With returns an engine that differs in its settings alone.
func (e *Policy) With(s policy.Settings) (*policy.Engine, error) {
	o, err := e.options(e.World)
	if err != nil {
		return nil, err
	}
	o.Revision = "" // that of other settings
	return policy.New(s, o)
}

// In returns an engine that differs in its world alone.
func (e *Policy) In(w policy.World) (*policy.Engine, error) {
	o, err := e.options(w)
	if err != nil {
		return nil, err
	}
	return policy.New(e.Settings, o)
}

// Unanswered says that the policy is invalid and a call gets no answer: only
// what is denied does.
func (e *Policy) Unanswered(v *policy.Verdict) bool {
	return e.Broken && v.Stage != policy.StageHardline && (e.refused || v.Decision != policy.Deny)
}

// Session returns a session that remembers nothing.
func (e *Policy) Session(id string) *policy.Session { return &policy.Session{ID: id} }

// Load reads the policy that applies in a directory and tells people of all
// its problems.
func (f *Flags) Load(p *console.Process, dir string) (*Policy, error) {
	e, loaded, err := f.Open(p, dir)
	if err == nil && loaded.Err != nil {
		console.Warn(p.Stderr, "", Invalid(loaded))
	}
	return e, err
}

// Open is Load for who takes no policy that is invalid, and so is not told what
// one still does. It returns what was read too.
func (f *Flags) Open(p *console.Process, dir string) (*Policy, *layers.Policy, error) {
	loaded, err := f.Read(p, dir)
	if err != nil {
		return nil, nil, err
	}
	e, err := inForce(loaded, f.World)
	if err != nil {
		return nil, nil, err
	}
	Tell(p.Stderr, loaded)
	return e, loaded, nil
}

// grants returns what the person has approved. It changes nothing, not even a
// file that cannot be used.
func (f *Flags) grants(p *console.Process, place layers.Place) policy.Grants {
	entries, err := grant.NewStore(place.State, time.Now).Read()
	if err != nil {
		console.Warn(p.Stderr, "warning: ", fmt.Errorf("no stored approval counts: %w", err))
	}
	return grant.NewSet(entries, f.World, time.Now).Of(nil, err)
}

// Invalid says what a policy still does that is invalid.
func Invalid(l *layers.Policy) error {
	if l.Applies() {
		return errors.New("the policy is invalid: until it is corrected, what its other layers deny stays denied and the rest asks")
	}
	return errors.New("the policy is invalid and does not apply: until it is corrected, only the floor denies and the rest asks")
}

// Read reads the layers that apply in a directory.
func (f *Flags) Read(p *console.Process, dir string) (*layers.Policy, error) {
	place, more, unreadable, err := f.Layers(p)
	if err != nil {
		return nil, err
	}
	loaded := layers.Load(place, dir, more...)
	if unreadable != nil {
		loaded.Lacks(unreadable)
	}
	return loaded, nil
}

// Layers returns where policies lie, and what the environment and the command
// line add. unreadable joins what is wrong with the files of the command line.
func (f *Flags) Layers(p *console.Process) (place layers.Place, more []config.File, unreadable, err error) {
	if place, err = p.Policies(); err != nil {
		return place, nil, nil, err
	}
	variables, flagged, err := fromSurroundings(f.FlagSet, !f.NoConfig)
	if err != nil {
		return place, nil, nil, err
	}
	place.Off, place.Project = f.NoConfig, f.Project
	if f.Granted && !f.NoConfig {
		place.Grants = f.grants(p, place)
	}
	if err := f.subscribe(p, &place); err != nil {
		return place, nil, nil, err
	}
	if !f.NoConfig {
		p.StrayVariables()
	}
	files, errs := OpenPolicies(f.Files)
	more = slices.Concat(variables, files)
	for _, s := range f.sets {
		more = append(more, config.Assign(config.Flag, "--set", s, config.Everything))
	}
	return place, append(more, flagged...), errors.Join(errs...), nil
}

// Tell tells people what is wrong with a policy and what of it has no effect.
func Tell(stderr io.Writer, l *layers.Policy) {
	for i := range l.Warnings {
		console.Warn(stderr, "warning: ", &l.Warnings[i])
	}
	if l.TrustErr != nil {
		console.Warn(stderr, "warning: ", l.TrustErr)
	}
	for i := range l.Bundles {
		if text := l.Bundles[i].Trouble; text != "" {
			console.Warn(stderr, "warning: ", errors.New(text))
		}
	}
	for _, a := range l.Held() {
		console.Warn(stderr, "", errors.New(held(a)))
	}
	if l.Err != nil {
		console.Warn(stderr, "", l.Err)
	}
}

// held says of an assignment why it has no effect, and what to do.
func held(a config.Assignment) string {
	where := a.Origin.String()
	if a.Origin.File != "" && a.Origin.Layer != config.Environment && a.Origin.Layer != config.Flag {
		where = a.Origin.Layer + " policy " + where
	}
	text := fmt.Sprintf("%s: %s: %s: not applied", where, a.Path, a.Held)
	if a.Held == config.HeldUntrusted {
		text += "; policyctl trust applies it"
	}
	return render.Plain(text)
}

// OpenPolicies reads the policy files of names, directories and packs.
func OpenPolicies(names []string) (files []config.File, errs []error) {
	names, errs = expanded(names)
	for _, name := range names {
		data, err := readPolicy(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: check its path", name, err))
			continue
		}
		files = append(files, config.File{Layer: "policy", Name: name, Data: data, Admit: config.Everything})
	}
	return files, errs
}

// Builtin returns the policies that policyctl brings along, as flags name them.
func Builtin() (names []string) {
	for _, name := range policies.Names() {
		names = append(names, builtin+name)
	}
	return names
}

// builtin begins the names of the policies that policyctl brings along.
const builtin = "builtin:"

// readPolicy reads a file, or a policy that policyctl brings along.
func readPolicy(name string) ([]byte, error) {
	pack, ok := strings.CutPrefix(name, builtin)
	if !ok {
		return console.ReadFile(name)
	}
	text, ok := policies.Lookup(pack)
	if !ok {
		return nil, console.Unknown("policy", pack, policies.Names(), "one of "+strings.Join(policies.Names(), ", "))
	}
	return text, nil
}

// expanded returns the policy files among names, those of directories in the
// order of their names. A directory without any is an error: it would be no
// policy in silence.
func expanded(names []string) (files []string, errs []error) {
	for _, name := range names {
		if strings.HasPrefix(name, builtin) {
			files = append(files, name)
			continue
		}
		entries, err := os.ReadDir(name)
		if err != nil { // a file, or what opening it will tell
			files = append(files, name)
			continue
		}
		found := len(files)
		for _, e := range entries {
			if IsPolicy(e.Name()) {
				files = append(files, filepath.Join(name, e.Name()))
			}
		}
		if len(files) == found {
			errs = append(errs, fmt.Errorf("%s: the directory holds no policy: name one whose files end in "+Endings, name))
		}
	}
	return files, errs
}

// Endings is how messages say how the names of policies end.
const Endings = ".yaml, .yml, .toml or .json"

// IsPolicy reports whether a file in a directory of policies is one, and no test
// of them.
func IsPolicy(name string) bool {
	return IsFormat(name) && name[0] != '.' && !strings.HasSuffix(name, "_test.yaml")
}

// IsFormat reports whether a name ends as that of a policy that is named.
func IsFormat(name string) bool { return own.IsFormat(name) || filepath.Ext(name) == ".yml" }

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/bundles"
	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

// policyFlags say under which policy a call is decided.
type policyFlags struct {
	files    []string
	sets     []string
	noConfig bool
	bundle   bundleFlags
	engine   engineFlag
	flags    *pflag.FlagSet
	// world is what the engine knows of the machine, nil for nothing.
	world policy.World
	// granted says that what the person has approved counts.
	granted bool
}

func (f *policyFlags) register(cmd *cobra.Command) {
	f.flags = cmd.Flags()
	f.flags.StringArrayVar(&f.files, "policy", nil, "a further policy `FILE`, a directory of them, or builtin:NAME, read once; may repeat")
	f.flags.StringArrayVar(&f.sets, "set", nil, "set one key of the policy, as `KEY=VALUE`; may repeat")
	f.flags.BoolVar(&f.noConfig, "no-config", false, "apply no policy but that of these flags: see policyctl config path for the others")
	f.flags.Bool("yolo", false, "allow whatever is not denied")
}

// An effective is a policy in force.
type effective struct {
	*policy.Engine
	settings policy.Settings
	// broken says that the policy is invalid, so that only denies and asks are
	// left of it, and refused that of denies only the floor is.
	broken, refused bool
	world           policy.World
	// rules makes the sources of the rules.
	rules func() ([]policy.Source, error)
}

// with returns an engine of the same rules under other settings.
func (e *effective) with(s policy.Settings) (*policy.Engine, error) {
	o := policy.Options{World: e.world}
	if e.rules != nil {
		var err error
		if o.Sources, err = e.rules(); err != nil {
			return nil, err
		}
	}
	return policy.New(s, o)
}

// unanswered says that the policy is invalid and a call gets no answer: only
// what is denied does.
func (e *effective) unanswered(v *policy.Verdict) bool {
	return e.broken && v.Stage != policy.StageHardline && (e.refused || v.Decision != policy.Deny)
}

// session returns a session that remembers nothing.
func (e *effective) session(id string) *policy.Session { return &policy.Session{ID: id} }

// load reads the policy that applies in a directory and tells people of all
// its problems.
func (f *policyFlags) load(p *Process, dir string) (*effective, error) {
	loaded, err := f.read(p, dir)
	if err != nil {
		return nil, err
	}
	engine, err := loaded.Engine(f.world)
	if err != nil {
		return nil, err
	}
	tell(p.Stderr, loaded)
	if loaded.Err != nil {
		warn(p.Stderr, "", invalid(loaded))
	}
	return &effective{engine, loaded.Settings, loaded.Err != nil, !loaded.Applies(), f.world, loaded.AllSources}, nil
}

// grants returns what the person has approved. It changes nothing, not even a
// file that cannot be used.
func (f *policyFlags) grants(p *Process, place layers.Place) policy.Grants {
	entries, err := grant.NewStore(place.State, time.Now).Read()
	if err != nil {
		warn(p.Stderr, "warning: ", fmt.Errorf("no stored approval counts: %w", err))
	}
	return grant.NewSet(entries, f.world, time.Now)
}

// invalid says what a policy still does that is invalid.
func invalid(l *layers.Policy) error {
	if l.Applies() {
		return errors.New("the policy is invalid: until it is corrected, what its other layers deny stays denied and the rest asks")
	}
	return errors.New("the policy is invalid and does not apply: until it is corrected, only the floor denies and the rest asks")
}

// read reads the layers that apply in a directory.
func (f *policyFlags) read(p *Process, dir string) (*layers.Policy, error) {
	place, more, unreadable, err := f.layers(p)
	if err != nil {
		return nil, err
	}
	loaded := layers.Load(place, dir, more...)
	if unreadable != nil {
		loaded.Lacks(unreadable)
	}
	return loaded, nil
}

// layers returns where policies lie, and what the environment and the command
// line add. unreadable joins what is wrong with the files of the command line.
func (f *policyFlags) layers(p *Process) (place layers.Place, more []config.File, unreadable, err error) {
	if place, err = p.policies(); err != nil {
		return place, nil, nil, err
	}
	variables, flagged, err := fromSurroundings(f.flags, !f.noConfig)
	if err != nil {
		return place, nil, nil, err
	}
	place.Off = f.noConfig
	if f.granted && !f.noConfig {
		place.Grants = f.grants(p, place)
	}
	if err := f.subscribe(p, &place); err != nil {
		return place, nil, nil, err
	}
	if !f.noConfig {
		p.strayVariables()
	}
	files, errs := openPolicies(f.files)
	more = slices.Concat(variables, files)
	for _, s := range f.sets {
		more = append(more, config.Assign(config.Flag, "--set", s, config.Everything))
	}
	return place, append(more, flagged...), errors.Join(errs...), nil
}

// policies returns where the policies of the person lie.
func (p *Process) policies() (layers.Place, error) {
	place, err := p.chosen()
	if place.Bundler == nil && err == nil {
		place.Bundler = bundles.New(bundles.Offline, place.State, place.Home)
	}
	return place, err
}

func (p *Process) chosen() (layers.Place, error) {
	if p.Place != nil {
		return p.Place()
	}
	home := p.Getenv("HOME")
	if !filepath.IsAbs(home) {
		var err error
		if home, err = layers.HomeOf(os.Getuid()); err != nil {
			return layers.Place{}, fmt.Errorf("the home directory is not known: %w; set HOME", err)
		}
	}
	return layers.Chosen(home, p.Getenv), nil
}

// tell tells people what is wrong with a policy and what of it has no effect.
func tell(stderr io.Writer, l *layers.Policy) {
	for i := range l.Warnings {
		warn(stderr, "warning: ", &l.Warnings[i])
	}
	if l.TrustErr != nil {
		warn(stderr, "warning: ", l.TrustErr)
	}
	for i := range l.Bundles {
		if text := l.Bundles[i].Trouble; text != "" {
			warn(stderr, "warning: ", errors.New(text))
		}
	}
	for _, a := range l.Held() {
		warn(stderr, "", errors.New(held(a)))
	}
	if l.Err != nil {
		warn(stderr, "", l.Err)
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

// maxPolicy bounds how much of a file is read; config refuses far less.
const maxPolicy = 5 << 20

func openPolicies(names []string) (files []config.File, errs []error) {
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

// builtin begins the names of the policies that policyctl brings along.
const builtin = "builtin:"

// readPolicy reads a file, or a policy that policyctl brings along.
func readPolicy(name string) ([]byte, error) {
	pack, ok := strings.CutPrefix(name, builtin)
	if !ok {
		return readFile(name)
	}
	text, ok := policies.Lookup(pack)
	if !ok {
		return nil, unknown("policy", pack, policies.Names(), "one of "+strings.Join(policies.Names(), ", "))
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
			if isPolicy(e.Name()) {
				files = append(files, filepath.Join(name, e.Name()))
			}
		}
		if len(files) == found {
			errs = append(errs, fmt.Errorf("%s: the directory holds no policy: name one whose files end in .yaml, .yml or .json", name))
		}
	}
	return files, errs
}

// isPolicy says whether a file in a directory of policies is one, and no test
// of them.
func isPolicy(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return name[0] != '.' && !strings.HasSuffix(name, "_test.yaml")
	}
	return false
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPolicy))
	return data, bare(err)
}

// bare returns the error of a file operation without its path.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// warn tells people something on a line of its own, or on one for each line
// of the error.
func warn(stderr io.Writer, kind string, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(stderr, "policyctl: %s%s\n", kind, render.Plain(strings.TrimRight(line, "\n")))
	}
}

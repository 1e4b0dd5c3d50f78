// Package layers finds the policy files of a machine, a person and a project,
// and makes one effective policy of them.
//
// It reads files and remembers which content of a project's policy a person
// trusts. What the layers mean is decided in [config]; the package reads no
// environment by itself, judges no call, and writes nothing but the record of
// trust.
package layers

import (
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Place says where the files of policyctl lie. All paths are absolute.
type Place struct {
	// Managed is the directory of the organisation.
	Managed string
	// Home is the person's home directory.
	Home string
	// Config is the person's directory with policy.yaml, State that with what
	// policyctl remembers.
	Config, State string
	// Shadow is a directory of the environment that differs from Config: its
	// policy may only tighten. "" for none.
	Shadow string
	// Project is a directory whose project's policies apply wherever a call is
	// made. They only tighten. "" for none.
	Project string
	// Bundler gives what the bundles add to which policies subscribe; nil where
	// the program cannot load any.
	Bundler Bundler
	// Forms has what large policy files were read to before; nil reads all
	// files in full. It is for who only decides: rules in forms are no
	// assignments.
	Forms Preparer
	// Evaluate makes the source of a set of rules; nil has policyctl evaluate
	// them itself.
	Evaluate func(*pattern.Set) (policy.Source, error)
	// Grants are what people have approved; nil for nothing.
	Grants policy.Grants
	// Count keeps how often calls were made, for rules about rates; nil keeps that in
	// memory.
	Count func(ctx context.Context, name string, t *policy.Tally) (before int, err error)
	// Extra gives sources that come from no file, such as rules of a database,
	// and a text that is another as soon as they are; nil for none. They count
	// also where no policy is read. It must be safe for concurrent use.
	Extra func() (sources []policy.Source, stamp string)
	// Bundles are subscriptions beside those of the policies.
	Bundles []config.BundleSource
	// Off says that no policy is read from the place. What it protects stays
	// protected.
	Off bool
}

// A Preparer adds [config.File.Prepared] to a policy file, where it has that.
// path is that of the file, digest the SHA-256 of its content in hexadecimal.
type Preparer interface {
	Prepare(f *config.File, path, digest string)
}

// managed is the directory of the organisation's policy.
const managed = "/etc/policyctl"

// folder is the directory of further policy files of the organisation.
const folder = "policy.d"

// HomeOf returns the home directory of a user id by the user database. The
// environment is no source: what starts an agent may set it.
func HomeOf(uid int) (string, error) {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(u.HomeDir) {
		return "", errors.New("the user database knows no home directory of user " + u.Uid)
	}
	return filepath.Clean(u.HomeDir), nil
}

// Fixed returns the place that depends on nothing but the home directory, for
// programs that an agent starts. xdgConfig may name another directory of
// policies, which then only tightens.
func Fixed(home, xdgConfig string) Place {
	p := Place{
		Managed: managed,
		Home:    home,
		Config:  filepath.Join(home, ".config", "policyctl"),
		State:   filepath.Join(home, ".local", "state", "policyctl"),
	}
	if filepath.IsAbs(xdgConfig) {
		if dir := filepath.Join(xdgConfig, "policyctl"); dir != p.Config {
			p.Shadow = dir
		}
	}
	return p
}

// Chosen returns the place that a person chooses by the environment: the
// directories of XDG, where these are absolute.
func Chosen(home string, getenv func(string) string) Place {
	p := Fixed(home, "")
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		p.Config = filepath.Join(dir, "policyctl")
	}
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		p.State = filepath.Join(dir, "policyctl")
	}
	return p
}

// Own returns the paths that no call may change: where the policy and its
// state lie, and what the links on the way there lead to.
func (p Place) Own() []string {
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	w := make(walk)
	for _, dir := range []string{p.Managed, p.Config, p.State} {
		if dir != "" {
			add(dir)
			add(w.hops(dir)...)
		}
	}
	files, _ := filesOf(p.Managed) // what cannot be read makes the policy invalid
	own, _ := filesOf(p.Config)
	for _, name := range append(append(files, own...), filepath.Join(p.State, trustFile), filepath.Join(p.State, grantFile)) {
		add(w.hops(name)...)
	}
	return out
}

// maxHops is how many links lead from one to the next before the system gives
// up.
const maxHops = 40

// A walk knows where the directories that it has passed are, so that each is
// looked at once.
type walk map[string]string

// hops returns the paths to which the links of a name lead, one after the
// other, and where they end.
func (w walk) hops(name string) (out []string) {
	for at := name; len(out) < maxHops; out = append(out, at) {
		to, err := os.Readlink(at)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(real(filepath.Dir(at)), to)
		}
		at = filepath.Clean(to)
	}
	end := filepath.Join(w.real(filepath.Dir(name)), filepath.Base(name))
	if len(out) > 0 {
		end = real(name)
	}
	if end != name {
		out = append(out, end)
	}
	return out
}

// real is [real] for a directory.
func (w walk) real(dir string) string {
	end, known := w[dir]
	if known {
		return end
	}
	up := filepath.Dir(dir)
	if _, err := os.Readlink(dir); err == nil || up == dir || len(dir) > maxPath {
		end = real(dir)
	} else {
		end = filepath.Join(w.real(up), filepath.Base(dir))
	}
	w[dir] = end
	return end
}

// UserFile returns the path of the person's policy.
func (p Place) UserFile() string { return policyIn(p.Config)[0] }

// More returns the directory of further files of the person's policy.
func (p Place) More() string { return filepath.Join(p.Config, folder) }

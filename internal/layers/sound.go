package layers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// lesser says whether a file is one that a repository or what starts an agent
// may have written: by being wrong it takes nothing away from the others.
func lesser(layer string, admit config.Admission) bool {
	return layer == config.Project || layer == config.Environment || admit == config.Tightening
}

// sound makes one policy of the files, less the lesser ones that are wrong.
// why is what is wrong with these; err says that others are, or that the rest
// is no policy.
func (p *Policy) sound(files []config.File) (loaded config.Loaded, why, err error) {
	loaded, why = p.read(files)
	warnings := loaded.Warnings
	for err = why; err != nil; loaded, err = p.read(files) {
		why = also(why, err)
		left := without(files, err)
		if len(left) == len(files) {
			break
		}
		files = left
	}
	p.files = files
	loaded.Warnings = warnings
	return loaded, why, err
}

// read makes one policy of files and of the bundles to which they subscribe.
func (p *Policy) read(files []config.File) (config.Loaded, error) {
	p.Bundles = nil
	loaded, err := config.Load(policy.Defaults(), files...)
	subscribed := slices.Concat(p.place.Bundles, loaded.Bundles)
	switch {
	case err == nil && len(subscribed) > 0:
		return p.bundled(subscribed, files)
	case err == nil && p.place.Bundler != nil:
		p.place.Bundler.Bundles(nil) // earlier subscriptions end
	}
	return loaded, err
}

// without returns files less the lesser ones that an error names, or less all
// of them where it names none.
func without(files []config.File, err error) []config.File {
	var problems config.Problems
	errors.As(err, &problems)
	named := func(f config.File) bool {
		return lesser(f.Layer, f.Admit) && slices.ContainsFunc(problems, func(p config.Problem) bool { return p.File == f.Name })
	}
	left := slices.DeleteFunc(slices.Clone(files), named)
	if len(left) < len(files) {
		return left
	}
	return slices.DeleteFunc(left, func(f config.File) bool { return lesser(f.Layer, f.Admit) })
}

// also adds an error to another that does not say all of it yet.
func also(why, err error) error {
	for line := range strings.Lines(err.Error()) {
		if !strings.Contains(why.Error(), strings.TrimSuffix(line, "\n")) {
			return errors.Join(why, err)
		}
	}
	return why
}

// apply puts a policy that was read in force. Where files were left out, its
// revision names why.
func (p *Policy) apply(loaded config.Loaded) {
	if p.Err != nil {
		loaded.Revision = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s without %q", loaded.Revision, p.Err)))
	}
	p.Loaded = loaded
	p.add(p.place.extra())
	p.Settings.Protect = append(p.place.Own(), p.place.below(p.Settings.Protect)...)
}

// lessen leaves all lesser files out for a reason that concerns them at most,
// and says whether that is another policy.
func (p *Policy) lessen(why error) bool {
	left := without(p.files, why)
	if !p.Applies() || len(left) == len(p.files) {
		return false
	}
	loaded, _, err := p.sound(left)
	if err != nil {
		return false
	}
	p.Err = errors.Join(p.Err, &unfit{why})
	loaded.Warnings = p.Warnings
	p.apply(loaded)
	return true
}

// Applies says whether a policy is in force: all of it or, beside an Err, that
// of the files with which nothing is wrong.
func (p *Policy) Applies() bool { return p.Revision != "" }

package serve

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Reviewers are the language models of approvers.yaml.
type Reviewers struct {
	// File is the path of the file, "" for the usual one.
	File string
}

// path returns where the file lies.
func (v *Reviewers) path(p *console.Process) (string, error) {
	if v.File != "" {
		return p.Absolute(v.File)
	}
	place, err := p.Policies()
	if err != nil {
		return "", err
	}
	return p.Absolute(settings.Default(place.UserFile()))
}

// Read reads the settings from the file, or from the one beside the person's policy,
// which need not be there. It returns the path too, "" where there is no file.
func (v *Reviewers) Read(p *console.Process) (string, []reviewer.Settings, error) {
	name, err := v.path(p)
	if err != nil {
		return "", nil, err
	}
	file, err := settings.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && v.File == "":
		return "", nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, console.Usagef("%s: there is no such file: write it, or name another with --approvers", name)
	case err != nil:
		return "", nil, console.Usagef("%v", err)
	}
	list, err := reviewer.Decode(name, file.Section("reviewers"))
	if err != nil {
		return "", nil, console.Usagef("%v", err)
	}
	return name, list, nil
}

// Asker returns what asks the model of a reviewer.
func Asker(s *reviewer.Settings) (*wire.Client, error) {
	key, err := s.Key(os.Getenv)
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	return wire.New(s.Kind, wire.Options{URL: s.URL, Key: key})
}

// reviewers returns the language models that may answer, and has them end with the
// service.
func (s *serve) reviewers(r *instance, brief *backend.Brief, failed func(error)) ([]approval.Approver, error) {
	file, list, err := s.models.Read(s.Process)
	if err != nil || file == "" {
		return nil, err
	}
	r.approvers = append(r.approvers, file)
	var out []approval.Approver
	for i := range list {
		one := &list[i]
		asker, err := Asker(one)
		if err != nil {
			return nil, err
		}
		if one.KeyFile != "" {
			r.approvers = append(r.approvers, one.KeyFile)
		}
		made := reviewer.New(reviewer.Options{Settings: *one, Asker: asker, Look: brief.Facts, Now: time.Now, Failed: failed})
		r.ends = append(r.ends, made.Close)
		r.reviewers = append(r.reviewers, made)
		out = append(out, made)
	}
	return out, nil
}

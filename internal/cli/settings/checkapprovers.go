package settings

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
	"github.com/policyctl/policyctl/pkg/config"
)

// approvers adds what is wrong with approvers.yaml, and with what the policy wants of it.
// What is wrong with the whole file is said once.
func (c *checkJSON) approvers(place layers.Place, l *config.Loaded) {
	file, err := settings.Read(settings.Default(place.UserFile()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		file = &settings.File{}
	case err != nil:
		c.errors(err)
		return
	default:
		c.Files = append(c.Files, file.Path())
	}
	c.channels(file, l)
	c.reviewers(file, l.Rules)
}

// channels adds what is wrong with channels, and with those that the policy names.
func (c *checkJSON) channels(file *settings.File, l *config.Loaded) {
	made, err := file.Channels(settings.Types(nil), os.Getenv)
	if err != nil {
		c.errors(err)
		return
	}
	names := settings.Names(made)
	for _, name := range l.Settings.Approval.Channels() {
		if slices.Contains(names, name) {
			continue
		}
		row := problemRow{Level: "error", Text: channel.Unknown(name, names).Error()}
		if at := assignment(l, "security.approval.notify_channel"); at != nil {
			row.File = console.OrNull(at.Origin.File)
			if at.Origin.Line > 0 {
				row.Line = &at.Origin.Line
			}
		}
		c.Problems = append(c.Problems, row)
	}
}

// assignment returns what assigns a key last, nil for nothing.
func assignment(l *config.Loaded, path string) *config.Assignment {
	for i := range slices.Backward(l.Assignments) {
		if l.Assignments[i].Path == path && l.Assignments[i].Held == "" {
			return &l.Assignments[i]
		}
	}
	return nil
}

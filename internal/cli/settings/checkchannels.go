package settings

import (
	"slices"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
	"github.com/policyctl/policyctl/pkg/config"
)

// channels adds what is wrong with approvers.yaml, and with the channels that the policy
// names.
func (c *checkJSON) channels(place layers.Place, l *config.Loaded) {
	file, made, err := settings.Load(settings.Default(place.UserFile()), false, settings.Types(nil))
	if err != nil {
		c.errors(err)
		return
	}
	if file.Path() != "" {
		c.Files = append(c.Files, file.Path())
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

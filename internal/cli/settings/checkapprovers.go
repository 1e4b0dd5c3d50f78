package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
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

// isApprovers reports whether a file says who approves: it is called so, or has a section
// of such files and none of a policy.
func isApprovers(name string) bool {
	if filepath.Base(name) == settings.Name {
		return true
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return false
	}
	text, err := console.ReadFile(name)
	return err == nil && settings.Is(name, text)
}

// approverFiles adds what is wrong with files that say who approves, and with what a
// policy wants of them.
func (c *checkJSON) approverFiles(names []string, l *config.Loaded) {
	for _, name := range names {
		file, err := settings.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			c.problemAt(name, "there is no such file: check its path")
		case err != nil && !errors.As(err, new(config.Problems)):
			c.problemAt(name, strings.TrimPrefix(plainfile.Bare(err).Error(), name+": "))
		case err != nil:
			c.errors(err)
		default:
			c.channels(file, l)
			c.reviewers(file, l.Rules)
		}
	}
}

// problemAt adds an error about a file as a whole.
func (c *checkJSON) problemAt(file, text string) {
	row := problemRow{Level: "error", Text: text}
	row.place(file, 0)
	c.Problems = append(c.Problems, row)
}

// unreached names who must decide by the policy and whom no channel reaches: a name that is
// neither a channel nor somebody whom one knows. A token or a passkey of that name can still
// decide, which is not written in any file.
func (c *checkJSON) unreached(made []settings.Made, l *config.Loaded) {
	reached := []string{approval.Queue}
	for i := range made {
		reached = append(reached, made[i].Name)
		reached = slices.AppendSeq(reached, maps.Values(made[i].People))
	}
	say := func(what, names string, at *problemRow) {
		for _, name := range policy.Approvers(names) {
			if !policy.SamePerson(reached, name) {
				at.Level, at.Text = "note", fmt.Sprintf("%s: no channel of approvers.yaml reaches %s, who decides only with a token or a passkey of that name", what, clip.Quote(name))
				c.Problems = append(c.Problems, *at)
			}
		}
	}
	var row problemRow
	if at := assignment(l, "security.approval.supervisor_id"); at != nil {
		row.place(at.Origin.File, at.Origin.Line)
	}
	say("security.approval.supervisor_id", l.Settings.Approval.Supervisor, &row)
	for _, set := range l.Rules {
		for _, r := range set.Rules {
			if r.Decision.Verb == pattern.RequireHuman {
				var row problemRow
				row.place(r.Origin.File, r.Origin.Line)
				say("rule "+r.ID, r.Decision.Approver, &row)
			}
		}
	}
}

// place says where a problem is.
func (r *problemRow) place(file string, line int) {
	r.File = console.OrNull(file)
	if line > 0 {
		r.Line = &line
	}
}

// channels adds what is wrong with channels, and with those that the policy names.
func (c *checkJSON) channels(file *settings.File, l *config.Loaded) {
	made, err := file.Channels(settings.Types(nil), os.Getenv)
	if err != nil {
		c.errors(err)
		return
	}
	names := settings.Names(made)
	c.unreached(made, l)
	for _, name := range l.Settings.Approval.Channels() {
		if slices.Contains(names, name) {
			continue
		}
		row := problemRow{Level: "error", Text: channel.Unknown(name, names).Error()}
		if at := assignment(l, "security.approval.notify_channel"); at != nil {
			row.place(at.Origin.File, at.Origin.Line)
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

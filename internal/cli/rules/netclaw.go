package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/netclaw"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/trust"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A netclawReport is what an import of netclaw's approvals does, as JSON.
type netclawReport struct {
	Approved  []grant.Entry `json:"approved"`
	Unchanged []grant.Entry `json:"unchanged"`
	Notes     []string      `json:"notes"`
}

// netclaw stores the approvals of netclaw, those that trust-verb would store.
func (im *importer) netclaw(files []string) error {
	if im.output != "" || im.project != "" {
		return console.Usagef("--output and --project are for agents: import netclaw stores approvals")
	}
	place, err := im.Policies()
	if err != nil {
		return err
	}
	name := filepath.Join(place.Home, ".netclaw", "config", "tool-approvals.json")
	if len(files) > 0 {
		name = files[0]
	}
	name, data, err := im.exported(name, "the tool-approvals.json of netclaw")
	if err != nil {
		return err
	}
	list, err := netclaw.Read(data)
	if err != nil {
		return console.Usagef("%s: %v", name, err)
	}
	report := netclawReport{Approved: []grant.Entry{}, Unchanged: []grant.Entry{}, Notes: []string{}}
	entries := im.admitted(list, place, &report)
	if im.strict && len(report.Notes) > 0 {
		im.note(&report)
		return console.Usagef("%s: not every approval can be imported: nothing is stored", name)
	}
	if err := im.keep(entries, place, &report); err != nil {
		return err
	}
	return im.report(&report, place)
}

// admitted returns the entries that can be approved here, and notes the others.
func (im *importer) admitted(list []netclaw.Entry, place layers.Place, report *netclawReport) []grant.Entry {
	var out []grant.Entry
	for i := range list {
		e, err := im.admit(&list[i], place)
		if err != nil {
			report.Notes = append(report.Notes, fmt.Sprintf("%s: not imported: %v", &list[i], err))
			continue
		}
		out = append(out, e)
	}
	return out
}

// admit returns an approval of netclaw as one of ours.
func (im *importer) admit(n *netclaw.Entry, place layers.Place) (e grant.Entry, err error) {
	e = grant.Entry{Verb: n.Verb, Scope: grant.Anywhere, Tool: trust.ToolNamed(n.Tool), By: "import netclaw"}
	if n.Problem != "" {
		return e, errors.New(n.Problem)
	}
	if err := e.Audience.UnmarshalText([]byte(n.Audience)); err != nil {
		return e, err
	}
	if err := trust.CheckEntry(&e); err != nil {
		return e, err
	}
	if n.Directory == "" {
		return e, nil
	}
	if dir := trust.AtHome(n.Directory, place); !filepath.IsAbs(dir) {
		return e, fmt.Errorf("the directory %q is not absolute", n.Directory)
	}
	return e, trust.Settle(im.Process, &e, n.Directory, place)
}

// keep stores entries, or finds out what would be stored.
func (im *importer) keep(entries []grant.Entry, place layers.Place, report *netclawReport) error {
	store := grant.NewStore(place.State, time.Now)
	add := store.Add
	if im.dry {
		add = store.Missing
	}
	added, err := add(entries...)
	if err != nil {
		return err
	}
	for i := range entries {
		if slices.ContainsFunc(added, entries[i].Same) {
			report.Approved = append(report.Approved, entries[i])
			continue
		}
		report.Unchanged = append(report.Unchanged, entries[i])
	}
	return nil
}

// report tells what was stored.
func (im *importer) report(r *netclawReport, place layers.Place) error {
	if im.json {
		return render.JSON(im.Stdout, r)
	}
	for i := range r.Approved {
		line := "approved  "
		if im.dry {
			line = "would be approved  "
		}
		if _, err := fmt.Fprintln(im.Stdout, line+told(&r.Approved[i])); err != nil {
			return err
		}
	}
	for i := range r.Unchanged {
		if _, err := fmt.Fprintf(im.Stdout, "no change: %s is approved already\n", told(&r.Unchanged[i])); err != nil {
			return err
		}
	}
	im.note(r)
	trust.Misplaced(im.Process, place, "repeat it")
	return nil
}

// told is an entry in one line, with for whom it counts where that is not
// everyday.
func told(e *grant.Entry) string {
	text := e.Text()
	if e.Audience != policy.Personal {
		text += ", for the audience " + e.Audience.String()
	}
	return render.Plain(text)
}

func (im *importer) note(r *netclawReport) {
	for _, note := range r.Notes {
		console.Warn(im.Stderr, "", errors.New(note))
	}
}

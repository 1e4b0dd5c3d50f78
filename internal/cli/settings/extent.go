package settings

import (
	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An extentRow is what a permission means, as JSON.
type extentRow struct {
	Match  string          `json:"match"`
	Action policy.Decision `json:"action"`
	Origin string          `json:"origin"`
	Covers []string        `json:"covers"`
	Leaves []string        `json:"does_not_cover"`
}

// extents adds what the permissions mean, if that was asked for.
func (c *checker) extents(found *checkJSON, s *policy.Settings) error {
	if !c.covers {
		return nil
	}
	for i := range s.Permissions {
		p := &s.Permissions[i]
		e, err := extent.Of(*p, *s)
		if err != nil {
			return err
		}
		if len(e.Covers)+len(e.Leaves) > 0 {
			found.Permissions = append(found.Permissions, extentRow{p.Match, p.Action, p.Origin.String(), e.Covers, e.Leaves})
		}
	}
	return nil
}

// show prints a permission with its calls.
func (r *extentRow) show(page *render.Page) {
	page.Text(r.Action.String() + " " + r.Match + "  " + r.Origin)
	for _, line := range r.Covers {
		page.Block("  covers          " + render.Plain(line))
	}
	for _, line := range r.Leaves {
		page.Block("  does not cover  " + render.Plain(line))
	}
}

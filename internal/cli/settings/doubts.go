package settings

import (
	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// doubts adds what permissions say that was probably not meant.
func (c *checkJSON) doubts(l *layers.Policy) error {
	o, err := l.Options(nil)
	if err != nil {
		return err
	}
	doubts, err := extent.Doubts(l.Settings, o)
	for _, d := range doubts {
		at := d.Permission.Origin
		row := problemRow{
			Level: "warning", File: console.OrNull(at.File), Kind: "permission", Call: d.Call,
			Text: d.Permission.Action.String() + " `" + d.Permission.Match + "`: " + d.Text, Next: d.Next,
		}
		if d.Note {
			row.Level = "note"
		}
		if at.Line > 0 {
			row.Line = &at.Line
		}
		c.Problems = append(c.Problems, row)
	}
	return err
}

package desk

import (
	"strings"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
)

// A grantsPage is what people have approved for longer than once.
type grantsPage struct {
	Query           string
	Grants, Revoked []backend.Grant
	All             int
	// Stored says that this service stores grants at all.
	Stored bool
}

// maxGrants is how many grants a page shows.
const maxGrants = 500

func (d *Desk) grants(x *route.Exchange) (string, *frame, error) {
	page := &grantsPage{Query: x.Query.Get("q"), Stored: x.Granted != nil}
	if page.Stored {
		counting, revoked, err := x.Granted.List(x.Context())
		if err != nil {
			return "", nil, err
		}
		page.All, page.Revoked = len(counting), revoked
		for _, g := range counting {
			if grantHas(&g, page.Query) && len(page.Grants) < maxGrants {
				page.Grants = append(page.Grants, g)
			}
		}
	}
	return "grants.html", &frame{Title: "Grants", At: "grants", Content: page}, nil
}

// grantHas reports whether a text stands in what is shown of a grant.
func grantHas(g *backend.Grant, text string) bool {
	for _, s := range []string{g.Text, g.Effect, g.Tool, g.Audience.String(), g.Scope.String(), g.By, g.Request, g.Conversation, g.Agent} {
		if strings.Contains(strings.ToLower(s), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

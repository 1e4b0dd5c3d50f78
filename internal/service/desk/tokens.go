package desk

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A tokensPage is who may speak to the service.
type tokensPage struct {
	Tokens []token
	Logins []login
	Scopes []scopeText
}

// A token is one with who made it, "" where the log does not say.
type token struct {
	auth.Shown
	By string
}

// A login is one, and whether it is that of this page.
type login struct {
	auth.Login
	Current bool
}

// A scopeText is what a scope is for.
type scopeText struct{ Name, Text string }

var scopes = []scopeText{
	{"submit", "ask for approval, use receipts, report results"},
	{"approve", "decide requests, revoke grants"},
	{"read", "see requests, rules and the audit log"},
	{"admin", "write rules and manage tokens, and read"},
	{"record", "put decisions of other machines on record"},
}

// tokens shows credentials to people who are logged in, and to who may manage them.
func (d *Desk) tokens(x *route.Exchange) (string, *frame, error) {
	own := auth.Current(x.R)
	if own == "" && !x.Who.Scopes.Has(auth.Admin) {
		return "", nil, route.Refuse(http.StatusForbidden, "scope", x.Who.Name+" may not see tokens", "log in with the URL that policyctl serve prints")
	}
	page := &tokensPage{Scopes: scopes}
	all, err := x.Data.Tokens(x.Context())
	if err != nil {
		return "", nil, err
	}
	made, err := x.Data.SearchAudit(x.Context(), audit.Filter{Kind: audit.KindToken, Limit: 1000})
	if err != nil {
		return "", nil, err
	}
	by := make(map[string]string)
	for _, r := range made {
		if r.Detail["change"] == "created" {
			by[r.Detail["id"]] = r.Actor
		}
	}
	for i := range all {
		page.Tokens = append(page.Tokens, token{all[i].Shown(x.Now()), by[all[i].ID]})
	}
	logins, err := x.Logins.List()
	if err != nil {
		return "", nil, err
	}
	for _, l := range logins {
		page.Logins = append(page.Logins, login{l, l.ID == own})
	}
	return "tokens.html", &frame{Title: "Tokens", At: "tokens", Content: page}, nil
}

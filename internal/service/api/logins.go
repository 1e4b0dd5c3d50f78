package api

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
)

// A shownLogin is a login, and whether it is the one that asks.
type shownLogin struct {
	auth.Login
	Current bool `json:"current"`
}

func (a *API) listLogins(x *route.Exchange) error {
	all, err := x.Logins.List()
	if err != nil {
		return err
	}
	own, list := auth.Current(x.R), []shownLogin{}
	for _, l := range all {
		list = append(list, shownLogin{l, l.ID == own})
	}
	return x.Answer(http.StatusOK, map[string]any{"logins": list})
}

// endLogins ends all logins but the one that asks.
func (a *API) endLogins(x *route.Exchange) error {
	all, err := x.Logins.List()
	if err != nil {
		return err
	}
	own, ids := auth.Current(x.R), []string{}
	for _, l := range all {
		if l.ID != own {
			ids = append(ids, l.ID)
		}
	}
	return a.end(x, ids...)
}

func (a *API) endOneLogin(x *route.Exchange) error { return a.end(x, x.ID) }

// end ends logins. They are over although that may not be recorded: nobody is kept
// logged in by a full disk.
func (a *API) end(x *route.Exchange, ids ...string) error {
	ended, err := x.Logins.End(ids...)
	if err != nil {
		return err
	}
	if len(ended) == 0 && x.ID != "" {
		return route.Refuse(http.StatusNotFound, "not-found", "there is no login with the id "+x.ID, "list the logins for their ids")
	}
	names := []string{}
	for _, l := range ended {
		names = append(names, l.Name)
		e := loginEntry(x.Who.Name, x.Now(), "out")
		e.Detail["ended"] = l.Name
		if err := x.Data.Record(x.Context(), e); err != nil {
			return err
		}
	}
	return x.Answer(http.StatusOK, map[string]any{"ended": names})
}

package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
)

func (a *API) listGrants(x *route.Exchange) error {
	out := struct {
		Grants  []backend.Grant `json:"grants"`
		Revoked []backend.Grant `json:"revoked"`
	}{[]backend.Grant{}, []backend.Grant{}}
	if x.Granted != nil {
		counting, revoked, err := x.Granted.List(x.Context())
		if err != nil {
			return err
		}
		out.Grants, out.Revoked = append(out.Grants, counting...), append(out.Revoked, revoked...)
	}
	return x.Answer(http.StatusOK, out)
}

func (a *API) revokeGrant(x *route.Exchange) error {
	return a.changeGrant(x, (*backend.Granted).Revoke)
}

func (a *API) restoreGrant(x *route.Exchange, _ *struct{}) error {
	return a.changeGrant(x, (*backend.Granted).Restore)
}

func (a *API) changeGrant(x *route.Exchange, change func(*backend.Granted, context.Context, string, string) (backend.Grant, error)) error {
	g, err := backend.Grant{}, backend.ErrNoGrant
	if x.Granted != nil {
		g, err = change(x.Granted, x.Context(), x.ID, x.Who.Name)
	}
	switch {
	case errors.Is(err, backend.ErrNoGrant):
		return route.Refuse(http.StatusNotFound, "not-found", "there is no grant with the id "+x.ID, "list the grants: one that was revoked can be restored for a day")
	case errors.Is(err, backend.ErrGrantEnded):
		return route.Refuse(http.StatusConflict, "ended", "the grant has ended in the meantime", "approve the call when it asks again")
	case err != nil:
		return err
	}
	return x.Answer(http.StatusOK, g)
}

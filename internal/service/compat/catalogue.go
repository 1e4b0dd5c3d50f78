package compat

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/record"
)

// actionSchemas merges what is built in with what plugins say, as it is now.
func (h *Handler) actionSchemas(x *route.Exchange) error {
	all := []any{}
	for _, s := range record.Schemas() {
		all = append(all, s)
	}
	list, problems := h.schemas.List()
	for _, s := range list {
		all = append(all, s)
	}
	return x.Answer(http.StatusOK, struct {
		Schemas  []any    `json:"schemas"`
		Problems []string `json:"problems,omitempty"`
	}{all, problems})
}

// putSchemas writes schemas of plugins.
func (h *Handler) putSchemas(x *route.Exchange) error {
	text, err := io.ReadAll(x.R.Body)
	if err != nil {
		return webguard.OfBody(err)
	}
	list, err := schemas.Decode(text)
	if err != nil {
		return refuse(http.StatusBadRequest, "%v", err)
	}
	err = h.schemas.Put(list)
	if errors.Is(err, schemas.ErrNone) || errors.Is(err, schemas.ErrFull) {
		return refuse(http.StatusConflict, "%v", err)
	}
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"ok": true, "schemas": len(list)})
}

// A scope is where a rule counts, or where a call was made.
type scope struct{ Plugin, Profile, Integration string }

// lookback is how many of the newest calls are looked at for their scopes.
const lookback = 500

// scopes returns those of the rules and of the newest calls.
func (h *Handler) scopes(x *route.Exchange) (list []scope, err error) {
	rows, err := x.Rules.List(x.Context())
	if err != nil {
		return nil, err
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for _, r := range rows {
		list = append(list, scope{text(r.ScopePluginID), text(r.ScopeProfileID), text(r.ScopeIntegrationID)})
	}
	calls, err := x.Data.Calls(x.Context(), lookback)
	for _, c := range calls {
		var call struct{ Scope scope }
		if json.Unmarshal(c.JSON, &call) == nil {
			list = append(list, call.Scope)
		}
	}
	return list, err
}

// profiles lists the profiles that rules or calls name.
func (h *Handler) profiles(x *route.Exchange) error {
	type profile struct {
		ID string `json:"id"`
	}
	list, err := h.scopes(x)
	if err != nil {
		return err
	}
	found := make(map[profile]bool)
	for _, s := range list {
		if s.Profile != "" {
			found[profile{s.Profile}] = true
		}
	}
	all := slices.SortedFunc(maps.Keys(found), func(a, b profile) int { return cmp.Compare(a.ID, b.ID) })
	return x.Answer(http.StatusOK, map[string]any{"profiles": append([]profile{}, all...)})
}

// integrations lists the integrations that rules or calls name, with their
// plugins, or those of one plugin.
func (h *Handler) integrations(x *route.Exchange) error {
	type integration struct {
		ID     string `json:"id"`
		Plugin string `json:"pluginId"`
	}
	list, err := h.scopes(x)
	if err != nil {
		return err
	}
	found := make(map[integration]bool)
	for _, s := range list {
		if s.Integration != "" && (!x.Query.Has("plugin") || s.Plugin == x.Query.Get("plugin")) {
			found[integration{s.Integration, s.Plugin}] = true
		}
	}
	all := slices.SortedFunc(maps.Keys(found), func(a, b integration) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Plugin, b.Plugin))
	})
	return x.Answer(http.StatusOK, map[string]any{"integrations": append([]integration{}, all...)})
}

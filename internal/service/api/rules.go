package api

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) listRules(x *route.Exchange) error {
	rows, err := x.Rules.List(x.Context())
	if err != nil {
		return err
	}
	out := struct {
		Rules    []ruledb.Row `json:"rules"`
		Revision string       `json:"revision"`
		Problem  *string      `json:"problem"`
	}{Rules: append([]ruledb.Row{}, rows...), Revision: x.Rules.Revision()}
	if err := x.Rules.Problem(); err != nil {
		text := err.Error()
		out.Problem = &text
	}
	return x.Answer(http.StatusOK, out)
}

func (a *API) getRule(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	row, ok, err := x.Rules.Get(x.Context(), id)
	if err != nil {
		return err
	}
	if !ok {
		return noRule(id)
	}
	return x.Answer(http.StatusOK, row)
}

func noRule(id string) error {
	return route.Refuse(http.StatusNotFound, "not-found", "there is no rule with the id "+id, "list the rules for their ids")
}

func (a *API) postRule(x *route.Exchange) error {
	d, err := draftOf(x)
	if err != nil {
		return err
	}
	return a.putDraft(x, d)
}

func (a *API) putRule(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	d, err := draftOf(x)
	if err != nil {
		return err
	}
	if d.Row.ID != "" && d.Row.ID != id {
		return &approval.Invalid{Text: fmt.Sprintf("id: %.64q is not the one of the path, %s; leave it out", d.Row.ID, id)}
	}
	d.Row.ID = id
	return a.putDraft(x, d)
}

func (a *API) putDraft(x *route.Exchange, d ruledb.Draft) error {
	id, created, notes, err := x.Rules.Put(x.Context(), x.Who.Name, d)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
		x.W.Header().Set("Location", "/v1/rules/"+id)
	}
	return x.Answer(status, struct {
		ID    string   `json:"id"`
		Notes []string `json:"notes"`
	}{id, append([]string{}, notes...)})
}

// draft reads a rule.
func draftOf(x *route.Exchange) (ruledb.Draft, error) {
	var text json.RawMessage
	if err := x.Body(&text); err != nil {
		return ruledb.Draft{}, err
	}
	return ruledb.Decode(text)
}

func (a *API) deleteRule(x *route.Exchange) error {
	id, err := x.ID()
	if err != nil {
		return err
	}
	removed, err := x.Rules.Delete(x.Context(), x.Who.Name, id)
	if err != nil {
		return err
	}
	if !removed {
		return noRule(id)
	}
	return x.Answer(http.StatusOK, map[string]any{"id": id, "deleted": true})
}

func (a *API) deletedRules(x *route.Exchange) error {
	limit, err := x.Number("limit", 100, 1, 1000)
	if err != nil {
		return err
	}
	list, err := x.Rules.Deleted(x.Context(), int(limit))
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"deleted": append([]ruledb.Tombstone{}, list...)})
}

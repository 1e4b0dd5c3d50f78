package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (a *API) listRules(x *exchange) error {
	rows, err := a.b.Rules.List(x.context())
	if err != nil {
		return err
	}
	out := struct {
		Rules    []ruledb.Row `json:"rules"`
		Revision string       `json:"revision"`
		Problem  *string      `json:"problem"`
	}{Rules: append([]ruledb.Row{}, rows...), Revision: a.b.Rules.Revision()}
	if err := a.b.Rules.Problem(); err != nil {
		text := err.Error()
		out.Problem = &text
	}
	return x.answer(http.StatusOK, out)
}

func (a *API) getRule(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	row, ok, err := a.b.Rules.Get(x.context(), id)
	if err != nil {
		return err
	}
	if !ok {
		return noRule(id)
	}
	return x.answer(http.StatusOK, row)
}

func noRule(id string) error {
	return &refusal{http.StatusNotFound, "not-found", "there is no rule with the id " + id, "list the rules for their ids", nil}
}

func (a *API) postRule(x *exchange) error {
	d, err := x.draft()
	if err != nil {
		return err
	}
	return a.putDraft(x, d)
}

func (a *API) putRule(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	d, err := x.draft()
	if err != nil {
		return err
	}
	if d.Row.ID != "" && d.Row.ID != id {
		return &approval.Invalid{Text: fmt.Sprintf("id: %.64q is not the one of the path, %s; leave it out", d.Row.ID, id)}
	}
	d.Row.ID = id
	return a.putDraft(x, d)
}

func (a *API) putDraft(x *exchange, d ruledb.Draft) error {
	id, created, notes, err := a.b.Rules.Put(x.context(), x.who.Name, d)
	if err != nil {
		return ruleError(err)
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
		x.w.Header().Set("Location", "/v1/rules/"+id)
	}
	return x.answer(status, struct {
		ID    string   `json:"id"`
		Notes []string `json:"notes"`
	}{id, append([]string{}, notes...)})
}

// draft reads a rule.
func (x *exchange) draft() (ruledb.Draft, error) {
	var text json.RawMessage
	if err := x.body(&text); err != nil {
		return ruledb.Draft{}, err
	}
	d, err := ruledb.Decode(text)
	return d, ruleError(err)
}

// ruleError makes the error of a rule that cannot be one that of a body.
func ruleError(err error) error {
	var invalid *ruledb.Invalid
	if errors.As(err, &invalid) {
		return &approval.Invalid{Text: invalid.Error()}
	}
	return err
}

func (a *API) deleteRule(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	removed, err := a.b.Rules.Delete(x.context(), x.who.Name, id)
	if err != nil {
		return err
	}
	if !removed {
		return noRule(id)
	}
	return x.answer(http.StatusOK, map[string]any{"id": id, "deleted": true})
}

func (a *API) deletedRules(x *exchange) error {
	limit, err := x.number("limit", 100, 1, 1000)
	if err != nil {
		return err
	}
	list, err := a.b.Rules.Deleted(x.context(), int(limit))
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, map[string]any{"deleted": append([]ruledb.Tombstone{}, list...)})
}

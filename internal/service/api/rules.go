package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/webguard"
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
	row, ok, err := x.Rules.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	if !ok {
		return noRule(x.ID)
	}
	tag(x, row.Hash())
	return x.Answer(http.StatusOK, row)
}

// tag says which row the answer is about, for changes that are based on it.
func tag(x *route.Exchange, hash string) {
	if hash != "" {
		x.W.Header().Set("ETag", `"`+hash+`"`)
	}
}

// based returns what a change is based on, by the headers of the request: the row of an
// ETag, no row, or whatever stands.
func based(x *route.Exchange) (ruledb.Basis, error) {
	match, none := x.R.Header.Get("If-Match"), x.R.Header.Get("If-None-Match")
	hash, begun := strings.CutPrefix(match, `"`)
	hash, ended := strings.CutSuffix(hash, `"`)
	switch {
	case match == "" && none == "":
		return nil, nil
	case match == "" && none == "*":
		return new(string), nil
	case none == "" && begun && ended && hash != "":
		return &hash, nil
	}
	return nil, &approval.Invalid{Text: "If-Match: give the ETag of the rule, or If-None-Match: * for a new one"}
}

func noRule(id string) error {
	return route.Refuse(http.StatusNotFound, "not-found", "there is no rule with the id "+id, "list the rules for their ids")
}

// putRule writes a rule, under the id of the path where it has one.
func (a *API) putRule(x *route.Exchange, text *json.RawMessage) error {
	d, err := ruledb.Decode(*text)
	if err != nil {
		return err
	}
	if x.ID != "" {
		if d.Row.ID != "" && d.Row.ID != x.ID {
			return &approval.Invalid{Text: fmt.Sprintf("id: %.64q is not the one of the path, %s; leave it out", d.Row.ID, x.ID)}
		}
		d.Row.ID = x.ID
	}
	if d.Based, err = based(x); err != nil {
		return err
	}
	done, err := x.Rules.Put(x.Context(), x.Who.Name, d)
	if err != nil {
		return err
	}
	return ruleWritten(x, done)
}

func ruleWritten(x *route.Exchange, done *ruledb.Written) error {
	status := http.StatusOK
	if done.Created {
		status = http.StatusCreated
		x.W.Header().Set("Location", "/v1/rules/"+done.ID)
	}
	tag(x, done.Hash)
	return x.Answer(status, struct {
		ID     string   `json:"id"`
		Notes  []string `json:"notes"`
		Change int64    `json:"change"`
	}{done.ID, append([]string{}, done.Notes...), done.Change})
}

func (a *API) deleteRule(x *route.Exchange) error {
	basis, err := based(x)
	if err != nil {
		return err
	}
	change, err := x.Rules.Delete(x.Context(), x.Who.Name, x.ID, basis)
	if err != nil {
		return err
	}
	if change == 0 {
		return noRule(x.ID)
	}
	return x.Answer(http.StatusOK, map[string]any{"id": x.ID, "deleted": true, "change": change})
}

// checkRule says what is wrong with a rule that somebody is writing.
func (a *API) checkRule(x *route.Exchange, edit *ruledb.Edit) error {
	return x.Answer(http.StatusOK, x.Rules.Check(x.Context(), *edit, x.Decider.Engine()))
}

func (a *API) ruleChanges(x *route.Exchange) error {
	limit, err := x.Number("limit", 100, 1, 1000)
	if err != nil {
		return err
	}
	before, err := x.Number("before", 0, 1, math.MaxInt64)
	if err != nil {
		return err
	}
	list, err := x.Rules.Changes(x.Context(), x.Query.Get("rule"), before, int(limit))
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"changes": append([]ruledb.Change{}, list...)})
}

// undoRule makes a rule what it was before a change.
func (a *API) undoRule(x *route.Exchange, _ *struct{}) error {
	change, err := strconv.ParseInt(x.ID, 10, 64)
	if err != nil {
		return ruledb.ErrNoChange
	}
	basis, err := based(x)
	if err != nil {
		return err
	}
	done, err := x.Rules.Undo(x.Context(), x.Who.Name, change, basis)
	if err != nil {
		return err
	}
	return ruleWritten(x, done)
}

// importRules says what an import would do, or does it where it names the revision for which
// that was said.
func (a *API) importRules(x *route.Exchange, body *struct {
	Text     string `json:"text"`
	Revision string `json:"revision"`
}) error {
	var plan *ruledb.Plan
	var err error
	if body.Revision == "" {
		plan, err = x.Rules.Plan(x.Context(), body.Text)
	} else {
		plan, err = x.Rules.Import(x.Context(), x.Who.Name, body.Text, body.Revision)
	}
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, plan)
}

func (a *API) exportRules(x *route.Exchange) error {
	format := cmp.Or(x.Query.Get("format"), "json")
	media, ok := ruledb.Formats[format]
	if !ok {
		return webguard.BadQuery(fmt.Sprintf("format: %.64q", format), "give one of "+strings.Join(slices.Sorted(maps.Keys(ruledb.Formats)), ", "))
	}
	text, err := x.Rules.Export(x.Context(), format)
	if err != nil {
		return err
	}
	x.W.Header().Set("Content-Disposition", `attachment; filename="rules.`+format+`"`)
	return x.Write(http.StatusOK, media, text)
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

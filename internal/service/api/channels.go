package api

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/support/spelling"
)

func (a *API) channels(x *route.Exchange) error {
	out := struct {
		Channels []channel.Health `json:"channels"`
		Problems []string         `json:"problems"`
	}{[]channel.Health{}, []string{}}
	if x.Channels != nil {
		var err error
		if out.Channels, err = x.Channels.Healths(x.Context()); err != nil {
			return err
		}
		if wrong := x.Channels.Misnamed(); wrong != nil {
			out.Problems = strings.Split(wrong.Error(), "\n")
		}
	}
	return x.Answer(http.StatusOK, out)
}

// testTime is how long a test waits for an answer where nothing is said.
const testTime = 2 * time.Minute

// testChannel asks about nothing by one channel.
func (a *API) testChannel(x *route.Exchange, body *struct {
	Timeout string `json:"timeout"`
}) error {
	if x.Channels == nil || !slices.Contains(x.Channels.Names(), x.ID) {
		return noChannel(x)
	}
	timeout, err := duration("timeout", body.Timeout)
	if err != nil {
		return err
	}
	r, err := x.Service.Try(x.Context(), x.Who.Name, x.ID, cmp.Or(timeout, testTime))
	if err != nil {
		return err
	}
	x.W.Header().Set("Location", "/v1/requests/"+r.ID)
	return show(x, http.StatusCreated, r)
}

// noChannel refuses a name that no channel has.
func noChannel(x *route.Exchange) error {
	var names []string
	if x.Channels != nil {
		names = x.Channels.Names()
	}
	hint := "approvers.yaml has no channels"
	if near := spelling.Nearest(x.ID, names); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		hint = "the channels are " + strings.Join(names, ", ")
	}
	return route.Refuse(http.StatusNotFound, "not-found", "there is no channel "+x.ID, hint)
}

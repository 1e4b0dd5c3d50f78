package api

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A shownSubscription is a browser that push tells, as it is shown: without its
// endpoint, which is a secret of the browser.
type shownSubscription struct {
	ID      string     `json:"id"`
	Person  string     `json:"person"`
	Label   string     `json:"label"`
	Created time.Time  `json:"created"`
	Told    *time.Time `json:"told"`
	Problem string     `json:"problem,omitempty"`
}

func (a *API) push(x *route.Exchange) error {
	all, err := x.Data.Subscriptions(x.Context())
	if err != nil {
		return err
	}
	key, err := x.Push.PublicKey()
	if err != nil {
		return err
	}
	list := []shownSubscription{}
	for i := range all {
		list = append(list, shownOfSubscription(x, &all[i]))
	}
	return x.Answer(http.StatusOK, map[string]any{"key": key, "subscriptions": list})
}

// A draftSubscription is what a browser says when it subscribes (PushSubscription.toJSON).
type draftSubscription struct {
	Label    string `json:"label"`
	Endpoint string `json:"endpoint"`
	Keys     struct {
		Public string `json:"p256dh"`
		Secret string `json:"auth"`
	} `json:"keys"`
}

func (a *API) subscribe(x *route.Exchange, body *draftSubscription) error {
	if err := auth.CheckLabel(body.Label); err != nil {
		return &approval.Invalid{Text: "label: " + err.Error()}
	}
	decode := func(text string) []byte {
		b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "=")) // what is none is refused below
		return b
	}
	s := push.Subscription{
		ID: "psh_" + rand.Text(), Person: x.Who.Name, Label: body.Label, Endpoint: body.Endpoint,
		Public: decode(body.Keys.Public), Secret: decode(body.Keys.Secret), Created: x.Now().UTC().Truncate(time.Microsecond),
	}
	if err := x.Push.Check(&s); err != nil {
		return &approval.Invalid{Text: err.Error()}
	}
	switch err := x.Data.AddSubscription(x.Context(), s); {
	case errors.Is(err, push.ErrTooMany):
		return &approval.Invalid{Text: err.Error()}
	case err != nil:
		return err
	}
	return x.Answer(http.StatusCreated, shownOfSubscription(x, &s))
}

func (a *API) unsubscribe(x *route.Exchange) error {
	removed, err := x.Data.RemoveSubscription(x.Context(), x.ID)
	if err != nil {
		return err
	}
	x.Push.Forget(x.ID)
	if !removed {
		return route.Refuse(http.StatusNotFound, "not-found", "push tells no browser with the id "+x.ID, "list them for their ids")
	}
	return x.Answer(http.StatusOK, map[string]string{"removed": x.ID})
}

func shownOfSubscription(x *route.Exchange, s *push.Subscription) shownSubscription {
	out := shownSubscription{ID: s.ID, Person: s.Person, Label: s.Label, Created: s.Created}
	if o := x.Push.Outcome(s.ID); !o.At.IsZero() {
		out.Told, out.Problem = &o.At, o.Problem
	}
	return out
}

package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// page returns the origin of the page that asks, which must be one of a login on which
// passkeys work.
func page(x *route.Exchange) (string, error) {
	if !x.Who.InBrowser() {
		return "", route.Refuse(http.StatusConflict, "no-login", x.Who.Name+" is not a login", "log in to the desk in a browser; passkeys work there alone")
	}
	return origin(x)
}

// origin returns the origin of the page that asks.
func origin(x *route.Exchange) (string, error) {
	o, err := auth.OriginOf(x.R)
	if err != nil {
		detail, hint, _ := strings.Cut(err.Error(), "; ")
		return "", route.Refuse(http.StatusConflict, "no-passkeys-here", detail, hint)
	}
	return o, nil
}

func (a *API) listPasskeys(x *route.Exchange) error {
	keys, err := x.Data.Passkeys(x.Context())
	if err != nil {
		return err
	}
	list := []auth.ShownPasskey{}
	for i := range keys {
		list = append(list, keys[i].Shown())
	}
	return x.Answer(http.StatusOK, map[string]any{"passkeys": list})
}

// A draftPasskey is the body that makes a passkey. Credential is what the browser made,
// Confirmation what it says for one that is registered; both are nil when the options
// are asked for.
type draftPasskey struct {
	Person       string          `json:"person"`
	Label        string          `json:"label"`
	Credential   json.RawMessage `json:"credential"`
	Confirmation json.RawMessage `json:"confirmation"`
}

// passkey returns the draft of a passkey. Who logged in by one registers their own.
func (d *draftPasskey) passkey(x *route.Exchange) (auth.Passkey, error) {
	k := auth.Passkey{Person: d.Person, Label: d.Label}
	if err := auth.CheckName(k.Person); err != nil {
		return k, &approval.Invalid{Text: "person: " + err.Error()}
	}
	if err := auth.CheckLabel(k.Label); err != nil {
		return k, &approval.Invalid{Text: "label: " + err.Error()}
	}
	if own := x.Who.Person(); own != "" && !strings.EqualFold(own, k.Person) {
		return k, route.Refuse(http.StatusForbidden, "another-person", "you logged in as "+own+", who registers no passkey for "+k.Person,
			"have them log in with a login URL, and confirm theirs")
	}
	return k, nil
}

// confirmation is what a registered passkey confirms: that another one comes.
func (d *draftPasskey) confirmation(who auth.Identity) auth.Purpose {
	return auth.Purpose{Who: who.Name, Act: auth.ToConfirm, About: []string{d.Person, d.Label}}
}

// passkeyOptions answers with what a browser needs to make a passkey. Once there is
// one, whoever comes by the secret of a login cannot add their own: one that is
// registered has to confirm it.
func (a *API) passkeyOptions(x *route.Exchange, body *draftPasskey) error {
	o, err := page(x)
	if err != nil {
		return err
	}
	k, err := body.passkey(x)
	if err != nil {
		return err
	}
	var out struct {
		Create  any `json:"create"`
		Confirm any `json:"confirm"`
	}
	if out.Create, err = x.Passkeys.Begin(x.Context(), o, x.Who.Name, k); err != nil {
		return err
	}
	keys, err := x.Data.Passkeys(x.Context())
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		out.Confirm, err = x.Passkeys.Ask(x.Context(), o, x.Who.Person(), body.confirmation(x.Who))
	}
	if errors.Is(err, auth.ErrNoPasskey) {
		return elsewhere(keys)
	}
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, out)
}

// elsewhere refuses a passkey that none can confirm at the address of the page.
func elsewhere(keys []auth.Passkey) error {
	return route.Refuse(http.StatusConflict, "no-passkey", "a passkey that is registered has to confirm this one, and none works at this address",
		"open the desk at "+keys[0].Origin+", or remove those that are lost with policyctl serve passkeys remove")
}

func (a *API) addPasskey(x *route.Exchange, body *draftPasskey) error {
	o, err := page(x)
	if err != nil {
		return err
	}
	draft, err := body.passkey(x)
	if err != nil {
		return err
	}
	k, err := x.Passkeys.Finish(x.Context(), o, x.Who.Name, draft, body.Credential)
	if err != nil {
		x.Attempted("", err, backend.Attempts()...)
		return err
	}
	keys, err := x.Data.Passkeys(x.Context())
	if err != nil {
		return err
	}
	var confirmed *auth.Passkey
	if len(keys) > 0 {
		if confirmed, err = x.Passkeys.Prove(x.Context(), x.Who.Person(), body.confirmation(x.Who), body.Confirmation); err != nil {
			x.Attempted("", err, backend.Attempts()...)
			return err
		}
	}
	if err := x.Data.AddPasskey(x.Context(), *k, backend.PasskeyAdded(x.Who.Name, k, confirmed)); err != nil {
		return err
	}
	return x.Answer(http.StatusCreated, k.Shown())
}

// named returns the passkey of the path, and what its removal is bound to.
func named(x *route.Exchange) (*auth.Passkey, auth.Purpose, error) {
	keys, err := x.Data.Passkeys(x.Context())
	if err != nil {
		return nil, auth.Purpose{}, err
	}
	i := slices.IndexFunc(keys, func(k auth.Passkey) bool { return k.ID == x.ID })
	if i < 0 {
		return nil, auth.Purpose{}, route.Refuse(http.StatusNotFound, "not-found", "there is no passkey with the id "+x.ID, "list the passkeys for their ids")
	}
	return &keys[i], auth.Purpose{Who: x.Who.Name, Act: auth.ToRemove, About: x.ID}, nil
}

func (a *API) removalOptions(x *route.Exchange, _ *struct{}) error {
	o, err := page(x)
	if err != nil {
		return err
	}
	_, to, err := named(x)
	if err != nil {
		return err
	}
	options, err := x.Passkeys.Ask(x.Context(), o, x.Who.Person(), to)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, options)
}

// A proof is a body that has nothing but the answer of a passkey.
type proof struct {
	Passkey json.RawMessage `json:"passkey"`
}

// removePasskey removes a passkey, for who proves that they have one: else whoever comes
// by the secret of a login could remove them all, and register their own. The logins of
// its owner end, but the one that asks.
func (a *API) removePasskey(x *route.Exchange, body *proof) error {
	if _, err := page(x); err != nil {
		return err
	}
	k, to, err := named(x)
	if err != nil {
		return err
	}
	if _, err := x.Passkeys.Prove(x.Context(), x.Who.Person(), to, body.Passkey); err != nil {
		x.Attempted("", err, backend.Attempts()...)
		return err
	}
	if _, err := x.Data.RemovePasskey(x.Context(), k.ID, backend.PasskeyRemoved(x.Who.Name, k, x.Now())); err != nil {
		return err
	}
	_, secret, _ := strings.Cut(x.R.Header.Get("Authorization"), " ")
	ended, err := x.Logins.Leave(k, secret)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, map[string]any{"removed": k.ID, "logins_ended": ended})
}

// decisionOptions answers with what a browser needs to answer by a passkey to exactly
// this approval.
func (a *API) decisionOptions(x *route.Exchange, answer *answered) error {
	o, err := page(x)
	if err == nil {
		err = answer.current(x)
	}
	if err != nil {
		return err
	}
	r, err := x.Service.Get(x.Context(), x.ID)
	if err != nil {
		return err
	}
	if !answer.Word.Approves() || r.State != approval.Pending {
		return route.Refuse(http.StatusConflict, "no-approval", "a passkey approves a request that is pending, and this is none or no approval", "look at the request again")
	}
	options, err := x.Passkeys.Ask(x.Context(), o, x.Who.Person(), x.DecisionPurpose(x.Who, r, &answer.Answer))
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, options)
}

// loginOptions answers with what a browser needs to log in by a passkey.
func (a *API) loginOptions(x *route.Exchange, _ *struct{}) error {
	o, err := origin(x)
	if err != nil {
		return err
	}
	options, err := x.Passkeys.Login(o)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, options)
}

// loginByPasskey logs in the owner of a passkey. Only wrong answers count for the rate, as
// with codes.
func (a *API) loginByPasskey(x *route.Exchange, body *proof) error {
	if agent := x.Auth.AgentOf(x.Context()); agent != "" {
		return route.FromAgent(agent)
	}
	k, err := x.Passkeys.Prove(x.Context(), "", auth.Purpose{Act: auth.ToLogIn}, body.Passkey)
	if code := backend.PasskeyCode(err); code != "" {
		if e := a.logins.Take(""); e != nil {
			return e
		}
		if errors.Is(err, auth.ErrCopied) {
			x.Who.Name = k.Identity() // who has signed, with a copy or not
			x.Attempted("", err, auth.ErrCopied)
		}
		refusal := x.RefusalOf(err)
		return route.Refuse(http.StatusUnauthorized, code, refusal.Detail, refusal.Hint)
	}
	if err != nil {
		return err
	}
	s, err := x.Logins.Enter(k)
	if err != nil {
		return err
	}
	return loggedIn(x, s)
}

package backend

import (
	"cmp"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// TokenMade is what the audit log records of a token that somebody made: never
// its secret.
func TokenMade(by string, t *auth.Token) audit.Entry {
	e := tokenEntry(by, "created", t.ID, t.Created)
	e.Detail["name"], e.Detail["scopes"] = t.Name, t.Scopes.String()
	return e
}

// TokenRevoked is what the audit log records of a token that somebody ended.
func TokenRevoked(by, id string, at time.Time) audit.Entry { return tokenEntry(by, "revoked", id, at) }

func tokenEntry(by, change, id string, at time.Time) audit.Entry {
	return audit.Entry{Time: at, Kind: audit.KindToken, Actor: by, Detail: map[string]string{"change": change, "id": id}}
}

// PasskeyAdded is what the audit log records of a passkey that somebody registered, and
// of whose passkey has confirmed it; nil for the first.
func PasskeyAdded(by string, k, confirmed *auth.Passkey) audit.Entry {
	e := passkeyEntry(by, "registered", k, k.Created)
	if confirmed != nil {
		e.Detail["confirmed_by"], e.Detail["confirmed_with"] = confirmed.Identity(), confirmed.ID
	}
	return e
}

// PasskeyRemoved is what the audit log records of a passkey that somebody removed.
func PasskeyRemoved(by string, k *auth.Passkey, at time.Time) audit.Entry {
	return passkeyEntry(by, "removed", k, at)
}

func passkeyEntry(by, change string, k *auth.Passkey, at time.Time) audit.Entry {
	return audit.Entry{Time: at, Kind: audit.KindPasskey, Actor: by, Detail: map[string]string{
		"change": change, "id": k.ID, "person": k.Person, "label": k.Label, "origin": k.Origin,
	}}
}

// Refused is what the audit log records of somebody who tried what they may
// not. request is the id of the request that it was about, "" for none.
func Refused(by, request string, why error, at time.Time) audit.Entry {
	return audit.Entry{
		Time: at, Kind: audit.KindRefusal, Actor: by, RequestID: request, Reason: why.Error(),
		Detail: map[string]string{"code": cmp.Or(approval.CodeOf(why), PasskeyCode(why))},
	}
}

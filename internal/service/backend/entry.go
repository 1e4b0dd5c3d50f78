package backend

import (
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

// Refused is what the audit log records of somebody who tried what they may
// not. request is the id of the request that it was about, "" for none.
func Refused(by, request string, why error, at time.Time) audit.Entry {
	return audit.Entry{
		Time: at, Kind: audit.KindRefusal, Actor: by, RequestID: request, Reason: why.Error(),
		Detail: map[string]string{"code": approval.CodeOf(why)},
	}
}

package desk

import (
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A youPage is who is logged in, with what proves that, and what tells them of requests.
type youPage struct {
	Who, Person string
	Passkeys    []auth.ShownPasskey
	Browsers    []told
	// Above says which approvals need a passkey, "" for none.
	Above policy.Threshold
}

// A told is a browser that push tells.
type told struct {
	push.Subscription
	Last push.Outcome
}

func (d *Desk) you(x *route.Exchange) (string, *frame, error) {
	keys, err := x.Data.Passkeys(x.Context())
	if err != nil {
		return "", nil, err
	}
	page := &youPage{Who: x.Who.Name, Person: x.Who.Person(), Above: x.PasskeyAbove()}
	for i := range keys {
		page.Passkeys = append(page.Passkeys, keys[i].Shown())
	}
	all, err := x.Data.Subscriptions(x.Context())
	if err != nil {
		return "", nil, err
	}
	for _, s := range all {
		page.Browsers = append(page.Browsers, told{s, x.Push.Outcome(s.ID)})
	}
	return "you.html", &frame{Title: "You", At: "you", Content: page}, nil
}

package approval

import (
	"context"
	"net/http"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Detail is a request with what helps to decide it, which is found when it is
// looked at and no part of it.
type Detail struct {
	*Request
	// Code says why the request lets nothing run, for programs.
	Code policy.Reason `json:"reason_code"`
	// Effects are what the call does to the world, as far as its words tell.
	Effects []Effect `json:"effects,omitempty"`
	// Commands are the simple commands of a shell line, in their order; nil for other
	// calls.
	Commands []Command `json:"commands,omitempty"`
	// Earlier are the last decisions about the same call, the newest first.
	Earlier []Earlier `json:"earlier,omitempty"`
	// Gains say what the offers would have allowed of the last calls.
	Gains []Gain `json:"gains,omitempty"`
}

// A Gain says what an offer would have allowed of the last calls that the service
// knows, if it had been stored before them.
type Gain struct {
	Scope Scope `json:"scope"`
	// Calls is how many of the last Of calls it would have allowed that were asked
	// about, and Example one of them, "" for none.
	Calls   int    `json:"calls"`
	Of      int    `json:"of"`
	Example string `json:"example,omitempty"`
	// Witness is a call that it would newly allow, where no example shows more than
	// the call itself; "" where none was found.
	Witness string `json:"witness,omitempty"`
}

// MaxGain bounds the last calls that gains are about.
const MaxGain = 200

// An Effect is one kind of thing that a call does.
type Effect struct {
	// Kind is a verb: reads, writes, deletes, moves, alters, runs or connects to.
	Kind string `json:"kind"`
	// Targets are paths, programs or hosts.
	Targets []string `json:"targets"`
}

// A Command is a simple command of a shell line.
type Command struct {
	// Span is the part of the line that it is, as byte offsets. What another command
	// runs, as xargs does, has the place where it is spelt.
	Span [2]int `json:"span"`
	// Effects are what it does, with paths from the root where its directory is known.
	Effects []Effect `json:"effects"`
}

// An Earlier is what was decided about the same call.
type Earlier struct {
	ID       string    `json:"id"`
	State    State     `json:"state"`
	Session  string    `json:"session,omitempty"`
	Decision *Decision `json:"decision"`
}

// MaxEarlier bounds the decisions that a detail has.
const MaxEarlier = 5

// Earlier returns the last decisions about the same call as a request is about,
// the newest first. That nobody decided is none.
func (s *Service) Earlier(ctx context.Context, r *Request) ([]Earlier, error) {
	if r.Alike == "" {
		return nil, nil
	}
	list, err := s.o.Store.List(ctx, Filter{
		Alike: r.Alike, States: []State{Approved, Executed, Failed, Revoked, Denied}, Limit: MaxEarlier + 1,
	})
	if err != nil {
		return nil, err
	}
	var out []Earlier
	for _, other := range list {
		if other.ID != r.ID && len(out) < MaxEarlier && other.Decision != nil {
			out = append(out, Earlier{other.ID, other.State, other.Session, other.Decision})
		}
	}
	return out, nil
}

// Show returns a request with what helps to decide it.
func (c *Client) Show(ctx context.Context, id string) (*Detail, error) {
	d := Detail{Request: &Request{}}
	if err := c.Do(ctx, http.MethodGet, requestPath(id), nil, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

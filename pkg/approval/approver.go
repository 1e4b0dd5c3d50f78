package approval

import (
	"context"
	"net/http"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An Approver is a way to reach somebody who may decide, such as a chat.
type Approver interface {
	Info() ApproverInfo
	// Ask tells of a new request. It returns soon; whoever answers later does
	// so by decide, as the identity that the approver has proved.
	Ask(ctx context.Context, r *Request, decide func(ctx context.Context, by string, a Answer) error) error
	// Webhook returns what answers requests below /api/approvers/ID/; nil for
	// none. It must prove who sends them.
	Webhook() http.Handler
}

// An ApproverInfo describes an approver.
type ApproverInfo struct {
	// ID is how rules name it.
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Source is Human or LLM.
	Source string `json:"-"`
}

// dashboardID is the id of the queue of a service.
const dashboardID = "dashboard-approval"

// queue is the service's own list of pending requests.
type queue struct{}

func (queue) Info() ApproverInfo {
	return ApproverInfo{dashboardID, "Queue", "the pending requests of this service, for policyctl requests and the API", Human}
}

func (queue) Ask(context.Context, *Request, func(context.Context, string, Answer) error) error {
	return nil // it is in the store
}

func (queue) Webhook() http.Handler { return nil }

// Approvers lists the approvers.
func (s *Service) Approvers() []Approver { return s.o.Approvers }

// approver returns the approver of an id.
func (s *Service) approver(id string) Approver {
	for _, a := range s.o.Approvers {
		if a.Info().ID == id {
			return a
		}
	}
	return nil
}

// Approvers returns who must decide a request, of whom one is enough unless it wants
// several; none where anybody may.
func (r *Request) Approvers() []string { return policy.Approvers(r.Asked.Approver) }

// unattended says why nobody can decide a request, "" if somebody can.
func (s *Service) unattended(ctx context.Context, r *Request) string {
	names := r.Approvers()
	switch {
	case len(names) == 0:
		return ""
	case r.several():
		return s.unattendedVotes(ctx, r)
	}
	for _, name := range names {
		if s.approver(name) != nil || s.o.MayDecide != nil && s.o.MayDecide(ctx, strings.ToLower(name)) {
			return ""
		}
	}
	wants := strings.Join(names, " or ")
	return "the policy wants " + wants + " to decide, which is neither an approver of the service nor the name of a token that may approve"
}

// mayDecide reports whether an identity is one of those that must decide.
func (s *Service) mayDecide(r *Request, by string) bool {
	if r.several() {
		return r.votes(by)
	}
	names := r.Approvers()
	if len(names) == 0 {
		return true
	}
	way, own, ok := strings.Cut(by, ":")
	for _, name := range names {
		switch {
		case name == dashboardID: // whoever comes to the queue
			return true
		case s.approver(name) != nil:
			// A model leaves to people what it does not decide. At a channel only who comes
			// that way decides.
			if s.approver(name).Info().Source == LLM || ok && way == name {
				return true
			}
		case ok && strings.EqualFold(own, name): // as names of tokens are compared
			return true
		}
	}
	return false
}

// notify tells the approvers of a new request.
func (s *Service) notify(ctx context.Context, r *Request) {
	if r.State != Pending {
		return
	}
	var told []Approver
	for _, name := range r.Approvers() {
		if a := s.approver(name); a != nil && a.Info().Source != LLM {
			told = append(told, a)
		}
	}
	if a := s.reviewer(r); a != nil {
		told = append(told, a)
	}
	for _, a := range told {
		source := a.Info().Source
		err := a.Ask(ctx, r, func(ctx context.Context, by string, answer Answer) error {
			_, err := s.decide(ctx, r.ID, by, source, answer)
			return err
		})
		if err != nil {
			s.tell(err)
		}
	}
}

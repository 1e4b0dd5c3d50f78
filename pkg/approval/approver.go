package approval

import (
	"context"
	"net/http"
	"strings"
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

// DashboardID is the id of the queue of a service.
const DashboardID = "dashboard-approval"

// queue is the service's own list of pending requests.
type queue struct{}

func (queue) Info() ApproverInfo {
	return ApproverInfo{DashboardID, "Queue", "the pending requests of this service, for policyctl requests and the API", Human}
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

// unattended says why nobody can decide a request, "" if somebody can. A rule
// that wants a language model which is not there is for people.
func (s *Service) unattended(ctx context.Context, r *Request) string {
	name := r.Asked.Approver
	switch {
	case name == "", r.Asked.Model != "", s.approver(name) != nil:
		return ""
	case s.o.MayDecide != nil && s.o.MayDecide(ctx, strings.ToLower(name)):
		return ""
	}
	return "the policy wants " + name + " to decide, which is neither an approver of the service nor the name of a token that may approve"
}

// mayDecide says whether an identity is the one that must decide.
func (s *Service) mayDecide(r *Request, by string) bool {
	name := r.Asked.Approver
	if name == "" || r.Asked.Model != "" || s.approver(name) != nil {
		return true
	}
	_, own, ok := strings.Cut(by, ":")
	return ok && strings.EqualFold(own, name) // as names of tokens are compared
}

// notify tells the approver of a new request.
func (s *Service) notify(ctx context.Context, r *Request) {
	a := s.approver(r.Asked.Approver)
	if a == nil || r.State != Pending {
		return
	}
	source := a.Info().Source
	err := a.Ask(ctx, r, func(ctx context.Context, by string, answer Answer) error {
		_, err := s.decide(ctx, r.ID, by, source, answer)
		return err
	})
	if err != nil {
		s.tell(err)
	}
}

package approval

import (
	"context"
	"net/http"
	"slices"
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

// Queue is the id of the queue of a service, at which everybody decides.
const Queue = "dashboard-approval"

// queue is the service's own list of pending requests.
type queue struct{}

func (queue) Info() ApproverInfo {
	return ApproverInfo{Queue, "Queue", "the pending requests of this service, for policyctl requests and the API", Human}
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

// Groups returns the groups of whom each must approve a request; none where anybody may.
func (r *Request) Groups() []policy.Group {
	return policy.GroupsOf(r.Asked.Approver, r.Asked.Quorum, r.Asked.Review != nil, r.Asked.Also)
}

// Approvers returns the names of all who have a say in a request, each once; none where
// anybody may decide.
func (r *Request) Approvers() (names []string) {
	groups := r.Groups()
	for i := range groups {
		for _, name := range groups[i].Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// unattended says why nobody can decide a request, "" if somebody can: each group must
// be able to.
func (s *Service) unattended(ctx context.Context, r *Request) string {
	groups := r.Groups()
	for i := range groups {
		if why := s.absent(ctx, r, &groups[i]); why != "" {
			return why
		}
	}
	return ""
}

// absent says why a group cannot approve a request, "" if it can.
func (s *Service) absent(ctx context.Context, r *Request, g *policy.Group) string {
	if g.Need() > 1 {
		return s.unattendedVotes(ctx, r, g)
	}
	names := g.Names()
	for _, name := range names {
		if s.approver(name) != nil || s.o.MayDecide != nil && s.o.MayDecide(ctx, strings.ToLower(name)) {
			return ""
		}
	}
	wants := strings.Join(names, " or ")
	return "the policy wants " + wants + " to decide, which is neither an approver of the service nor the name of a token that may approve"
}

// withoutModels returns the groups that are not left to a language model. Where others
// ask too, no model answers, and whoever satisfies these others answers in its place.
func (s *Service) withoutModels(ctx context.Context, r *Request) []policy.Group {
	return slices.DeleteFunc(slices.Clone(r.Asked.Also), func(g policy.Group) bool {
		model := func(name string) bool { a := s.approver(name); return a != nil && a.Info().Source == LLM }
		return g.Reviewer && (slices.ContainsFunc(g.Names(), model) || s.absent(ctx, r, &g) != "")
	})
}

// mayDecide reports whether an identity is one of those that must decide.
func (s *Service) mayDecide(r *Request, by string) bool {
	groups := r.Groups()
	if len(groups) == 0 {
		return true
	}
	return slices.ContainsFunc(groups, func(g policy.Group) bool { return s.belongs(r, &g, by) })
}

// belongs reports whether an identity is one of a group. Where several must approve, it
// has to be that of a person, and nobody approves what they submitted themselves.
func (s *Service) belongs(r *Request, g *policy.Group, by string) bool {
	way, _, ok := strings.Cut(by, ":")
	person := personOf(by) // a number that the service gave is the name of nobody
	if r.several() && (person == "" || person == personOf(r.Submitter)) {
		return false
	} else if g.Need() > 1 {
		return policy.SamePerson(g.Names(), person)
	}
	for _, name := range g.Names() {
		switch {
		case name == Queue: // whoever comes to the queue
			return true
		case s.approver(name) != nil:
			// A model leaves to people what it does not decide. At a channel only who comes
			// that way decides.
			if s.approver(name).Info().Source == LLM || ok && way == name {
				return true
			}
		case person != "" && strings.EqualFold(person, name): // as names of tokens are compared
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
			answer.Revision = r.Revision // it judges what it was told
			_, err := s.decide(ctx, r.ID, by, source, answer)
			return err
		})
		if err != nil {
			s.tell(err)
		}
	}
}

package approval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Vote is what one of the people says of whom several must approve.
type Vote struct {
	Answer
	// By is the identity that votes, Source what kind of it. All identities of a person
	// have one vote together: token:alice, passkey:alice and phone:alice are alice.
	By string `json:"by"`
	// Ways are further identities as which the person has approved, where one of several
	// groups is a channel.
	Ways   []string  `json:"ways,omitempty"`
	Source string    `json:"source"`
	At     time.Time `json:"at"`
}

// A Tally counts the votes about a request that waits for several people.
type Tally struct {
	// Quorum is how many people must approve, at least that many if there are several
	// groups.
	Quorum int `json:"quorum"`
	// Approved are the people whose approvals count, in the order of their votes: who
	// can no longer decide is none of them. Missing is how many more must approve.
	Approved []string `json:"approved"`
	Missing  int      `json:"missing"`
	// Open are the people who have not approved and may, and channels of which somebody
	// may.
	Open []string `json:"open"`
	// Groups counts for each group of which so many must approve; nil for one.
	Groups []Tally `json:"groups,omitempty"`
}

// Text says in a line how many have approved, and who.
func (t *Tally) Text() string {
	text := fmt.Sprintf("%d of %d approved", len(t.Approved), t.Quorum)
	switch {
	case len(t.Groups) > 0 && len(t.Approved) == 0:
		return "nobody has approved"
	case len(t.Groups) > 0:
		return "approved by " + enumerate(t.Approved)
	case len(t.Approved) > 0:
		text += " by " + enumerate(t.Approved)
	}
	return text
}

// Counts says to who has just approved what that is worth.
func (t *Tally) Counts() string {
	if len(t.Groups) > 0 {
		return "your approval counts; waiting for " + t.Wants()
	}
	return fmt.Sprintf("your approval counts as %d of %d; waiting for %s", len(t.Approved), t.Quorum, t.Wants())
}

// Wants says whose approval is missing, such as "one more of bob, carol".
func (t *Tally) Wants() string {
	if len(t.Groups) > 0 {
		var parts []string
		for i := range t.Groups {
			if t.Groups[i].Missing > 0 {
				parts = append(parts, t.Groups[i].Wants())
			}
		}
		return strings.Join(parts, ", and ")
	}
	n := strconv.Itoa(t.Missing)
	if t.Missing == 1 {
		n = "one"
	}
	if len(t.Approved) > 0 {
		n += " more"
	}
	return n + " of " + strings.Join(t.Open, ", ")
}

// enumerate joins names as people do.
func enumerate(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// several reports whether people vote: several must approve, or each of several groups.
func (r *Request) several() bool { return len(r.Groups()) > 1 || r.counts() }

// counts reports whether a group of several must approve.
func (r *Request) counts() bool {
	return slices.ContainsFunc(r.Groups(), func(g policy.Group) bool { return g.Need() > 1 })
}

// Voted returns how many people must approve at least and how many votes approve, 0
// twice where one person decides. It does not look who may decide still: [Tally] does.
func (r *Request) Voted() (quorum, approved int) {
	if !r.several() {
		return 0, 0
	}
	for _, v := range r.Votes {
		if v.Word.Approves() {
			approved++
		}
	}
	return policy.LeastOf(r.Groups()), approved
}

// nameless are the kinds of identities whose names are numbers that the service or
// the system gives: one person may have many of them.
var nameless = []string{"uid", "login"}

// personOf returns the person who an identity is, in lower case; "" for none.
func personOf(by string) string {
	kind, own, ok := strings.Cut(by, ":")
	if !ok || kind == "" || slices.Contains(nameless, kind) || policy.CheckPerson(own) != nil {
		return ""
	}
	return strings.ToLower(own)
}

// peopleOf returns the people who identities are. In the log they stand by their
// names alone: a text such as token:x may be taken for a secret.
func peopleOf(list []string) (people []string) {
	for _, by := range list {
		people = append(people, personOf(by))
	}
	return people
}

// samePerson reports whether two identities are one, or of one person. It is for what that
// restricts: what somebody may do, their own identity alone says.
func samePerson(by, other string) bool {
	person := personOf(by)
	return by == other || person != "" && person == personOf(other)
}

// able reports whether a person, or an identity, may decide now.
func (s *Service) able(ctx context.Context, who string) bool {
	return s.o.MayDecide != nil && s.o.MayDecide(ctx, strings.ToLower(who))
}

// unattendedVotes says why too few people of a group can vote about a request, "" if
// there are enough.
func (s *Service) unattendedVotes(ctx context.Context, r *Request, g *policy.Group) string {
	var able, gone []string
	for _, name := range g.Names() {
		switch person := strings.ToLower(name); {
		case person == personOf(r.Submitter):
			gone = append(gone, name+" submits the request")
		case !s.able(ctx, person):
			gone = append(gone, name+" has neither a token that may approve nor a passkey")
		default:
			able = append(able, name)
		}
	}
	if len(able) >= g.Need() {
		return ""
	}
	can := "none of them can"
	if len(able) > 0 {
		can = "only " + enumerate(able) + " can"
	}
	return fmt.Sprintf("the policy wants %d of %s to approve, and %s: %s",
		g.Need(), strings.Join(g.Names(), ", "), can, strings.Join(gone, ", "))
}

// tally counts the votes about a request, nil where one person decides or nobody any
// more.
func (s *Service) tally(ctx context.Context, r *Request) *Tally {
	if !r.several() || r.State != Pending {
		return nil
	}
	groups := r.Groups()
	t := s.tallyOf(ctx, r, &groups[0])
	if len(groups) == 1 {
		return t
	}
	all := &Tally{Quorum: policy.LeastOf(groups), Approved: peopleWho(s.counted(ctx, r, groups)), Open: []string{}}
	for i := range groups {
		t := s.tallyOf(ctx, r, &groups[i])
		all.Groups = append(all.Groups, *t)
		all.Missing = max(all.Missing, t.Missing)
		for _, name := range t.Open {
			if t.Missing > 0 && !slices.Contains(all.Open, name) {
				all.Open = append(all.Open, name)
			}
		}
	}
	return all
}

// tallyOf counts the votes of one group.
func (s *Service) tallyOf(ctx context.Context, r *Request, g *policy.Group) *Tally {
	t := &Tally{Quorum: g.Need(), Approved: peopleWho(s.counted(ctx, r, []policy.Group{*g})), Open: []string{}}
	for _, name := range g.Names() {
		if !policy.SamePerson(t.Approved, name) && !strings.EqualFold(name, personOf(r.Submitter)) {
			t.Open = append(t.Open, name)
		}
	}
	t.Missing = max(0, t.Quorum-len(t.Approved))
	return t
}

// peopleWho returns the people who have given votes.
func peopleWho(list []Vote) []string {
	people := []string{}
	for _, v := range list {
		people = append(people, personOf(v.By))
	}
	return people
}

// counted returns the votes that approve, of people of groups who still may decide.
func (s *Service) counted(ctx context.Context, r *Request, groups []policy.Group) (list []Vote) {
	for _, v := range r.Votes {
		if v.Word.Approves() && slices.ContainsFunc(groups, func(g policy.Group) bool { return s.has(ctx, r, &g, &v) }) {
			list = append(list, v)
		}
	}
	return list
}

// has reports whether a vote is one of a group, in whichever way its person came: the
// identity that voted must still be one that may, and not another of its person.
func (s *Service) has(ctx context.Context, r *Request, g *policy.Group, v *Vote) bool {
	may := func(by string) bool { return s.able(ctx, by) && s.belongs(r, g, by) }
	return may(v.By) || slices.ContainsFunc(v.Ways, func(by string) bool { return personOf(by) == personOf(v.By) && may(by) })
}

// enough reports whether every group has approved.
func (s *Service) enough(ctx context.Context, r *Request) bool {
	groups := r.Groups()
	return !slices.ContainsFunc(groups, func(g policy.Group) bool {
		return len(s.counted(ctx, r, []policy.Group{g})) < g.Need()
	})
}

// vote applies a decision to a request that several people must approve. One denial
// ends it, and so does the approval that makes them enough.
func (s *Service) vote(ctx context.Context, r *Request, d *Decision, against held) ([]audit.Entry, error) {
	switch {
	case samePerson(d.By, r.Submitter):
		return nil, ErrSelf
	case d.Source != Human || !s.mayDecide(r, d.By):
		return nil, ErrNotApprover
	case r.due(d.At):
		log, err := s.timeout(ctx, r)
		if err != nil {
			return nil, err
		}
		return append(log, s.late(r, d)...), ErrDecided
	case r.State != Pending:
		return s.lateVote(r, d)
	}
	if err := r.votable(d); err != nil {
		return nil, err
	}
	if err := r.unseen(d, against); err != nil {
		return nil, err
	}
	if d.Word.Approves() {
		if log, err := s.overruled(ctx, r, d, against); err != nil {
			return log, err
		}
	}
	repeated := r.cast(d)
	if !d.Word.Approves() {
		return s.ended(ctx, r, d, d)
	}
	switch {
	case s.enough(ctx, r):
		return s.ended(ctx, r, d, agreed(s.counted(ctx, r, r.Groups()), d))
	case repeated:
		return nil, errRepeated
	}
	return []audit.Entry{r.voted(d)}, nil
}

// lateVote keeps a vote about a request that is over, unless it is one of those that
// ended it, sent again.
func (s *Service) lateVote(r *Request, d *Decision) ([]audit.Entry, error) {
	at := r.voteOf(personOf(d.By))
	if at >= 0 && r.Votes[at].Answer == d.answer() && r.Decision != nil && r.Decision.Word.Approves() == d.Word.Approves() {
		return nil, errRepeated
	}
	return s.late(r, d), ErrDecided
}

// cast puts a vote in place of the one that its person gave before, and reports
// whether both say the same.
func (r *Request) cast(d *Decision) (repeated bool) {
	v := Vote{Answer: d.answer(), By: d.By, Source: d.Source, At: d.At}
	at := r.voteOf(personOf(d.By))
	if at < 0 {
		r.Votes = append(r.Votes, v)
		return false
	}
	was := &r.Votes[at]
	repeated = was.Answer == v.Answer
	if was.By != v.By && len(r.Groups()) > 1 && was.Word.Approves() && v.Word.Approves() {
		repeated = repeated && slices.Contains(was.Ways, v.By)
		v.Ways = withWay(was.Ways, was.By)
	}
	*was = v
	return repeated
}

// withWay returns ways with one more, each once.
func withWay(ways []string, by string) []string {
	if slices.Contains(ways, by) {
		return ways
	}
	return append(slices.Clone(ways), by)
}

// voteOf returns the place of the vote of a person, -1 for none.
func (r *Request) voteOf(person string) int {
	return slices.IndexFunc(r.Votes, func(v Vote) bool { return personOf(v.By) == person })
}

// answer is what a decision says.
func (d *Decision) answer() Answer {
	return Answer{Word: d.Word, Scope: d.Scope, For: d.For, Uses: d.Uses, Reason: d.Reason}
}

// votable refuses a vote for what could not be decided so.
func (r *Request) votable(d *Decision) error {
	if !d.Word.Approves() {
		return nil
	}
	if d.Word == ApprovedRemember && !r.hasOffer(d.Word, d.Scope) {
		return notOffered(d)
	}
	return r.intact()
}

// ended ends a request by the last vote.
func (s *Service) ended(ctx context.Context, r *Request, last, d *Decision) ([]audit.Entry, error) {
	vote := r.voted(last)
	log, err := s.conclude(ctx, r, d)
	if err != nil {
		return nil, err
	}
	return append([]audit.Entry{vote}, log...), nil
}

// voted is the record of a vote.
func (r *Request) voted(d *Decision) audit.Entry {
	e := r.entry(audit.KindVote, d.By, d.At)
	e.Decision, e.Reason, e.DecidedBy, e.DecidedAt = string(d.Word), d.Reason, d.By, &d.At
	e.Detail = map[string]string{"quorum": strconv.Itoa(policy.LeastOf(r.Groups())), "person": personOf(d.By)}
	if d.Scope != "" {
		e.Detail["scope"] = string(d.Scope)
	}
	return e
}

// breadth orders scopes: what is approved for a wider one is approved for each that
// is narrower.
var breadth = []Scope{Once, ForChat, Here, Anywhere}

// agreed is the decision that votes come to: the narrowest scope of all, the
// shortest life and the fewest uses. last is the vote that made them enough.
func agreed(list []Vote, last *Decision) *Decision {
	d := &Decision{Word: ApprovedRemember, Scope: Anywhere, By: last.By, Source: Human, At: last.At}
	for _, v := range list {
		if slices.Index(breadth, v.Scope) < slices.Index(breadth, d.Scope) {
			d.Scope = v.Scope
		}
		if v.For > 0 {
			d.For = min(v.For, cmp.Or(d.For, v.For))
		}
		if v.Uses > 0 {
			d.Uses = min(v.Uses, cmp.Or(d.Uses, v.Uses))
		}
		d.Approvers = append(d.Approvers, v.By)
	}
	if d.Scope == Once {
		d.Word, d.For, d.Uses = ApprovedOnce, 0, 0
	}
	d.Reason = reasonsOf(list)
	return d
}

// reasonsOf joins what voters say to the agent: one alone as it is, and several with
// who says them.
func reasonsOf(list []Vote) string {
	list = slices.DeleteFunc(slices.Clone(list), func(v Vote) bool { return v.Reason == "" })
	if len(list) == 1 {
		return list[0].Reason
	}
	var parts []string
	for _, v := range list {
		parts = append(parts, personOf(v.By)+": "+v.Reason)
	}
	text := strings.Join(parts, "; ")
	if len(text) > maxReason {
		const mark = "…"
		text = strings.ToValidUTF8(text[:maxReason-len(mark)], "") + mark
	}
	return text
}

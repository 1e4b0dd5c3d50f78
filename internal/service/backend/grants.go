package backend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Approvals are where grants are kept.
type Approvals interface {
	// Read returns the entries that have not ended.
	Read() ([]grant.Entry, error)
	// Stamp tells what Read returns apart from what it returned before; "" where
	// nothing can be read.
	Stamp() string
	// Add stores entries, all or none, and returns those that were not there. Remove
	// removes those that match, and returns them.
	Add(entries ...grant.Entry) ([]grant.Entry, error)
	Remove(match func(*grant.Entry) bool) ([]grant.Entry, error)
	// Spend counts a call for entries by their ids.
	Spend(c *policy.Call, ids []string) error
}

// Granted are the stored approvals: those of this machine, which hooks heed too, or those
// that the instances of a service share. It is the [Grants] of a judge, and the grants of
// its engine. It is safe for concurrent use.
type Granted struct {
	home   string
	store  Approvals
	links  grant.Links
	engine func() *policy.Engine
	now    func() time.Time
	notes  grantbook.Table
	uses   uses

	mu   sync.Mutex
	seen string
	set  *grant.Set
}

var (
	_ Grants        = (*Granted)(nil)
	_ policy.Grants = (*Granted)(nil)

	_ policy.Spender = (*Granted)(nil)
)

// NewGranted returns the approvals in a store, of the person with a home. engine returns
// the engine in force, whose explanations say what may be stored; notes keeps what is
// known of them besides.
func NewGranted(store Approvals, home string, links grant.Links, engine func() *policy.Engine, notes grantbook.Table, now func() time.Time) *Granted {
	return &Granted{home: home, store: store, links: links, engine: engine, now: now, notes: notes, seen: unread, set: grant.NewSet(nil, links, now)}
}

// Standing returns what is stored now.
func (g *Granted) Standing() policy.Grants { return g.current() }

// Covers answers from what is stored now. What cannot be read covers nothing.
func (g *Granted) Covers(in *policy.Input, rule string) []policy.Covered {
	return g.current().Covers(in, rule)
}

// Denials returns what is denied now. What cannot be read may deny anything.
func (g *Granted) Denials() ([]policy.Denial, error) { return g.current().Denials() }

// Spend counts a call for grants.
func (g *Granted) Spend(c *policy.Call, ids []string) error {
	err := g.store.Spend(c, ids)
	if err != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.seen = unread
	}
	return err
}

// unread stands for what was seen of a store of which nothing was read.
const unread = "unread"

func (g *Granted) current() *grant.Set {
	now := g.store.Stamp()
	g.mu.Lock()
	defer g.mu.Unlock()
	if now != g.seen {
		entries, err := g.store.Read()
		if err != nil {
			now = unread
		}
		g.seen, g.set = now, grant.NewSet(entries, g.links, g.now).Of(nil, err)
	}
	return g.set
}

// lasting are the scopes that store something, with those of the grants.
var lasting = []struct {
	scope approval.Scope
	grant grant.Scope
}{
	{approval.ForChat, grant.Session}, {approval.Here, grant.Here}, {approval.Anywhere, grant.Anywhere},
}

// Offers returns the ways to approve a call for longer than once; where there is
// none, once with why.
func (g *Granted) Offers(x *policy.Explanation) []approval.Offer {
	var out []approval.Offer
	var why string
	links := make(seenLinks)
	for _, l := range lasting {
		entries, refused := g.propose(x, l.grant, links.by(g.links))
		if len(entries) > 0 {
			out = append(out, approval.Offer{Scope: l.scope, Stores: texts(entries)})
		}
		why = cmp.Or(refused, why) // that of the widest says most
	}
	if len(out) == 0 {
		return once(why)
	}
	return out
}

// Refusals returns the ways to deny a call for longer than once.
func (g *Granted) Refusals(x *policy.Explanation) []approval.Offer {
	var out []approval.Offer
	links := make(seenLinks)
	for _, l := range lasting {
		if e, why := g.deny(x, l.grant, links.by(g.links)); why == "" {
			out = append(out, approval.Offer{Deny: true, Scope: l.scope, Stores: []string{e.Text()}})
		}
	}
	return out
}

// deny returns what a denial for a scope stores.
func (g *Granted) deny(x *policy.Explanation, s grant.Scope, links grant.Links) (e grant.Entry, why string) {
	if e, why = grant.ProposeDenial(x, s, links); why == "" && s == grant.Here {
		why = grant.TooWide(e.Dir, g.home)
	}
	return e, why
}

// propose returns what a scope stores. The home directory that counts is that
// of the person, whatever the call says.
// Without entries it says why.
func (g *Granted) propose(x *policy.Explanation, s grant.Scope, links grant.Links) (entries []grant.Entry, why string) {
	entries, why = grant.Propose(x, s, links)
	for i := range entries {
		if entries[i].Scope != grant.Here {
			continue
		}
		if wide := grant.TooWide(entries[i].Dir, g.home); wide != "" {
			return nil, wide
		}
	}
	return entries, why
}

// seenLinks are where paths lead, so that each is followed once for all scopes.
type seenLinks map[string]struct {
	real string
	ok   bool
}

// by returns links that remember what others answered.
func (s seenLinks) by(links grant.Links) grant.Links {
	if links == nil { // where links lead is unknown
		return nil
	}
	return following{s, links}
}

type following struct {
	seenLinks
	grant.Links
}

// RealPath implements [grant.Links].
func (f following) RealPath(path string) (real string, ok bool) {
	known, seen := f.seenLinks[path]
	if !seen {
		known.real, known.ok = f.Links.RealPath(path)
		f.seenLinks[path] = known
	}
	return known.real, known.ok
}

func texts(entries []grant.Entry) []string {
	out := make([]string, len(entries))
	for i := range entries {
		out[i] = entries[i].Text()
	}
	return out
}

// Plan returns the entries of an offer, if they are still those that it
// showed.
func (g *Granted) Plan(ctx context.Context, r *approval.Request, s approval.Scope) (approval.Plan, error) {
	c, err := policy.DecodeCall(r.Call)
	if err != nil {
		return approval.Plan{}, err
	}
	x, err := g.engine().Explain(ctx, nil, c)
	if err != nil {
		return approval.Plan{}, err
	}
	word := r.Decision.Word
	entries := g.entries(&x, word, s)
	lines := texts(entries)
	offers := r.Offers
	if word == approval.Rejected {
		offers = r.Denials
	}
	shown := slices.ContainsFunc(offers, func(o approval.Offer) bool { return o.Scope == s && slices.Equal(o.Stores, lines) })
	if len(entries) == 0 || !shown {
		instead := "approve it once"
		if word == approval.Rejected {
			instead = "deny it without one"
		}
		return approval.Plan{}, &approval.Invalid{Text: "scope: what it would store is no longer what the request shows: " + instead}
	}
	for i := range entries {
		e := &entries[i]
		e.By, e.Created, e.Request = r.Decision.Who(), r.Decision.At.Truncate(time.Second), r.ID
		if life := time.Duration(r.Decision.For); life > 0 {
			e.Until = e.Created.Add(life).Truncate(time.Second)
		}
		e.Uses = r.Decision.Uses
	}
	lines = texts(entries)
	text, err := json.Marshal(entries)
	return approval.Plan{Lines: lines, Entries: text}, err
}

// Tried returns the approvals that there would be with those of an offer.
func (g *Granted) Tried(ctx context.Context, c *policy.Call, s approval.Scope) policy.Grants {
	x, err := g.engine().Explain(ctx, nil, c)
	if err != nil {
		return nil
	}
	entries := g.entries(&x, approval.ApprovedRemember, s)
	if len(entries) == 0 {
		return nil
	}
	now := g.now()
	for i := range entries {
		entries[i].By, entries[i].Created = "trial", now
	}
	stored, err := g.store.Read()
	if err != nil {
		stored = nil
	}
	return grant.NewSet(append(entries, stored...), g.links, g.now)
}

// Save stores the entries of a plan. Where the approvals that are stored
// cannot be used they are set aside, which the notice says.
func (g *Granted) Save(_ context.Context, p approval.Plan) (notice string, err error) {
	var entries []grant.Entry
	if err := json.Unmarshal(p.Entries, &entries); err != nil {
		return "", &approval.Invalid{Text: "what it stores is damaged: " + err.Error()}
	}
	if !slices.Equal(texts(entries), p.Lines) {
		return "", &approval.Invalid{Text: "what it stores is not what the decision says: it was changed"}
	}
	_, err = g.store.Add(entries...)
	var aside *grant.AsideError
	if errors.As(err, &aside) {
		notice = aside.Error()
		_, err = g.store.Add(entries...)
	}
	return notice, err
}

// entries returns what an answer with a word stores for a scope, nil for nothing.
func (g *Granted) entries(x *policy.Explanation, w approval.Word, s approval.Scope) []grant.Entry {
	for _, l := range lasting {
		switch {
		case l.scope != s:
		case w == approval.Rejected:
			if e, why := g.deny(x, l.grant, g.links); why == "" {
				return []grant.Entry{e}
			}
		default:
			entries, _ := g.propose(x, l.grant, g.links)
			return entries
		}
	}
	return nil
}

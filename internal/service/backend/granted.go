package backend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// UndoTime is how long a grant that was revoked can be restored.
const UndoTime = 24 * time.Hour

// A Grant is a stored approval as it is shown.
type Grant struct {
	ID string `json:"id"`
	// Text is the whole of what it approves, in one line.
	Text string `json:"text"`
	// Effect is allow or deny.
	Effect string `json:"effect"`
	grant.Entry
	// Left is how many calls it still allows, nil for any number. Which they were is not
	// shown: Spent is always nil.
	Left  *int     `json:"left,omitempty"`
	Spent []string `json:"spent,omitempty"`
	// LastUsed is when the service allowed something by it last, nil for never: what
	// hooks allow by themselves is not known here.
	LastUsed *time.Time `json:"last_used"`
	// Revoked is when it was revoked and RevokedBy who did; nil and "" where it counts.
	Revoked   *time.Time `json:"revoked,omitempty"`
	RevokedBy string     `json:"revoked_by,omitempty"`
}

// Detail says which limits and which number of uses a grant has, "" for none.
func (g Grant) Detail() string {
	e := g.Entry
	e.Rule, e.Until = "", time.Time{}
	if e.Scope == grant.Session {
		e.Scope = grant.Here // which is said elsewhere
	}
	return strings.TrimPrefix(strings.TrimPrefix(e.Text(), e.String()), ", ")
}

// Errors of [Granted.Revoke] and [Granted.Restore].
var (
	ErrNoGrant    = errors.New("there is no such grant")
	ErrGrantEnded = errors.New("the grant has ended meanwhile")
)

// List returns the grants that count, the newest first, and those that were revoked
// and can be restored.
func (g *Granted) List(ctx context.Context) (counting, revoked []Grant, err error) {
	entries, err := g.store.Read()
	if err != nil {
		return nil, nil, err
	}
	notes, err := g.notes.GrantNotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	now := g.now()
	for _, e := range slices.Backward(entries) {
		if e.Ended(now) {
			continue
		}
		counting = append(counting, g.shown(e, notes))
	}
	for _, n := range notes {
		if e, ok := undone(n, now); ok {
			one := g.shown(e, notes)
			one.Revoked, one.RevokedBy = &n.Revoked, n.By
			revoked = append(revoked, one)
		}
	}
	slices.SortStableFunc(counting, func(a, b Grant) int { return b.Created.Compare(a.Created) })
	slices.SortFunc(revoked, func(a, b Grant) int { return b.Revoked.Compare(*a.Revoked) })
	return counting, revoked, nil
}

func (g *Granted) shown(e grant.Entry, notes map[string]grantbook.Note) Grant {
	out := Grant{ID: e.ID(), Text: e.Text(), Effect: effectOf(&e), Entry: e}
	if e.Uses > 0 {
		out.Left = new(e.Uses - len(e.Spent))
	}
	used := notes[out.ID].Used
	if now := g.uses.of(e.String()); now.After(used) {
		used = now
	}
	if !used.IsZero() {
		out.LastUsed = &used
	}
	return out
}

// effectOf names the effect of a grant.
func effectOf(e *grant.Entry) string { return cmp.Or(e.Effect, "allow") }

// undone returns the grant of a note that can be restored.
func undone(n grantbook.Note, now time.Time) (e grant.Entry, ok bool) {
	if n.Revoked.IsZero() || now.Sub(n.Revoked) >= UndoTime || json.Unmarshal(n.Entry, &e) != nil || e.Validate() != nil {
		return e, false
	}
	return e, e.ID() == n.ID && !e.Ended(now)
}

// Revoke removes a grant, and notes what it was. It is removed although that may fail.
func (g *Granted) Revoke(ctx context.Context, id, by string) (Grant, error) {
	removed, err := g.store.Remove(func(e *grant.Entry) bool { return e.ID() == id })
	if err != nil {
		return Grant{}, err
	}
	if len(removed) == 0 {
		return Grant{}, ErrNoGrant
	}
	e, now := removed[0], g.now().UTC().Truncate(time.Microsecond)
	text, err := json.Marshal(e)
	if err != nil {
		return Grant{}, err
	}
	out := Grant{ID: id, Text: e.Text(), Effect: effectOf(&e), Entry: e, Revoked: &now, RevokedBy: by}
	return out, g.notes.NoteRevoked(ctx, grantbook.Note{ID: id, Revoked: now, By: by, Entry: text}, now.Add(-UndoTime), grantEntry(by, "revoked", &e, now))
}

// Restore stores a grant again that was revoked, with the end that it had. What is not
// on record is not done.
func (g *Granted) Restore(ctx context.Context, id, by string) (Grant, error) {
	notes, err := g.notes.GrantNotes(ctx)
	if err != nil {
		return Grant{}, err
	}
	n, now := notes[id], g.now().UTC().Truncate(time.Microsecond)
	e, ok := undone(n, now)
	if !ok {
		if e.ID() == id && e.Ended(now) {
			return Grant{}, ErrGrantEnded
		}
		return Grant{}, ErrNoGrant
	}
	added, err := g.store.Add(e)
	if err != nil {
		return Grant{}, err
	}
	if err := g.notes.NoteRestored(ctx, id, grantEntry(by, "restored", &e, now)); err != nil {
		if len(added) == 0 {
			return Grant{}, err
		}
		_, undo := g.store.Remove(func(e *grant.Entry) bool { return e.ID() == id })
		return Grant{}, errors.Join(err, undo)
	}
	return g.shown(e, notes), nil
}

// grantEntry is what the audit log records of a grant that somebody revoked or
// restored.
func grantEntry(by, change string, e *grant.Entry, at time.Time) audit.Entry {
	return audit.Entry{
		Time: at, Kind: audit.KindGrant, Actor: by, RequestID: e.Request, Tool: e.Tool, Session: e.Conversation, Agent: e.Agent, Dir: e.Dir,
		Detail: map[string]string{"change": change, "effect": effectOf(e), "grant": e.Text(), "id": e.ID()},
	}
}

// Used notes that a verdict rests on grants. It costs nothing where none does.
func (g *Granted) Used(v *policy.Verdict) {
	if v.Decision != policy.Allow {
		return
	}
	if v.Stage == policy.StageAllowlist {
		g.uses.add(v.Rule, g.now())
	}
	for i := range v.Parts {
		if p := &v.Parts[i]; p.Stage == policy.StageAllowlist {
			g.uses.add(p.Rule, g.now())
		}
	}
}

// Flush stores what [Granted.Used] noted.
func (g *Granted) Flush(ctx context.Context) error {
	fresh := g.uses.take()
	if len(fresh) == 0 {
		return nil
	}
	entries, err := g.store.Read()
	if err != nil {
		return err
	}
	at := make(map[string]time.Time)
	for i := range entries {
		if used, ok := fresh[entries[i].String()]; ok {
			at[entries[i].ID()] = used
		}
	}
	if len(at) == 0 {
		return nil
	}
	return g.notes.NoteUses(ctx, at)
}

// uses are when grants were used since that was stored last, by their texts. The zero
// value is ready.
type uses struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (u *uses) add(text string, at time.Time) {
	if text == "" {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == nil {
		u.at = make(map[string]time.Time)
	}
	u.at[text] = at.UTC().Truncate(time.Microsecond)
}

func (u *uses) of(text string) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.at[text]
}

// take returns what there is, and forgets it.
func (u *uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.at
	u.at = nil
	return taken
}

package grant

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// maxUses is the most calls that an entry counts.
const maxUses = 100

// spentKept is how long an entry that allows no further call is kept: a decision that
// could not note that it was stored is stored again, and must not begin anew.
const spentKept = 30 * 24 * time.Hour

// errSpent says that an entry allows no further call, or is gone.
var errSpent = errors.New("the approval has no use left")

// A spend is a call that an entry with a number of uses has allowed.
type spend struct {
	// Call is a hash of the call, by which it counts once; "" for one without an id, which
	// counts each time.
	Call string    `json:"call,omitempty"`
	At   time.Time `json:"at"`
}

// left returns how many calls the entry still allows; more than [maxUses] for any number.
func (e *Entry) left() int {
	if e.Uses == 0 {
		return maxUses + 1
	}
	return e.Uses - len(e.Spent)
}

// counted says how many calls the entry still allows.
func (e *Entry) counted() string {
	if len(e.Spent) == 0 {
		if e.Uses == 1 {
			return "for the next call"
		}
		return fmt.Sprintf("for the next %d calls", e.Uses)
	}
	return fmt.Sprintf("%d of %d left", e.left(), e.Uses)
}

// isOver reports whether the entry has allowed all its calls, long ago.
func (e *Entry) isOver(now time.Time) bool {
	return e.Uses > 0 && e.left() == 0 && now.Sub(e.Spent[len(e.Spent)-1].At) > spentKept
}

// has reports whether the entry has counted a call.
func (e *Entry) has(call spend) bool {
	return call.Call != "" && slices.ContainsFunc(e.Spent, func(s spend) bool { return s.Call == call.Call })
}

// spendOf returns what is counted of a call.
func spendOf(c *policy.Call) (s spend) {
	if c.ID == "" {
		return s
	}
	text, err := json.Marshal([]any{c.Agent, c.Session, c.ID, c.Tool, c.Dir, c.Input})
	if err != nil {
		return s // such a call has no text, and counts each time
	}
	sum := sha256.Sum256(text)
	return spend{Call: hex.EncodeToString(sum[:12])}
}

// spending returns an edit that counts a call for entries, all or none. An entry that has
// counted it stays as it is.
func spending(call spend, ids []string, now time.Time) func([]Entry) ([]Entry, error) {
	call.At = now
	return func(list []Entry) ([]Entry, error) {
		list = slices.Clone(list)
		for _, id := range ids {
			i := slices.IndexFunc(list, func(e Entry) bool { return e.ID() == id })
			switch {
			case i < 0 || list[i].Effect == Denies || list[i].Uses == 0:
				return nil, errSpent
			case list[i].has(call):
				continue
			case list[i].left() == 0:
				return nil, errSpent
			}
			list[i].Spent = append(slices.Clone(list[i].Spent), call)
		}
		return list, nil
	}
}

// Spend counts a call for entries by their ids, all or none: one that has no use left is
// [errSpent]. It is on disk when Spend returns.
func (s *Store) Spend(c *policy.Call, ids []string) error {
	return s.change(spending(spendOf(c), ids, s.time()))
}

// Spend counts a call as [Store.Spend] does.
func (s *Shared) Spend(c *policy.Call, ids []string) error {
	return s.change(spending(spendOf(c), ids, s.time()))
}

// Of returns the set as that of a store whose reading ended with an error, nil for none:
// uses are counted there, without a store nowhere. Where the error may hide denials, every
// call asks.
func (s *Set) Of(store *Store, err error) *Set {
	s.store = store
	if mayDeny(err) {
		s.lacking = err
	}
	return s
}

// Spend implements [policy.Spender]. Where it fails, the entries cover nothing any more.
func (s *Set) Spend(c *policy.Call, ids []string) error {
	if s.store == nil {
		return nil
	}
	err := s.store.Spend(c, ids)
	if err != nil {
		for _, id := range ids {
			s.gone.Store(id, true)
		}
	}
	return err
}

package policy

import (
	"sync"

	"github.com/policyctl/policyctl/pkg/doom"
)

// A Session is what must be remembered between the calls of one conversation.
// It outlives the engine. The zero value and nil remember nothing. It is safe
// for concurrent use once its fields are set.
type Session struct {
	ID string
	// Yolo allows what is not denied.
	Yolo bool
	// Doom holds the history of calls, which several sessions may share; nil
	// means that loops are not looked for.
	Doom *doom.Detector
	// Unreadable says why the history cannot be used; the loop guard then has
	// no opinion and the verdict says so.
	Unreadable error

	mu     sync.Mutex
	grants map[string]bool
}

// NewSession returns a session with a history of its own.
func NewSession(id string) *Session {
	return &Session{ID: id, Doom: doom.New(1)}
}

// ResetTurn forgets the history of calls because the user has said something
// new.
func (s *Session) ResetTurn() {
	if s != nil && s.Doom != nil {
		s.Doom.ResetTurn(s.ID)
	}
}

// Grant lets a human's answer stand for the rest of the session: asks of the
// rule are answered, unless it must ask every time. rule is
// [AskTerms.Rule].
func (s *Session) Grant(rule string) {
	if rule == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grants == nil {
		s.grants = make(map[string]bool)
	}
	s.grants[rule] = true
}

// Revoke takes a grant back.
func (s *Session) Revoke(rule string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.grants, rule)
}

func (s *Session) granted(rule string) bool {
	if s == nil || rule == "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grants[rule]
}

// Snapshot returns the history of the session for storage, and Restore takes
// it back; see [doom.Detector.Snapshot].
func (s *Session) Snapshot() ([]byte, error) { return s.Doom.Snapshot(s.ID) }

// Restore replaces the history of the session. Beside an error it is as it
// was.
func (s *Session) Restore(data []byte) error { return s.Doom.Restore(s.ID, data) }

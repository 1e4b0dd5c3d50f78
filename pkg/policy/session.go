package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/policyctl/policyctl/pkg/doom"
)

// A Session is what must be remembered between the calls of one conversation.
// It outlives the engine. The zero value and nil remember nothing. It is safe
// for concurrent use once its fields are set.
type Session struct {
	ID string
	// Project is the project directory of the conversation, for hosts that do not
	// give one with each call; "" where there is none. The engine does not look at
	// it: it outlives the process here, so that a later change of the working
	// directory does not move the project.
	Project string
	// Yolo allows what is not denied.
	Yolo bool
	// Doom holds the history of calls, which several sessions may share; nil
	// turns loop detection off.
	Doom *doom.Detector
	// Unreadable says why the history cannot be used; loop detection then has no
	// opinion, and the verdict says so.
	Unreadable error
	// Rates are the calls that rules about rates have counted, which goes into a snapshot.
	Rates Windows

	mu     sync.Mutex
	grants map[string]bool
	files  []string // those that it has made, by their cleaned paths, oldest first
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

// Revoke ends a grant.
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

// maxMade bounds how many files a session remembers to have made.
const maxMade = 2048

// make notes files that the session makes, or whose content is its own.
func (s *Session) make(files []string) {
	if s == nil || len(files) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range files {
		if !slices.Contains(s.files, f) {
			s.files = append(s.files, f)
		}
	}
	s.files = s.files[max(0, len(s.files)-maxMade):]
}

// made reports whether the session has made a file.
func (s *Session) made(file string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.files, file)
}

// A sessionSnapshot is a session in JSON.
type sessionSnapshot struct {
	Version int             `json:"version"`
	Doom    json.RawMessage `json:"doom,omitempty"`
	Grants  []string        `json:"grants,omitempty"`
	Made    []string        `json:"made,omitempty"`
	Project string          `json:"project,omitempty"`

	Rates map[string][]happening `json:"rates,omitempty"`
}

// snapshotVersion is the form of a snapshot.
const snapshotVersion = 1

// Snapshot returns the history and the grants of the session as JSON, to be
// given to [Session.Restore], in another process too.
func (s *Session) Snapshot() ([]byte, error) {
	out := sessionSnapshot{Version: snapshotVersion, Project: s.Project}
	if s.Doom != nil {
		history, err := s.Doom.Snapshot(s.ID)
		if err != nil {
			return nil, err
		}
		out.Doom = history
	}
	s.mu.Lock()
	out.Grants, out.Made = slices.Sorted(maps.Keys(s.grants)), slices.Clone(s.files)
	s.mu.Unlock()
	s.Rates.mu.Lock()
	defer s.Rates.mu.Unlock()
	if len(s.Rates.Keys) > 0 {
		out.Rates = s.Rates.Keys
	}
	return json.Marshal(out)
}

// Restore replaces the history and the grants of the session with a snapshot. If
// it returns an error, the session is unchanged.
func (s *Session) Restore(data []byte) error {
	var in sessionSnapshot
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("session snapshot: %w", err)
	}
	if in.Version != snapshotVersion {
		return fmt.Errorf("session snapshot: version %d: only version %d is known", in.Version, snapshotVersion)
	}
	if s.Doom != nil && in.Doom != nil {
		if err := s.Doom.Restore(s.ID, in.Doom); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants, s.files = make(map[string]bool, len(in.Grants)), in.Made
	s.Project = in.Project
	for _, rule := range in.Grants {
		s.grants[rule] = true
	}
	s.Rates.mu.Lock()
	defer s.Rates.mu.Unlock()
	s.Rates.Keys = in.Rates
	return nil
}

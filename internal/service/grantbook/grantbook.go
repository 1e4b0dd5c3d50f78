// Package grantbook is what the service notes of grants, beside the file that holds
// them: when one allowed something last, and what it was before it was revoked, so
// that a person can undo that.
//
// It knows neither the file nor what a grant allows.
package grantbook

import (
	"context"
	"encoding/json"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Note is what is known of one grant.
type Note struct {
	ID string
	// Used is when the grant allowed something last, the zero time for never.
	Used time.Time
	// Revoked is when it was revoked, the zero time where it was not; By who did,
	// and Entry the grant as it was.
	Revoked time.Time
	By      string
	Entry   json.RawMessage
}

// A Table keeps the notes. It is safe for concurrent use.
type Table interface {
	// GrantNotes returns all notes by the ids of their grants.
	GrantNotes(ctx context.Context) (map[string]Note, error)
	// NoteUses notes when grants were used last, by their ids.
	NoteUses(ctx context.Context, at map[string]time.Time) error
	// NoteRevoked notes a grant that was revoked, and forgets those that were
	// revoked before a time. NoteRestored notes that one is no longer revoked.
	NoteRevoked(ctx context.Context, n Note, before time.Time, log ...audit.Entry) error
	NoteRestored(ctx context.Context, id string, log ...audit.Entry) error
}

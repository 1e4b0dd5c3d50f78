// Package shelf names where the instances of a service keep a small document that they
// share: a value that is read whole and replaced whole.
package shelf

import "context"

// A Shelf keeps one document. It is safe for concurrent use.
type Shelf interface {
	// Look returns the document, nil where there is none yet.
	Look(ctx context.Context) ([]byte, error)
	// Change puts what change makes of the document in its place. No other change comes
	// between; change may be called again. An error of change is returned as it is, and
	// nothing is stored.
	Change(ctx context.Context, change func([]byte) ([]byte, error)) error
}

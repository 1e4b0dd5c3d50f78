package subscription

import (
	"context"
	"fmt"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// A source gives the bundle on one condition: that it is not the one which
// came with a tag. "" is no condition.
type source interface {
	get(ctx context.Context, tag string) (answer, error)
}

// An answer is an archive with its tag, or says that there is no other.
// Tags say less than they seem: nginx makes one of the second of the change
// and the size, so two bundles of one size within a second look the same.
type answer struct {
	archive   []byte
	tag       string // "" where the next request must not be conditional
	unchanged bool
}

// maxTag bounds what is stored and sent back of a server's text.
const maxTag = 512

// usable is a tag, or "" where it cannot be a header.
func usable(tag string) string {
	if len(tag) > maxTag {
		return ""
	}
	for i := range len(tag) {
		if tag[i] < ' ' || tag[i] > '~' {
			return ""
		}
	}
	return tag
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: the archive is larger than %d bytes: raise the limit, or remove files from the bundle", bundle.ErrTooLarge, limit)
}

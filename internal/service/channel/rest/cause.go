package rest

import (
	"context"
	"errors"
	"os"

	"github.com/policyctl/policyctl/internal/support/outbound"
)

// contextOf returns why no more time was left, nil for another error.
func contextOf(err error) error {
	for _, why := range []error{context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded} {
		if errors.Is(err, why) {
			return why
		}
	}
	return nil
}

// insideOf returns the refusal of an address by a guard, nil for another error.
func insideOf(err error) error {
	if inside, ok := errors.AsType[*outbound.Inside](err); ok {
		return inside
	}
	return nil
}

package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/policyctl/policyctl/internal/service/channel"
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

// Unanswered is the error where a service was not reached: what was asked of it, and why,
// without the address and without secrets.
func Unanswered(what string, err error, secrets ...string) error {
	err = outbound.Cause(err)
	for _, why := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, why) {
			return fmt.Errorf("%s: %w", what, why)
		}
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Errorf("%s: %w", what, context.DeadlineExceeded)
	}
	return fmt.Errorf("%s: %s", what, channel.Saying(err.Error(), secrets...))
}

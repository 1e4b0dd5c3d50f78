package approval

import (
	"context"

	"github.com/policyctl/policyctl/pkg/audit"
)

// Checkpoint signs how far the audit log goes, with the key that signs the
// receipts. last is its last record, nil if there is none.
func (s *Service) Checkpoint(ctx context.Context, last *audit.Record) (*audit.Checkpoint, error) {
	kid, key, err := s.signer()
	if err != nil {
		return nil, err
	}
	return audit.Sign(func(text []byte) ([]byte, error) { return key.Sign(ctx, text) }, kid, last, s.now())
}

package approval

import "github.com/policyctl/policyctl/pkg/audit"

// Checkpoint signs how far the audit log goes, with the key that signs the
// receipts. last is its last record, nil if there is none.
func (s *Service) Checkpoint(last *audit.Record) (*audit.Checkpoint, error) {
	s.mu.Lock()
	key := s.key
	s.mu.Unlock()
	return audit.Sign(key.Private, key.ID, last, s.now())
}

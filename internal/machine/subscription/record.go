package subscription

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A record is the file of what was seen, beside the archive.
type record struct {
	Version    int       `json:"version"`
	Name       string    `json:"name"`
	Source     string    `json:"source"` // [address.id]: tags of another one mean nothing
	ETag       string    `json:"etag,omitempty"`
	Highest    uint64    `json:"highest_sequence"`
	Digest     string    `json:"digest"` // of the archive, the one with the highest sequence
	Content    string    `json:"content,omitempty"`
	Revision   string    `json:"revision"`
	Activated  time.Time `json:"activated"`
	Downloaded time.Time `json:"downloaded"`
	Contact    time.Time `json:"contact"`
}

const (
	recordVersion = 1
	maxRecord     = 64 << 10
	digestBytes   = 32
)

// newer reports whether a record is of a later bundle than another. Bundles
// without a sequence number have only the time.
func (r *record) newer(than *record) bool {
	if r.Highest != than.Highest || r.Highest > 0 {
		return r.Highest > than.Highest
	}
	return r.Digest != than.Digest && r.Downloaded.After(than.Downloaded)
}

// resigned reports whether two records are of one bundle with two signatures.
func (r *record) resigned(other *record) bool {
	return r.Digest != other.Digest && r.Content != "" && r.Content == other.Content
}

// errForgotten means that a record was set aside: nothing counts as seen.
var errForgotten = errors.New("what was seen before is forgotten")

// record reads the record, nil where there is none. One that cannot be used is
// set aside.
func (s *store) record() (*record, error) {
	file := filepath.Join(s.dir, recordFile)
	data, err := plainfile.ReadOwn(file, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil && !errors.Is(err, plainfile.Long(maxRecord)) {
		return nil, err // perhaps readable the next time
	}
	var r *record
	if err == nil {
		r, err = decode(data, s.name)
	}
	if err == nil {
		return r, nil
	}
	if moved := os.Rename(file, file+invalidEnd); moved != nil {
		return nil, errors.Join(fmt.Errorf("%s cannot be used: %w", file, plainfile.Bare(err)), moved)
	}
	return nil, fmt.Errorf("%s cannot be used: %w; %w; it is now %s: look for who changed it", file, plainfile.Bare(err), errForgotten, recordFile+invalidEnd)
}

func decode(data []byte, name string) (*record, error) {
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, fmt.Errorf("it is no JSON record: %w", err)
	}
	if v.Version != recordVersion {
		return nil, fmt.Errorf("version %d: only version %d is known", v.Version, recordVersion)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.Name != name {
		return nil, fmt.Errorf("it is of the subscription %q", r.Name)
	}
	if sum, err := hex.DecodeString(r.Digest); err != nil || len(sum) != digestBytes {
		return nil, errors.New("its digest is no SHA-256 in hexadecimal")
	}
	r.ETag = usable(r.ETag)
	return &r, nil
}

package bundle

import (
	"errors"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// deepest bounds how deep documents nest: far more than people write, far less
// than what recursion in later readers bears.
const deepest = 1000

var errTooMany = errors.New("with it the documents have too many keys and values; publish less, or raise the limit")

// checkJSON accepts a document that every reader understands in the same way,
// and takes its keys and values off what is left. A doubled key must not pass:
// OPA hashes the last value, and merges both into the metadata of a manifest,
// so that an unsigned one would slip in.
func checkJSON(data []byte, left *int) error {
	if *left <= 0 {
		return errTooMany
	}
	n, err := strictjson.Count(data, strictjson.Options{Depth: deepest, Values: *left})
	if e, ok := errors.AsType[*strictjson.Error](err); ok && e.Fault == strictjson.Values {
		return errTooMany
	}
	*left -= n
	return err
}

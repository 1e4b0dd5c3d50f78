package discovery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// maxFile bounds the file, in bytes.
const maxFile = 64 << 10

// read returns the url that a file has. It may have other keys.
func read(path string) (string, error) {
	text, err := plainfile.ReadOwn(path, maxFile)
	switch {
	case errors.Is(err, plainfile.ErrKind), errors.Is(err, plainfile.Long(maxFile)):
		return "", fmt.Errorf("this is not a file of at most %d bytes; write one", maxFile)
	case err != nil:
		return "", plainfile.Bare(err)
	}
	var keys map[string]json.RawMessage
	if err := webguard.Decode(bytes.NewReader(text), &keys); err != nil {
		return "", err
	}
	var url *string
	if err := json.Unmarshal(keys["url"], &url); err != nil || url == nil || *url == "" {
		return "", errors.New("url: missing, empty or no string; write the URL that the service printed")
	}
	return *url, nil
}

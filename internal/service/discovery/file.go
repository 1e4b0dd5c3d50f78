package discovery

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// maxFile bounds the file, in bytes.
const maxFile = 64 << 10

// read returns the url that a file has. It may have other keys.
func read(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", fmt.Errorf("this is not a file of at most %d bytes; write one", maxFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var keys map[string]json.RawMessage
	if err := webguard.Decode(io.LimitReader(f, maxFile), &keys); err != nil {
		return "", err
	}
	var url *string
	if err := json.Unmarshal(keys["url"], &url); err != nil || url == nil || *url == "" {
		return "", errors.New("url: missing, empty or no string; write the URL that the service printed")
	}
	return *url, nil
}

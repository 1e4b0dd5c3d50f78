// Package rendezvous is how the programs of one machine find its approval
// service: a file below the directory of state, which no agent may write. It
// names the socket of the service and the keys with which it signs, so that
// who reads it trusts the keys without asking the service for them.
//
// The package speaks to no service, and does not read the keys.
package rendezvous

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// An Info says where a service is and which receipts are its own.
type Info struct {
	// Version is the form of the file; [Write] sets it.
	Version int `json:"version"`
	// Socket is the absolute path of the Unix socket, "" for none.
	Socket string `json:"socket"`
	// URL is the address of its HTTP API, "" where it only has the socket.
	URL string `json:"url"`
	// Also are further addresses of it.
	Also []string `json:"also,omitempty"`
	// Keys is the JWK set of the keys that sign its receipts.
	Keys json.RawMessage `json:"keys"`
	// PID is the process of the service.
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// version is the form of the file.
const version = 1

// maxSize bounds the file, in bytes.
const maxSize = 64 << 10

// Dir returns the directory of the service below a directory of state.
func Dir(state string) string { return filepath.Join(state, "approval") }

// File returns the path of the file below a directory of state.
func File(state string) string { return filepath.Join(Dir(state), "service.json") }

// Exists reports whether there is a file to read. It is cheap.
func Exists(state string) bool {
	_, err := os.Lstat(File(state))
	return err == nil
}

// Write tells that a service runs, in one step. The directory is made where it
// is missing, for nobody but its owner.
func Write(state string, i Info) error {
	i.Version = version
	if err := i.check(); err != nil {
		return fmt.Errorf("%s: %w", File(state), err)
	}
	text, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(Dir(state), 0o700); err != nil {
		return err
	}
	if err := os.Chmod(Dir(state), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(File(state), "service-", append(text, '\n'))
}

// Remove tells that the service of a process has ended. It leaves the file of
// another process as it is.
func Remove(state string, pid int) error {
	i, found, err := Read(state)
	if err != nil || !found || i.PID != pid {
		return err
	}
	return os.Remove(File(state))
}

// Read returns what the service of the machine wrote. There is nothing where
// none runs. A file that another user could have written is an error.
func Read(state string) (i Info, found bool, err error) {
	name := File(state)
	f, err := plainfile.OpenOwn(name)
	if errors.Is(err, fs.ErrNotExist) {
		return i, false, nil
	}
	if err != nil {
		return i, false, err
	}
	defer f.Close()
	for _, of := range []func() (fs.FileInfo, error){f.Stat, func() (fs.FileInfo, error) { return os.Stat(Dir(state)) }} {
		info, err := of()
		if err == nil {
			err = private(info)
		}
		if err != nil {
			return i, false, fmt.Errorf("%s: %w", name, err)
		}
	}
	text, err := plainfile.ReadAll(f, maxSize)
	if err == nil {
		err = i.parse(text)
	}
	if err != nil {
		return Info{}, false, fmt.Errorf("%s: %w: start `policyctl serve` again", name, err)
	}
	return i, true, nil
}

func (i *Info) parse(text []byte) error {
	if err := strictjson.DecodeOpen(text, i); err != nil {
		return fmt.Errorf("it is no JSON of policyctl: %w", err)
	}
	if i.Version != version {
		return fmt.Errorf("version %d: only version %d is known", i.Version, version)
	}
	return i.check()
}

// check says what is missing from an info.
func (i *Info) check() error {
	u, err := url.Parse(i.URL)
	switch {
	case i.Socket == "" && i.URL == "":
		return errors.New("it names neither a socket nor a URL")
	case i.Socket != "" && !filepath.IsAbs(i.Socket):
		return fmt.Errorf("the socket %q is not an absolute path", i.Socket)
	case err != nil, i.URL != "" && (u.Host == "" || u.Scheme != "http" && u.Scheme != "https"):
		return fmt.Errorf("the URL %q is neither http nor https", i.URL)
	case len(bytes.TrimSpace(i.Keys)) == 0 || !strings.HasPrefix(string(bytes.TrimSpace(i.Keys)), "{"):
		return errors.New("it has no keys")
	}
	return nil
}

// Address returns the address of the service as clients take it: the socket,
// which tells who calls, or else the URL.
func (i *Info) Address() string {
	if i.Socket != "" {
		return "unix:" + i.Socket
	}
	return i.URL
}

// Addresses returns every address of the service: its URLs, and "unix:" with
// the path of its socket.
func (i *Info) Addresses() []string {
	out := slices.Clone(i.Also)
	if i.URL != "" {
		out = append(out, i.URL)
	}
	if i.Socket != "" {
		out = append(out, "unix:"+i.Socket)
	}
	return out
}

package referral

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/config"
)

// A service is a service with the keys that are pinned for it.
type service struct {
	*approval.Client
	keys approval.Keys
}

// find returns the service that the policy names, or else that of the machine;
// nil where there is none.
func (c *Clerk) find(e *hook.Event) (*service, error) {
	if named := c.Guard.Service(e); named.URL != "" {
		return c.named(named)
	}
	i, found, err := rendezvous.Read(c.Guard.Place.State)
	if !found || err != nil {
		return nil, err
	}
	return newService(i.Address(), "", i.Keys, rendezvous.File(c.Guard.Place.State))
}

// maxFile bounds the files of a service, in bytes.
const maxFile = 64 << 10

func (c *Clerk) named(s config.Service) (*service, error) {
	if s.KeysFile == "" {
		return nil, errors.New("the policy names a service without security.approval.keys_file, so no receipt could be verified")
	}
	keys, err := c.read(s.KeysFile)
	if err != nil {
		return nil, fmt.Errorf("security.approval.keys_file: %w", err)
	}
	token := ""
	if s.TokenFile != "" {
		text, err := c.read(s.TokenFile)
		if token = strings.TrimSpace(string(text)); err == nil && token == "" {
			err = fmt.Errorf("%s is empty", s.TokenFile)
		}
		if err != nil {
			return nil, fmt.Errorf("security.approval.token_file: %w", err)
		}
	}
	return newService(s.URL, token, keys, s.KeysFile)
}

// newService returns the service at an address. from is where the keys are
// from.
func newService(address, token string, keys []byte, from string) (*service, error) {
	client, err := approval.NewClient(address, token)
	if err != nil {
		return nil, err
	}
	s := &service{Client: client}
	if err := json.Unmarshal(keys, &s.keys); err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	if len(s.keys) == 0 {
		return nil, fmt.Errorf("%s: it pins no key, so no receipt could be verified", from)
	}
	return s, nil
}

// read reads a file whose path may begin with ~/.
func (c *Clerk) read(path string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(c.Guard.Place.Home, rest)
	}
	return plainfile.Read(path, maxFile)
}

package layers

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/own"
)

// Self returns what policyctl keeps for itself on the machine, and where its
// service is: what no call reads unasked, and where none logs in or decides.
// What cannot be read is left out; the directory of the state is always in.
func (p Place) Self() own.Place {
	var at own.Place
	if p.State != "" {
		at.Private = append(append(at.Private, p.State), make(walk).hops(p.State)...)
		kept, _ := rendezvous.ReadKept(p.State)
		at.Private, at.Logs = append(at.Private, kept.Private...), kept.Logs
		if service, found, _ := rendezvous.Read(p.State); found {
			at.Services = service.Addresses()
			if service.Socket != "" {
				at.Private = append(at.Private, service.Socket)
			}
		}
	}
	at.Private = append(at.Private, credentials(p.Config)...)
	return at
}

// credentials returns the files of a directory of policies that by their names
// hold tokens or keys.
func credentials(dir string) []string {
	if dir == "" {
		return nil
	}
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if slices.Contains([]string{".token", ".key", ".secret", ".login"}, filepath.Ext(e.Name())) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// withSelf puts what policyctl keeps for itself into settings, with what the
// policy names of it.
func (p Place) withSelf(named own.Place) own.Place {
	at := p.Self()
	at.Private = append(at.Private, p.below(named.Private)...)
	at.Services = append(at.Services, named.Services...)
	return at
}

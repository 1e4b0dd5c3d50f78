package install

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

func sha256Hex(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// configuration reads the file in which Codex keeps what it trusts: that of
// the user, whatever the scope of the hooks.
func (r *Request) configuration() (*file, error) {
	dir, err := r.Place.folder(r.Agent)
	if err != nil {
		return nil, err
	}
	return openFile(filepath.Join(dir, "config.toml"))
}

// trust plans the records with which Codex runs the hooks of the new
// settings, or says what the user has to do.
func (r *Request) trust(p *Plan, path, before, after string) error {
	f, err := r.configuration()
	if err != nil {
		return err
	}
	p.moved(r.Agent, before, after)
	if !r.Trust {
		if !r.trusted(f, path, after) {
			p.Notes = append(p.Notes, "Codex runs no hook that it does not trust, and does not say so: start codex and trust the hook with /hooks, or install again with --trust")
		}
		return nil
	}
	text, err := r.record(f, path, after, trustIn)
	if err != nil || text == f.text {
		return err
	}
	p.Notes = append(p.Notes, "the record of trust is computed here, not by Codex: check that /hooks in Codex shows the hook as trusted")
	return p.change(f, text)
}

// trusted reports whether Codex runs all hooks of ours in its settings.
func (r *Request) trusted(config *file, path, settings string) bool {
	d, err := r.Agent.strict(settings)
	if err != nil {
		return false
	}
	for _, h := range r.Agent.allOurs(d) {
		found, err := findRecord(config.text, recordKey(path, h))
		if err != nil || found == nil || found.hash != trustHash(h) || !found.enabled {
			return false
		}
	}
	return true
}

// record returns the configuration with the records of our hooks edited.
func (r *Request) record(config *file, path, settings string, edit func(text, key, hash string) (string, error)) (string, error) {
	d, err := r.Agent.strict(settings)
	if err != nil {
		return "", err
	}
	text := config.text
	for _, h := range r.Agent.allOurs(d) {
		if text, err = edit(text, recordKey(path, h), trustHash(h)); err != nil {
			return "", config.at(err)
		}
	}
	return text, nil
}

// untrust plans the removal of the records of our hooks. What cannot be
// removed is no reason to leave the hooks: Codex ignores such a record.
func (r *Request) untrust(p *Plan, path, before, after string) {
	if before == after {
		return
	}
	p.moved(r.Agent, before, after)
	f, err := r.configuration()
	text := ""
	if err == nil {
		text, err = r.record(f, path, before, untrustIn)
	}
	switch {
	case err != nil: // told below
	case text == "" && len(f.backups()) == 0:
		err = p.delete(f, text)
	default:
		err = p.change(f, text)
	}
	if err != nil {
		p.Notes = append(p.Notes, "the record of trust stays: "+err.Error())
	}
}

// moved notes that hooks of others stand at another place than before, by
// which Codex knows them.
func (p *Plan) moved(a *Agent, before, after string) {
	was, is := a.places(before), a.places(after)
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			p.Notes = append(p.Notes, "other hooks have moved up in the file, so Codex does not trust them any longer: start codex and trust them with /hooks")
			return
		}
	}
}

// places returns where the hooks of others stand.
func (a *Agent) places(text string) (out []string) {
	d, err := a.strict(text)
	if err != nil {
		return nil
	}
	for _, name := range d.eventNames() {
		all, err := a.handlers(d, name)
		if err != nil {
			continue
		}
		for _, h := range all {
			if !a.owns(h) {
				out = append(out, recordKey("", h))
			}
		}
	}
	return out
}

// allOurs returns the hooks of ours in all events.
func (a *Agent) allOurs(d *document) (out []handler) {
	for _, name := range d.eventNames() {
		if ours, err := a.ours(d, name); err == nil {
			out = append(out, ours...)
		}
	}
	return out
}

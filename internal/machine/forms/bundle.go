package forms

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/config"
)

// bundleMagic begins the form of a bundle. Raise the number when it is read or
// means otherwise than before.
const bundleMagic = "policyctl bundle 1\n"

// A Bundle is what a hook needs of a bundle that was activated, and holds no
// Rego.
type Bundle struct {
	Name, Revision, Digest string
	Sequence               uint64
	// Expires is when the bundle ends, zero for never.
	Expires time.Time
	// Source says of which subscription and keys it is, see [Client.binding].
	Source string
	Files  []File
}

// A File is a policy file of a bundle, in parts of what follows the header.
type File struct {
	Name, Digest string
	Text, Kept   int // bytes; Kept is 0 for a file without a form
}

// A Client gives what bundles add that were activated before, of their forms. It
// implements [layers.Bundler] for a process that answers one event.
type Client struct {
	store       *Store
	state, home string
	now         func() time.Time
	known       map[string]*layers.Bundle
	missing     bool
}

// NewClient returns a client for the bundles kept below a directory of state.
func NewClient(s *Store, state, home string) *Client {
	return &Client{store: s, state: state, home: home, now: time.Now, known: map[string]*layers.Bundle{}}
}

// Missing reports whether a bundle that was asked for has no form that counts:
// then what Bundles returned is not the policy.
func (c *Client) Missing() bool { return c.missing }

// Peek returns a bundler that opens forms and adds nothing of them: to find out
// what is [Client.Missing] at less than the price of a policy.
func (c *Client) Peek() layers.Bundler { return peek{c} }

type peek struct{ *Client }

// Bundles implements [layers.Bundler].
func (p peek) Bundles(list []config.BundleSource, _ layers.Union) []layers.Bundle {
	out := p.Client.Bundles(list, nil)
	for i := range out {
		out[i].Files = nil
	}
	return out
}

// Stamp implements [layers.Bundler].
func (c *Client) Stamp() string { return "" }

// Withdrawn implements [layers.Bundler].
func (c *Client) Withdrawn() bool { return false }

// Bundles implements [layers.Bundler].
func (c *Client) Bundles(list []config.BundleSource, _ layers.Union) []layers.Bundle {
	out := make([]layers.Bundle, len(list))
	for i := range list {
		b := c.known[list[i].Name]
		if b == nil {
			b = c.load(&list[i])
			c.known[list[i].Name] = b
		}
		out[i] = *b
	}
	return out
}

var errMissing = fmt.Errorf("its form is missing: run policyctl bundle sync")

func (c *Client) load(source *config.BundleSource) *layers.Bundle {
	b := c.open(source)
	if b == nil {
		c.missing = true
		return &layers.Bundle{Name: source.Name, Err: errMissing}
	}
	return b
}

// A record is what of the state of a subscription a hook looks at; see
// internal/machine/subscription, which writes it.
type record struct {
	Version int       `json:"version"`
	Name    string    `json:"name"`
	Highest uint64    `json:"highest_sequence"`
	Digest  string    `json:"digest"`
	Contact time.Time `json:"contact"`
}

const (
	recordVersion = 1
	maxRecord     = 64 << 10
	// maxKey bounds the file of a key, in bytes.
	maxKey = 64 << 10
)

// open returns a bundle whose form counts. Nothing is wrong with it, unless root
// keeps a later one than the state of the person knows.
func (c *Client) open(source *config.BundleSource) *layers.Bundle {
	owner, ok := ownerOf(source.Origin.File)
	binding, bound := c.binding(source)
	if !ok || !bound {
		return nil
	}
	r, known := c.record(source.Name)
	if l, ok := c.latest(source, owner, binding); ok && (!known || r.Highest < l.Sequence) {
		return c.ofRoot(source, l, owner)
	}
	if !known || source.MaxAge > 0 && !recent(c.now().Sub(r.Contact), source.MaxAge) {
		return nil
	}
	out, expires := c.opened(source, latest{r.Digest, r.Highest, binding}, owner)
	if out == nil || !expires.IsZero() && !c.now().Before(expires) {
		return nil
	}
	out.Contact = r.Contact
	return out
}

// record reads what the state of the person knows of a subscription.
func (c *Client) record(name string) (r record, ok bool) {
	data, err := plainfile.ReadOwn(filepath.Join(c.state, "bundles", name, "state.json"), maxRecord)
	return r, err == nil && json.Unmarshal(data, &r) == nil && r.Version == recordVersion && r.Name == name
}

// opened returns the bundle of a form and when it ends, nil where there is none
// that counts.
func (c *Client) opened(source *config.BundleSource, l latest, owner int) (*layers.Bundle, time.Time) {
	b, rest, ok := decode(c.store.load(l.Digest+l.Source, owner))
	if !ok || b.Digest != l.Digest || b.Name != source.Name || b.Source != l.Source || b.Sequence != l.Sequence {
		return nil, time.Time{}
	}
	out := &layers.Bundle{Name: b.Name, Revision: b.Revision, Digest: b.Digest}
	for _, f := range b.Files {
		file, ok := f.open(b.Name, &rest)
		if !ok {
			return nil, time.Time{}
		}
		out.Files = append(out.Files, file)
	}
	return out, b.Expires
}

// recent reports whether a contact is as young as it must be. One in the future
// is none: the clock was set.
func recent(age, most time.Duration) bool { return age >= 0 && age <= most }

func (f *File) open(bundle string, rest *[]byte) (config.File, bool) {
	if f.Text < 0 || f.Kept < 0 || f.Text > len(*rest) || f.Kept > len(*rest)-f.Text {
		return config.File{}, false
	}
	out := config.File{Layer: config.Bundle, Bundle: bundle, Name: f.Name, Admit: config.Everything, Data: (*rest)[:f.Text]}
	kept := (*rest)[f.Text : f.Text+f.Kept]
	*rest = (*rest)[f.Text+f.Kept:]
	if f.Kept == 0 {
		return out, true
	}
	out.Prepared = opened(kept, f.Digest)
	return out, out.Prepared != nil
}

// binding changes with everything that a policy says of a subscription, and
// with the keys. It is false where a key cannot be read.
func (c *Client) binding(source *config.BundleSource) (string, bool) {
	s := *source
	s.Origin.Line = 0
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n", s)
	for _, id := range slices.Sorted(maps.Keys(s.Keys)) {
		file := s.Keys[id]
		if below, ok := strings.CutPrefix(file, "~/"); ok {
			file = filepath.Join(c.home, below)
		}
		key, err := plainfile.Read(file, maxKey)
		if err != nil {
			return "", false
		}
		fmt.Fprintf(h, "%q %x\n", id, sha256.Sum256(key))
	}
	return fmt.Sprintf("%x", h.Sum(nil)), true
}

// Keep makes the form of a bundle that was activated, unless there is one.
// Where it cannot be kept, hooks read the bundle itself.
func (c *Client) Keep(source *config.BundleSource, b Bundle, files []config.File) {
	owner, ok := ownerOf(source.Origin.File)
	binding, bound := c.binding(source)
	if !ok || !bound {
		return
	}
	defer c.keepLatest(source, owner, latest{b.Digest, b.Sequence, binding}) // after its form
	if c.store.load(b.Digest+binding, owner) != nil {
		return
	}
	b.Name, b.Source = source.Name, binding
	var rest []byte
	for _, f := range files {
		kept, err := config.Prepare(f)
		if err != nil || len(f.Data) < least {
			kept = nil
		}
		b.Files = append(b.Files, File{f.Name, fmt.Sprintf("%x", sha256.Sum256(f.Data)), len(f.Data), len(kept)})
		rest = append(append(rest, f.Data...), kept...)
	}
	c.store.save(b.Digest+binding, owner, encode(&b, rest))
}

func encode(b *Bundle, rest []byte) []byte {
	header, _ := json.Marshal(b) // texts and numbers
	out := binary.LittleEndian.AppendUint32([]byte(bundleMagic), uint32(len(header)))
	return append(append(out, header...), rest...)
}

// decode returns the header and what follows it.
func decode(data []byte) (b Bundle, rest []byte, ok bool) {
	const size = 4
	if len(data) < len(bundleMagic)+size || string(data[:len(bundleMagic)]) != bundleMagic {
		return b, nil, false
	}
	data = data[len(bundleMagic):]
	n := int(binary.LittleEndian.Uint32(data))
	if data = data[size:]; n > len(data) {
		return b, nil, false
	}
	err := json.Unmarshal(data[:n], &b)
	return b, data[n:], err == nil
}

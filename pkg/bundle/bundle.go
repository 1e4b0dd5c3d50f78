// Package bundle reads, writes and signs the archive in which an organisation
// hands out its policy: a bundle of Open Policy Agent (tar.gz with Rego, data
// and a manifest, signed by a JSON web token), with policy files and their
// tests below data.policyctl and a sequence number and dates in the metadata.
// Archives are hostile until proved otherwise: limits come before unpacking,
// the signature before Rego. It downloads nothing, keeps no state, compiles no
// Rego and does not read the policy files.
package bundle

import (
	"fmt"
	"time"
)

// File is a text with its name. In an archive, a name has slashes and no
// leading one.
type File struct{ Name, Text string }

// Bundle is the content of an archive. It belongs to the caller; nothing here
// keeps or shares it.
type Bundle struct {
	// Revision names the content for people. It is one printable line.
	Revision string
	// Sequence grows with each bundle that is published, so that an old one
	// cannot come back; 0 where the bundle does not count.
	Sequence uint64
	// Built and Expires are in UTC; zero is none.
	Built, Expires time.Time
	// Roots are the paths below data that the bundle owns. [Write] takes none
	// for "", all of data.
	Roots []string
	// Policies are policy files, Tests their tests, sorted by name.
	Policies, Tests []File
	// Modules is Rego, sorted by name.
	Modules []File
	// Data is the rest of the data, without policies and tests of policyctl.
	// [Read] leaves numbers as [encoding/json.Number], and never returns nil.
	Data map[string]any
	// KeyID is the key that verified the signature, "" where none was looked
	// at. [Write] ignores it.
	KeyID string
	// Digest is the SHA-256 of the archive in hexadecimal. [Write] ignores it.
	Digest string
	// Content is the SHA-256 of the files without the signature: the same
	// bundle signed again has the same. [Write] ignores it.
	Content string
}

// Check reports whether the bundle may still be used at a time by somebody
// that has seen the sequence number least: [ErrExpired], [ErrReplayed]. The
// same sequence number is accepted again; the caller compares digests.
func (b *Bundle) Check(now time.Time, least uint64) error {
	if !b.Expires.IsZero() && !now.Before(b.Expires) {
		return fmt.Errorf("%w: revision %q ended at %s, now is %s; publish a newer one, or set the clock",
			ErrExpired, b.Revision, b.Expires.Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	if b.Sequence < least {
		return fmt.Errorf("%w: revision %q has sequence %d, and %d was seen; publish it again with a higher sequence",
			ErrReplayed, b.Revision, b.Sequence, least)
	}
	return nil
}

// Limits bound what an archive may cost. What is zero or less is the default.
type Limits struct {
	// Archive bounds the bytes of the archive, 32 MiB by default.
	Archive int64
	// Unpacked bounds the bytes that it unpacks to, 128 MiB by default.
	Unpacked int64
	// Files bounds the entries, directories included, 10,000 by default.
	Files int
	// Values bounds the keys and values of all documents, 2,000,000 by default:
	// in memory one costs many times of its bytes.
	Values int
}

func (l Limits) filled() Limits {
	if l.Archive <= 0 {
		l.Archive = 32 << 20
	}
	if l.Unpacked <= 0 {
		l.Unpacked = 128 << 20
	}
	if l.Files <= 0 {
		l.Files = 10_000
	}
	if l.Values <= 0 {
		l.Values = 2_000_000
	}
	return l
}

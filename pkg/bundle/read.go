package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// Read reads an archive. Where v is not nil, a valid signature is required;
// where it is nil, a signature is not looked at. The order is: limits, names,
// unambiguous JSON, signature, content. The errors are those of this package.
func Read(archive []byte, v *Verification, l Limits) (*Bundle, error) {
	entries, err := open(archive, l)
	if err != nil {
		return nil, err
	}
	keyID := ""
	if v != nil {
		if keyID, err = v.verify(entries); err != nil {
			return nil, err
		}
	}
	b, err := parse(entries)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(archive)
	b.KeyID, b.Digest, b.Content = keyID, hex.EncodeToString(digest[:]), contentOf(entries)
	return b, nil
}

// contentOf returns the digest of all files but the signature.
func contentOf(entries []entry) string {
	h := sha256.New()
	for _, e := range entries {
		if e.name != signaturesFile {
			fmt.Fprintf(h, "%q %x\n", e.name, sha256.Sum256(e.data))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// open returns the files of an archive, each of which means the same to
// whoever hashes it and to whoever reads it.
func open(archive []byte, l Limits) ([]entry, error) {
	entries, err := unpack(archive, l)
	if err != nil {
		return nil, err
	}
	left := l.filled().Values
	for _, e := range entries {
		if err := checkEntry(e, &left); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// parse reads the content of an archive.
func parse(entries []entry) (*Bundle, error) {
	b := new(Bundle)
	for _, e := range entries {
		if e.name != manifestFile {
			continue
		}
		if err := b.readManifest(e.data); err != nil {
			return nil, err
		}
	}
	read, err := opa.NewCustomReader(&loader{entries: entries}).
		WithSkipBundleVerification(true). // done, on the same bytes
		WithLazyLoadingMode(false).
		Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %s; correct the source and build it again", ErrMalformed, reason(err))
	}
	b.Roots, b.Data = *read.Manifest.Roots, read.Data
	for _, m := range read.Modules {
		b.Modules = append(b.Modules, File{m.Path, string(m.Raw)})
	}
	return b, b.takeFiles()
}

// checkEntry looks at one file before OPA does. left is how many values the
// documents may have from here on.
func checkEntry(e entry, left *int) error {
	problem := refusedFile(e.name)
	switch {
	case problem != "":
		return malformed(e.name, "%s", problem)
	case strings.HasSuffix(e.name, opa.RegoExt) && !utf8.Valid(e.data):
		return malformed(e.name, "it is not UTF-8; save it as UTF-8")
	case e.name == manifestFile, path.Base(e.name) == dataFile, opa.IsYAMLDataFile(e.name) && json.Valid(e.data):
		if err := checkJSON(e.data, left); errors.Is(err, errTooMany) {
			return fmt.Errorf("%w: %s: %w", ErrTooLarge, shown(e.name), err)
		} else if err != nil {
			return malformed(e.name, "%w", err)
		}
	case opa.IsYAMLDataFile(e.name):
		const least = 2 // bytes of a value: "a,"
		if *left -= len(e.data) / least; *left < 0 {
			return fmt.Errorf("%w: %s: %w, or write data.json, which costs less", ErrTooLarge, shown(e.name), errTooMany)
		}
	}
	return nil
}

// A loader hands OPA the files that were unpacked, so that it reads the very
// bytes that were checked, in the same order.
type loader struct {
	opa.DirectoryLoader // for options that nobody sets
	entries             []entry
}

// NextFile implements [opa.DirectoryLoader].
func (l *loader) NextFile() (*opa.Descriptor, error) {
	if len(l.entries) == 0 {
		return nil, io.EOF
	}
	e := l.entries[0]
	l.entries = l.entries[1:]
	return opa.NewDescriptor(e.name, e.name, bytes.NewBuffer(e.data)), nil
}

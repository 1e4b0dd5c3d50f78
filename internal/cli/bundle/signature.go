package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// A signatureView is what a signature says of itself, which nobody vouches for
// unless it was verified.
type signatureView struct {
	KeyID     *string `json:"key_id"`
	Algorithm *string `json:"algorithm"`
	Scope     *string `json:"scope"`
	// Problem says why the signature cannot be read.
	Problem  *string `json:"problem"`
	Verified bool    `json:"verified"`
}

// String describes a signature on one line.
func (v *signatureView) String() string {
	switch {
	case v == nil:
		return "none"
	case v.Problem != nil:
		return "it cannot be read: " + *v.Problem
	}
	text := "key " + console.ShownOr(v.KeyID, "without an id") + ", " + console.ShownOr(v.Algorithm, "no algorithm")
	if v.Scope != nil {
		text += ", scope " + *v.Scope
	}
	return text
}

// signatureOf reads the signature of an archive that is sound, and verifies
// nothing. It returns nil where there is none.
func signatureOf(archive []byte) *signatureView {
	data, err := signatureFile(archive)
	if data == nil && err == nil {
		return nil
	}
	v := new(signatureView)
	if err == nil {
		err = v.read(data)
	}
	if err != nil {
		*v = signatureView{Problem: console.OrNull(err.Error())}
	}
	return v
}

// signatureFile returns the file of signatures, nil where there is none.
func signatureFile(archive []byte) ([]byte, error) {
	gz, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimPrefix(strings.TrimPrefix(h.Name, "./"), "/") == ".signatures.json" {
			return io.ReadAll(io.LimitReader(r, maxArchive))
		}
	}
}

// read reads the header and the payload of the JSON web token (RFC 7515).
func (v *signatureView) read(data []byte) error {
	var file struct {
		Signatures []string `json:"signatures"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if len(file.Signatures) != 1 {
		return fmt.Errorf("it holds %s and must hold one", console.Count(len(file.Signatures), "signature"))
	}
	parts := strings.Split(file.Signatures[0], ".")
	if len(parts) != 3 {
		return errors.New("the token has not three parts")
	}
	var header struct {
		Algorithm string `json:"alg"`
		KeyID     string `json:"kid"`
	}
	var payload struct {
		KeyID string `json:"keyid"`
		Scope string `json:"scope"`
	}
	for i, into := range []any{&header, &payload} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			return fmt.Errorf("part %d of the token: %w", i+1, err)
		}
	}
	if header.KeyID == "" {
		header.KeyID = payload.KeyID
	}
	v.KeyID, v.Algorithm, v.Scope = console.OrNull(header.KeyID), console.OrNull(header.Algorithm), console.OrNull(payload.Scope)
	return nil
}

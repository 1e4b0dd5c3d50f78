package bundle

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// Verification says which signatures are accepted.
type Verification struct {
	// Keys are by id. At least one is required.
	Keys map[string]Key
	// KeyID is the only key that is accepted; "" takes the key that the
	// signature names, or the only one where it names none.
	KeyID string
	// Scope must be the scope of the signature; "" takes only a signature
	// without one, as OPA does.
	Scope string
}

// fileHashes are the hashes that a signature may use for files: those that no
// one can find two files for.
var fileHashes = []string{"SHA-256", "SHA-384", "SHA-512", "SHA-512-256"}

// Check reads all keys, so that one that cannot be used is known before a
// bundle comes.
func (v *Verification) Check() error {
	_, err := v.keys()
	return err
}

// verify returns the key by which all files are signed.
func (v *Verification) verify(entries []entry) (keyID string, err error) {
	keys, err := v.keys()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == signaturesFile })
	if i < 0 {
		return "", fmt.Errorf("%w: %s is missing; sign it with a key that is trusted here", ErrUnsigned, signaturesFile)
	}
	t, err := readToken(entries[i].data)
	if err != nil {
		return "", unproved("%w", err)
	}
	if keyID, err = v.keyFor(t); err != nil {
		return "", unproved("%w", err)
	}
	key, ok := keys[keyID]
	if !ok {
		return "", unproved("it is signed by the key %s, and known are %s; sign by one of these or add the key",
			shown(keyID), strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
	}
	if t.algorithm != key.algorithm {
		return "", unproved("it is signed by the algorithm %s, and the key %s is for %s; sign by that", shown(t.algorithm), shown(keyID), key.algorithm)
	}
	if err := v.verifyFiles(t, keyID, key, slices.Delete(slices.Clone(entries), i, i+1)); err != nil {
		return "", unproved("%w", err)
	}
	return keyID, nil
}

// keys reads all keys.
func (v *Verification) keys() (map[string]material, error) {
	if len(v.Keys) == 0 {
		return nil, errors.New("no key to verify bundles with; configure one")
	}
	all := make(map[string]material)
	for _, id := range slices.Sorted(maps.Keys(v.Keys)) {
		m, err := v.Keys[id].material()
		if err != nil {
			return nil, fmt.Errorf("verification key %q: %w", id, err)
		}
		all[id] = m
	}
	if _, ok := all[v.KeyID]; !ok && v.KeyID != "" {
		return nil, fmt.Errorf("verification key %q is not among the keys %s; add it", v.KeyID, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	return all, nil
}

// keyFor returns the id of the key that must have signed a token.
func (v *Verification) keyFor(t *token) (string, error) {
	switch {
	case t.id == "" && v.KeyID == "" && len(v.Keys) == 1: // as opa sign leaves it
		return slices.Collect(maps.Keys(v.Keys))[0], nil
	case t.id == "" && v.KeyID == "":
		return "", errors.New("it has no key id; sign with a key id (opa sign: {\"keyid\": \"ID\"} in --claims-file), or configure one key alone")
	case t.id == "":
		return v.KeyID, nil
	case v.KeyID != "" && t.id != v.KeyID:
		return "", fmt.Errorf("it is signed by the key %s, and %s is required; sign by that", shown(t.id), shown(v.KeyID))
	}
	return t.id, nil
}

// verifyFiles lets OPA verify the token and the hash of each file.
func (v *Verification) verifyFiles(t *token, keyID string, key material, entries []entry) error {
	config, err := key.config()
	if err != nil {
		return err
	}
	listed, err := opa.VerifyBundleSignature(opa.SignaturesConfig{Signatures: []string{t.text}},
		&opa.VerificationConfig{PublicKeys: map[string]*opa.KeyConfig{keyID: config}, KeyID: keyID, Scope: v.Scope})
	if err != nil {
		return fmt.Errorf("key %s, scope %q: %s; sign again, or check key and scope", shown(keyID), v.Scope, reason(err))
	}
	if len(listed) == 0 {
		return errors.New("it covers no file; sign again")
	}
	files, err := cleanList(listed)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := opa.VerifyBundleFile(e.name, *bytes.NewBuffer(e.data), files); err != nil {
			return fmt.Errorf("%s; the file was changed or added after signing, sign again", reason(err))
		}
	}
	if len(files) > 0 {
		return fmt.Errorf("the signed file %s is missing; fetch the bundle again", shown(slices.Min(slices.Collect(maps.Keys(files)))))
	}
	return nil
}

// cleanList returns the signed files under their clean names.
func cleanList(listed map[string]opa.FileInfo) (map[string]opa.FileInfo, error) {
	files := make(map[string]opa.FileInfo)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		clean, problem := cleanName(name)
		if problem != "" {
			return nil, fmt.Errorf("%s: %s; sign again", shown(name), problem)
		}
		if _, twice := files[clean]; twice {
			return nil, fmt.Errorf("%s is signed twice; sign again", shown(clean))
		}
		if hash := listed[name].Algorithm; !slices.Contains(fileHashes, hash) {
			return nil, fmt.Errorf("%s is hashed by %s; sign with %s", shown(clean), shown(hash), strings.Join(fileHashes, ", "))
		}
		files[clean] = listed[name]
	}
	return files, nil
}

// config returns the key as OPA takes it.
func (m material) config() (*opa.KeyConfig, error) {
	if m.secret != nil {
		return &opa.KeyConfig{Key: string(m.secret), Algorithm: m.algorithm}, nil
	}
	der, err := x509.MarshalPKIXPublicKey(m.public)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return &opa.KeyConfig{Key: string(text), Algorithm: m.algorithm}, nil
}

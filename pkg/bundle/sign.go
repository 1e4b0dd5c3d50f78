package bundle

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	opa "github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/util"
)

// fileHash is the hash that [Sign] uses for files.
const fileHash = "SHA-256"

// Sign returns the archive with a signature over all its files, in place of
// one that it may have. The archive must be one that [Read] accepts within its
// default limits. The key needs an id, which verifiers find it by.
func Sign(archive []byte, s SigningKey) ([]byte, error) {
	key, err := s.check()
	if err != nil {
		return nil, err
	}
	entries, err := unsigned(archive)
	if err != nil {
		return nil, err
	}
	files, err := listed(entries)
	if err != nil {
		return nil, err
	}
	text, err := s.token(key, files)
	if err != nil {
		return nil, fmt.Errorf("signing key %q: %w", s.ID, err)
	}
	signature, err := marshal(opa.SignaturesConfig{Signatures: []string{text}})
	if err != nil {
		return nil, err
	}
	return pack(append(entries, entry{signaturesFile, signature}))
}

func (s SigningKey) check() (material, error) {
	if shown(s.ID) != s.ID {
		return material{}, errors.New("signing key: it needs an id that is one plain word; give the name that verifiers know it by")
	}
	key, err := s.material()
	if err != nil {
		return material{}, fmt.Errorf("signing key %q: %w", s.ID, err)
	}
	return key, nil
}

// unsigned returns the files of a sound archive without a signature.
func unsigned(archive []byte) ([]entry, error) {
	entries, err := open(archive, Limits{})
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.name == signaturesFile })
	if len(entries) == 0 {
		return nil, malformed(signaturesFile, "there is no other file to sign; build the bundle first")
	}
	_, err = parse(entries)
	return entries, err
}

// listed returns the names and hashes of files as OPA signs them: documents by
// their values, other files by their bytes.
func listed(entries []entry) ([]opa.FileInfo, error) {
	hasher, err := opa.NewSignatureHasher(fileHash)
	if err != nil {
		return nil, err
	}
	var files []opa.FileInfo
	for _, e := range entries {
		var value any = e.data
		if opa.IsStructuredDoc(e.name) {
			value = nil
			if err := util.Unmarshal(e.data, &value); err != nil {
				return nil, malformed(e.name, "%s; correct the file", reason(err))
			}
		}
		sum, err := hasher.HashFile(value)
		if err != nil {
			return nil, malformed(e.name, "%w", err)
		}
		files = append(files, opa.NewFile(e.name, hex.EncodeToString(sum), fileHash))
	}
	return files, nil
}

// token returns the signature as a JSON web token.
func (s SigningKey) token(key material, files []opa.FileInfo) (string, error) {
	header, err := encode(map[string]string{"alg": key.algorithm, "kid": s.ID, "typ": "JWT"})
	if err != nil {
		return "", err
	}
	claims := map[string]any{"files": files, "keyid": s.ID}
	if s.Scope != "" {
		claims["scope"] = s.Scope
	}
	payload, err := encode(claims)
	if err != nil {
		return "", err
	}
	signed := header + "." + payload
	signature, err := key.sign([]byte(signed))
	if err != nil {
		return "", err
	}
	return signed + "." + raw64(signature), nil
}

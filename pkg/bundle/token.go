package bundle

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// A token is the JSON web token of a signature, read and not yet verified.
type token struct {
	text          string
	algorithm, id string
}

// tokenValues bounds the values of a part: each file that is signed has a few.
const tokenValues = 200_000

// readToken reads the file of signatures, which nobody vouches for yet.
func readToken(data []byte) (*token, error) {
	left := tokenValues
	if err := checkJSON(data, &left); err != nil {
		return nil, err
	}
	var file opa.SignaturesConfig
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s; sign again", reason(err))
	}
	if len(file.Signatures) != 1 {
		return nil, fmt.Errorf("it holds %d signatures and must hold one; sign again", len(file.Signatures))
	}
	if file.Plugin != "" && file.Plugin != "_default" {
		return nil, fmt.Errorf("it was made by the plugin %s, and plugins are not supported; sign without one", shown(file.Plugin))
	}
	return decode(file.Signatures[0])
}

// decode reads the parts of a token strictly, so that each signature has one
// spelling.
func decode(text string) (*token, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("the token has not three parts; sign again")
	}
	var header struct {
		Algorithm string          `json:"alg"`
		KeyID     string          `json:"kid"`
		Critical  json.RawMessage `json:"crit"`
	}
	var payload struct {
		KeyID string `json:"keyid"` // as old OPAs name the key
	}
	if err := decodePart("header", parts[0], &header); err != nil {
		return nil, err
	}
	if err := decodePart("payload", parts[1], &payload); err != nil {
		return nil, err
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(parts[2]); err != nil {
		return nil, fmt.Errorf("the signature is not base64url: %w; sign again", err)
	}
	if header.Critical != nil {
		return nil, errors.New("the header demands extensions (crit), and none is supported; sign without")
	}
	if header.KeyID != "" && payload.KeyID != "" && header.KeyID != payload.KeyID {
		return nil, fmt.Errorf("it names two keys, %s and %s; sign again", shown(header.KeyID), shown(payload.KeyID))
	}
	id := header.KeyID
	if id == "" {
		id = payload.KeyID
	}
	return &token{text: text, algorithm: header.Algorithm, id: id}, nil
}

func decodePart(what, text string, value any) error {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return fmt.Errorf("the %s is not base64url: %w; sign again", what, err)
	}
	left := tokenValues
	if err := checkJSON(data, &left); err != nil {
		return fmt.Errorf("the %s: %w", what, err)
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("the %s cannot be read: %s; sign again", what, reason(err))
	}
	return nil
}

// encode returns one part of a token.
func encode(value any) (string, error) {
	data, err := json.Marshal(value)
	return raw64(data), err
}

func raw64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

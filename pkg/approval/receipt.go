package approval

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Claims are what a receipt states. A receipt is a compact JWS (RFC 7515)
// over their JSON, signed with Ed25519 (RFC 8037).
type Claims struct {
	// ID names the receipt: it is good for one use.
	ID string `json:"jti"`
	// Request and Hash say what was approved: see [HashOf].
	Request string `json:"req"`
	Hash    string `json:"hash"`
	// Submitter is who asked, and may use the receipt.
	Submitter string `json:"aud"`
	// Stage and Rule asked, under the policy with this revision.
	Stage    string `json:"stage"`
	Rule     string `json:"rule"`
	Revision string `json:"rev"`
	// Word, Scope, By and Source are those of the decision.
	Word   Word   `json:"decision"`
	Scope  Scope  `json:"scope"`
	By     string `json:"by"`
	Source string `json:"source"`
	// Approvers are all who approved, where several had to; receipts of one have none.
	Approvers []string `json:"approvers,omitempty"`
	// Issued, NotBefore and Expires are seconds since 1970.
	Issued    int64 `json:"iat"`
	NotBefore int64 `json:"nbf"`
	Expires   int64 `json:"exp"`
	// Uses is how often the receipt is good: 1.
	Uses int `json:"uses"`
}

// An Issued is a receipt as the service that gave it knows it.
type Issued struct {
	ID string `json:"id"`
	// Text is the receipt itself.
	Text    string    `json:"receipt"`
	KeyID   string    `json:"key_id"`
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires"`
	// Consumed is when it was used, nil before that.
	Consumed *time.Time `json:"consumed"`
}

// receiptType is the media type of receipts, in the header (RFC 7515, 4.1.9).
const receiptType = "policyctl-receipt+jwt"

// maxReceipt bounds a receipt, in bytes.
const maxReceipt = 16 << 10

// skew is how far the clocks of a service and an executor may differ.
const skew = 60 * time.Second

// header returns the one header that receipts of a key have.
func header(kid string) []byte {
	text, err := json.Marshal(struct {
		Alg string `json:"alg"`
		Kid string `json:"kid"`
		Typ string `json:"typ"`
	}{"EdDSA", kid, receiptType})
	if err != nil {
		panic(err) // strings always have a form
	}
	return text
}

var encoding = base64.RawURLEncoding.Strict()

// sign returns the receipt of claims by the key of an id.
func (c *Claims) sign(ctx context.Context, kid string, key Signer) (string, error) {
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	text := encoding.EncodeToString(header(kid)) + "." + encoding.EncodeToString(payload)
	signature, err := key.Sign(ctx, []byte(text))
	if err != nil {
		return "", fmt.Errorf("the receipt cannot be signed: %w", err)
	}
	return text + "." + encoding.EncodeToString(signature), nil
}

// Verify returns the claims of a receipt that one of the keys has signed and
// that is valid at a time. It looks at no store: whether the receipt was used
// already only the service that gave it knows. The error wraps [ErrReceipt].
func (k Keys) Verify(receipt string, now time.Time) (*Claims, error) {
	c, err := k.open(receipt)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	switch at := now.Unix(); {
	case at < c.NotBefore-int64(skew.Seconds()):
		return nil, fmt.Errorf("%w: it is not valid before %s", ErrReceipt, unix(c.NotBefore))
	case at >= c.Expires+int64(skew.Seconds()):
		return nil, fmt.Errorf("%w: it expired at %s", ErrReceipt, unix(c.Expires))
	}
	return c, nil
}

func unix(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }

// open checks the form and the signature of a receipt. The header must be the
// one that [header] writes, so that no receipt chooses how it is verified.
func (k Keys) open(receipt string) (*Claims, error) {
	if len(receipt) > maxReceipt {
		return nil, fmt.Errorf("it is longer than %d bytes", maxReceipt)
	}
	if strings.ContainsAny(receipt, "\r\n") { // which base64 skips
		return nil, errors.New("it has line ends")
	}
	parts := strings.Split(receipt, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("it has %d parts, not 3", len(parts))
	}
	var raw [3][]byte
	for i, part := range parts {
		var err error
		if raw[i], err = encoding.DecodeString(part); err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	key := k.of(raw[0])
	if key == nil {
		return nil, fmt.Errorf("no pinned key has signed it: its header is %.200q", raw[0])
	}
	if len(raw[2]) != ed25519.SignatureSize || !ed25519.Verify(key.Public, []byte(parts[0]+"."+parts[1]), raw[2]) {
		return nil, fmt.Errorf("the signature is not that of the key %q", key.ID)
	}
	c, err := readClaims(raw[1])
	if err == nil {
		err = key.retired(c)
	}
	return c, err
}

// of returns the key whose receipts have a header, nil for none.
func (k Keys) of(head []byte) *Key {
	for kid, key := range k {
		if len(key.Public) == ed25519.PublicKeySize && bytes.Equal(header(kid), head) {
			key.ID = kid
			return &key
		}
	}
	return nil
}

func readClaims(payload []byte) (*Claims, error) {
	var c Claims
	if err := strictjson.Decode(payload, &c); err != nil {
		return nil, fmt.Errorf("its claims: %w", err)
	}
	if c.Uses != 1 || !c.Word.Approves() || c.ID == "" || c.Request == "" || c.Hash == "" {
		return nil, fmt.Errorf("its claims approve nothing")
	}
	return &c, nil
}

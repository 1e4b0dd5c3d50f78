package auth

import (
	"crypto/sha256"
	"fmt"
	"time"
)

// A Token is what is stored of a token: everything but its secret. The zero
// value is accepted nowhere.
type Token struct {
	ID, Name string
	Scopes   Scope
	Hash     [sha256.Size]byte // of the whole secret
	Created  time.Time
	Expires  time.Time // zero is never
	LastUsed time.Time // zero is never
	Revoked  time.Time // zero is not; any other time is revoked
}

// NewToken makes a token. The secret is shown once and stored nowhere. A name
// that [CheckName] refuses, or no scope, makes a token that is never accepted.
func NewToken(name string, s Scope, expires, now time.Time) (secret string, t Token) {
	id := mintID()
	secret = mint(tokenKind, id)
	return secret, Token{
		ID: id, Name: name, Scopes: s, Hash: sha256.Sum256([]byte(secret)), Created: now, Expires: expires,
	}
}

// Valid reports whether a token may be used.
func (t *Token) Valid(now time.Time) bool {
	return t.Revoked.IsZero() && (t.Expires.IsZero() || now.Before(t.Expires)) &&
		t.Scopes != 0 && CheckName(t.Name) == nil
}

// maxName is the length of the longest name of a token.
const maxName = 64

// CheckName says what is wrong with the name of a token: it is 1 to 64 of the
// letters of ASCII, digits and . _ - @, and begins with a letter or a digit.
// Upper and lower case are the same, so that no name looks like another.
func CheckName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("a name of a token has 1 to %d characters, not %d; choose another", maxName, len(name))
	}
	for i := range len(name) {
		if c := name[i : i+1]; !alphanumeric(c) && (i == 0 || c != "." && c != "_" && c != "-" && c != "@") {
			return fmt.Errorf("the name %q: %q is not allowed at position %d; use letters, digits and . _ - @ behind the first", name, c, i+1)
		}
	}
	return nil
}

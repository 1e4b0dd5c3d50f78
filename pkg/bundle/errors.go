package bundle

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/open-policy-agent/opa/v1/ast"
)

// What a caller may have to tell apart with [errors.Is]. Each error says which
// file and what to do. One that is none of these is a mistake of the caller: a
// key that cannot be read, or no key.
var (
	// ErrUnsigned: a signature is required, and the bundle has none.
	ErrUnsigned = errors.New("bundle is not signed")
	// ErrSignature: the signature does not hold for the key or for the files.
	ErrSignature = errors.New("bundle signature is not valid")
	// ErrExpired: the time that the bundle itself sets is over.
	ErrExpired = errors.New("bundle has expired")
	// ErrReplayed: a bundle with a higher sequence number was seen.
	ErrReplayed = errors.New("bundle is older than one seen before")
	// ErrMalformed: the archive or a file in it is not what it should be.
	ErrMalformed = errors.New("malformed bundle")
	// ErrTooLarge: one of the [Limits] is passed.
	ErrTooLarge = errors.New("bundle is too large")
)

// malformed returns an error about one file of an archive.
func malformed(name, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %w", ErrMalformed, shown(name), fmt.Errorf(format, args...))
}

// unproved returns an error about a signature.
func unproved(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %w", ErrSignature, signaturesFile, fmt.Errorf(format, args...))
}

// longestReason bounds in bytes what is repeated of an error of OPA.
const longestReason = 500

// reason returns what OPA says against a bundle, without the source that it
// quotes: nobody vouches for that, and it may be long or speak to a terminal.
func reason(err error) string {
	text := err.Error()
	var problems ast.Errors
	if errors.As(err, &problems) && len(problems) > 0 && problems[0].Location != nil {
		p := problems[0]
		text = fmt.Sprintf("%s:%d:%d: %s: %s", p.Location.File, p.Location.Row, p.Location.Col, p.Code, p.Message)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	if len(text) > longestReason {
		text = strings.ToValidUTF8(text[:longestReason], "") + "..."
	}
	return text
}

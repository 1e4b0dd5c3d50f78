package auth

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
)

// A Scope is a set of what an identity may do. The zero value is nothing.
type Scope uint8

// The scopes. Admin manages tokens and rules and can read; it neither submits
// nor approves.
const (
	Submit  Scope = 1 << iota // ask for approval, and wait for the answer
	Approve                   // decide
	Read                      // see requests, rules and the audit log
	Admin                     // manage tokens and rules
	Record                    // put decisions of hooks and programs on record
	Prove                     // vouch for the contract of a program, beside Submit
)

// scopeNames are the names of the scopes, in the order of their bits.
var scopeNames = []string{"submit", "approve", "read", "admin", "record", "prove"}

// Has reports whether the set holds all of want. Admin holds read. To want
// nothing is a mistake, and the answer is no.
func (s Scope) Has(want Scope) bool { return want != 0 && s.held()&want == want }

// HasAny reports whether the set holds one of want or more.
func (s Scope) HasAny(want Scope) bool { return s.held()&want != 0 }

// held returns the set with what its scopes hold.
func (s Scope) held() Scope {
	if s&Admin != 0 {
		s |= Read
	}
	return s
}

// Names returns the names of the scopes, in the order of the constants; none
// is an empty list.
func (s Scope) Names() []string {
	names := []string{}
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String lists the scopes as [ParseScope] reads them; the empty set is "none".
func (s Scope) String() string { return cmp.Or(strings.Join(s.Names(), ","), "none") }

// ParseScope reads a list such as "submit,read", with blanks behind a comma. Nothing and
// what is unknown are errors.
func ParseScope(text string) (Scope, error) {
	var s Scope
	for i, name := range strings.Split(text, ",") {
		if i > 0 {
			name = strings.TrimLeft(name, " ")
		}
		bit, err := scopeOf(name)
		if err != nil {
			return 0, err
		}
		s |= bit
	}
	return s, nil
}

func scopeOf(name string) (Scope, error) {
	for i, known := range scopeNames {
		if name == known {
			return 1 << i, nil
		}
	}
	err := fmt.Errorf("unknown scope %q: one of %s", name, strings.Join(scopeNames, ", "))
	if near := spelling.Nearest(name, scopeNames); near != "" {
		err = fmt.Errorf("unknown scope %q: did you mean %q?", name, near)
	}
	return 0, err
}

// MarshalText implements [encoding.TextMarshaler].
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Scope) UnmarshalText(text []byte) error {
	parsed, err := ParseScope(string(text))
	*s = parsed
	return err
}

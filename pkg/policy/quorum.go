package policy

import (
	"fmt"
	"slices"
	"strings"
)

// MaxApprovers bounds the names of whom several must approve.
const MaxApprovers = 100

// maxPerson is the length of the longest name of a person.
const maxPerson = 64

// Approvers returns the names in the approver of [AskTerms]: commas separate them,
// and blanks around them do not count.
func Approvers(approver string) (names []string) {
	for name := range strings.SplitSeq(approver, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// CheckQuorum says why so many people cannot be asked for: fewer than one, more than
// there are names, a name that is no person's or one that stands there twice.
func CheckQuorum(quorum int, names []string) error {
	switch {
	case quorum < 1:
		return fmt.Errorf("%d people cannot approve: give a number from 1", quorum)
	case len(names) > MaxApprovers:
		return fmt.Errorf("there are %d names: give at most %d", len(names), MaxApprovers)
	case quorum > len(names):
		return fmt.Errorf("%d must approve, and %s: give a lower number, or more names", quorum, named(len(names)))
	}
	for i, name := range names {
		if err := CheckPerson(name); err != nil {
			return err
		}
		if SamePerson(names[:i], name) {
			return fmt.Errorf("%q stands there twice, and has one vote: remove one of them", name)
		}
	}
	return nil
}

func named(n int) string {
	switch n {
	case 0:
		return "nobody is named"
	case 1:
		return "one is named"
	}
	return fmt.Sprintf("%d are named", n)
}

// CheckPerson says why a name is none of a person who votes: those are of 1 to 64
// letters of ASCII, digits and . _ - @, and begin with a letter or a digit, so that
// no name looks like another.
func CheckPerson(name string) error {
	if name == "" || len(name) > maxPerson {
		return fmt.Errorf("a name of a person has 1 to %d characters, not %d", maxPerson, len(name))
	}
	for i, r := range name {
		if !alphanumeric(r) && (i == 0 || !strings.ContainsRune("._-@", r)) {
			return fmt.Errorf("the name %+q of a person has %+q: use letters of ASCII, digits and . _ - @ behind the first", name, r)
		}
	}
	return nil
}

func alphanumeric(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// SamePerson reports whether a name is one of a list. Case does not count.
func SamePerson(names []string, name string) bool {
	return slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(other, name) })
}

// silent returns what silence means under the terms: where several people must
// approve it denies.
func (t *AskTerms) silent() Decision {
	if t.Quorum > 1 || slices.ContainsFunc(t.Also, func(g Group) bool { return g.Quorum > 1 }) {
		return Deny
	}
	return t.OnTimeout
}

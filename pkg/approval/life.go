package approval

import (
	"fmt"
	"time"
)

// A Life is how long what an approval stores holds; zero is for good. In JSON
// it is a Go duration such as "2h".
type Life time.Duration

// StoredFor is how long what a person stores at a prompt holds, unless they say otherwise.
const StoredFor = Life(8 * time.Hour)

// MinLife and MaxLife bound a life that ends.
const (
	MinLife = time.Minute
	MaxLife = 10 * 365 * 24 * time.Hour
)

// MarshalText encodes the life as a Go duration.
func (l Life) MarshalText() ([]byte, error) { return []byte(time.Duration(l).String()), nil }

// UnmarshalText accepts a Go duration that is not negative.
func (l *Life) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration: write 30m or 2h", text)
	}
	*l = Life(d)
	return nil
}

// checkLife refuses an end of what has none, and one that nobody means.
func (a Answer) checkLife() error {
	switch life := time.Duration(a.For); {
	case life == 0:
		return nil
	case !a.Word.stores(a.Scope):
		return &Invalid{"for: only approved_remember, and rejected with a scope, store something that can end"}
	case life < MinLife || life > MaxLife:
		return &Invalid{fmt.Sprintf("for: must be between %s and %s", MinLife, MaxLife)}
	}
	return nil
}

// maxUses bounds the calls that what an approval stores may count.
const maxUses = 100

// checkUses refuses a number of uses of what has none.
func (a Answer) checkUses() error {
	switch {
	case a.Uses == 0:
		return nil
	case a.Word != ApprovedRemember:
		return &Invalid{"uses: only approved_remember stores something that counts its uses"}
	case a.Uses < 0 || a.Uses > maxUses:
		return &Invalid{fmt.Sprintf("uses: must be between 1 and %d", maxUses)}
	}
	return nil
}

package console

import (
	"fmt"
	"time"
)

// OrNull returns nil for the empty string.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OrNone returns a text, "none" for the empty one.
func OrNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// TimeOr returns a time in RFC 3339, or another text where there is none.
func TimeOr(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.Format(time.RFC3339)
}

// ShownOr returns a text, or another where there is none.
func ShownOr(s *string, none string) string {
	if s == nil {
		return none
	}
	return *s
}

// Labelled returns a row of a page whose names are as wide as those of rules.
func Labelled(name, value string) []string { return []string{fmt.Sprintf("%-9s", name), value} }

// DateOr returns a time to the minute, or another text where there is none.
func DateOr(t *time.Time, otherwise string) string {
	if t == nil {
		return otherwise
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// OrNever returns a time to the second, nil for the zero time.
func OrNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// Count returns a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

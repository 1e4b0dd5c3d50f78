package console

import (
	"strconv"
	"strings"
	"time"
)

// Ending returns the instant that --expires means, zero for none.
func Ending(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	end, ok := Instant(text)
	if ahead, is := span(text); is {
		end, ok = now.Add(ahead), true
	}
	switch {
	case !ok:
		return end, Usagef("--expires %s is not a date: write 90d, 2160h, 2027-01-31 or 2027-01-31T12:00:00Z", text)
	case !end.After(now):
		return end, Usagef("--expires %s is over already: give a later time", text)
	}
	return end, nil
}

// Instant reads a time in RFC 3339, or the beginning of a day in UTC.
func Instant(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && !t.IsZero() {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// Since returns the instant from which --since looks, zero for none.
func Since(text string, now time.Time) (time.Time, error) { return past("since", text, now) }

// Before returns the instant before which --before looks, zero for none.
func Before(text string, now time.Time) (time.Time, error) { return past("before", text, now) }

func past(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, ok := Instant(text); ok {
		return at, nil
	}
	if back, ok := span(text); ok {
		return now.Add(-back), nil
	}
	return time.Time{}, Usagef("--%s %s is not a date: write 7d, 24h, 2027-01-31 or 2027-01-31T12:00:00Z", flag, text)
}

// span reads a number of days or hours.
func span(text string) (time.Duration, bool) {
	for unit, hours := range map[string]time.Duration{"d": 24, "h": 1} {
		number, is := strings.CutSuffix(text, unit)
		if n, err := strconv.ParseUint(number, 10, 20); is && err == nil {
			return time.Duration(n) * hours * time.Hour, true
		}
	}
	return 0, false
}

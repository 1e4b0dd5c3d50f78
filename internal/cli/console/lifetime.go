package console

import (
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// Forever and Today are lifetimes beside durations.
const (
	Forever = "always"
	Today   = "today"
)

// StoredFor is how long what a person stores by approving a request holds, unless
// they say otherwise.
const StoredFor = "8h"

// Lifetime returns how long --for says that an approval lasts at a time: zero for
// always. Today ends with the local day, or with the next minute.
func Lifetime(text string, now time.Time) (time.Duration, error) {
	switch text {
	case Forever:
		return 0, nil
	case Today:
		year, month, day := now.Date()
		left := time.Date(year, month, day+1, 0, 0, 0, 0, now.Location()).Sub(now)
		return max(left.Truncate(time.Second), approval.MinLife), nil
	}
	life, err := time.ParseDuration(text)
	if days, is := strings.CutSuffix(text, "d"); is {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 12)
		life = time.Duration(n) * 24 * time.Hour
	}
	switch {
	case text == "":
		return 0, Usagef("--for is empty: write 30m, 8h, 7d, today or always")
	case err != nil:
		return 0, Usagef("--for %s is not a duration: write 30m, 8h, 7d, today or always", text)
	case life < approval.MinLife:
		return 0, Usagef("--for %s is too short: an approval lasts at least a minute", text)
	case life > approval.MaxLife:
		return 0, Usagef("--for %s is too long: write always to approve without an end", text)
	}
	return life.Truncate(time.Second), nil
}

// Left says in a few words how long something lasts that ends, or does not if the end
// is zero.
func Left(end, now time.Time) string {
	left := end.Sub(now).Round(time.Minute)
	switch {
	case end.IsZero():
		return "no end"
	case left < time.Minute:
		return "under 1 min"
	case left < 2*time.Hour:
		return strconv.Itoa(int(left.Minutes())) + " min"
	case left < 48*time.Hour:
		return strconv.Itoa(int(left.Round(time.Hour).Hours())) + " h"
	}
	return strconv.Itoa(int(left.Hours()/24)) + " days"
}

package console

import (
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// Lifetime returns how long --for says that an approval lasts, zero where it is
// not given.
func Lifetime(text string, given bool) (time.Duration, error) {
	if !given {
		return 0, nil
	}
	life, err := time.ParseDuration(text)
	if days, is := strings.CutSuffix(text, "d"); is {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 12)
		life = time.Duration(n) * 24 * time.Hour
	}
	switch {
	case err != nil:
		return 0, Usagef("--for %s is not a duration: write 30m, 2h or 7d", text)
	case life < approval.MinLife:
		return 0, Usagef("--for %s is too short: an approval lasts a minute at least", text)
	case life > approval.MaxLife:
		return 0, Usagef("--for %s is too long: leave it out to approve without an end", text)
	}
	return life.Truncate(time.Second), nil
}

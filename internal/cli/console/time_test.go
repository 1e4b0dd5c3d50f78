package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// The end of a bundle is strict: what could be meant in two ways is no time.
func TestEnding(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, row := range [][2]string{
		{"2026-05-01T12:00:00Z", "90d"}, {"2026-02-01T12:00:00Z", "24h"}, {"2027-01-31T00:00:00Z", "2027-01-31"},
		{"2027-01-31T10:00:00Z", "2027-01-31T12:00:00+02:00"}, {"0001-01-01T00:00:00Z", ""},
		{"is not a date", "3m"}, {"is not a date", "90"}, {"is not a date", "d"}, {"is not a date", "-1d"}, {"is not a date", "1.5d"}, {"is not a date", "1d12h"},
		{"is not a date", "99999999d"}, {"is not a date", "31.01.2027"}, {"is not a date", "2027-02-30"}, {"is not a date", "90d "},
		{"is over already", "0d"}, {"is over already", "2026-01-31"}, {"is over already", "2026-01-31T12:00:00Z"},
	} {
		end, err := console.Ending(row[1], now)
		got := end.Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, row[0]) {
			t.Errorf("%q: %s, want %s", row[1], got, row[0])
		}
	}
}

package console_test

import (
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/approval"
)

func TestLifetime(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	for _, row := range []struct {
		text string
		now  time.Time
		want time.Duration
	}{
		{"30m", time.Time{}, 30 * time.Minute},
		{console.StoredFor, time.Time{}, time.Duration(approval.StoredFor)},
		{"7d", time.Time{}, 7 * 24 * time.Hour},
		{"always", time.Time{}, 0},
		{"today", time.Date(2026, 5, 1, 20, 30, 0, 0, zone), 3*time.Hour + 30*time.Minute},
		{"today", time.Date(2026, 12, 31, 23, 59, 50, 0, zone), time.Minute},
	} {
		if got, err := console.Lifetime(row.text, row.now); err != nil || got != row.want {
			t.Errorf("%s: %v %v", row.text, got, err)
		}
	}
	for _, text := range []string{"", "soon", "5s", "-2h", "4000d", "tomorrow"} {
		if got, err := console.Lifetime(text, time.Time{}); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestLeft(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for left, want := range map[time.Duration]string{
		10 * time.Second: "under 1 min", 30 * time.Second: "1 min", 90 * time.Minute: "90 min", 8*time.Hour - time.Second: "8 h",
		47 * time.Hour: "47 h", 7 * 24 * time.Hour: "7 days", 7*24*time.Hour - time.Minute: "6 days",
	} {
		if got := console.Left(now.Add(left), now); got != want {
			t.Errorf("%v: %s, want %s", left, got, want)
		}
	}
	if got := console.Left(time.Time{}, now); got != "no end" {
		t.Error(got)
	}
}

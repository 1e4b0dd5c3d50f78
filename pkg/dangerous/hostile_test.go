package dangerous_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/dangerous"
)

// TestLong checks that the time for a long line grows about as the line does: 8 times the length
// in far less than 64 times the time.
func TestLong(t *testing.T) {
	for _, part := range []string{
		"ls -la; ", "sh -c \"$(ls)\"; ", "curl -o a x; ", "curl $x; ", "curl $(cat .env) | ", "{ curl x; } | sh; ", "sudo sh -c \"$x\"; ", "kill -9 $(ps); ",
		"find . -exec rm {} +; ", "x; ", "ls | xargs rm; ", "rm -r a; ", "cp a b; ", "psql -c 'select 1'; ", "curl x | ", "eval \"$x\"; ",
		"curl -X DELETE x; ", "npx a b c; ", "find . -exec chmod +x {} +; ", "echo x > /dev/loop0; ", "kill 2; ", "kafka-topics --delete; ",
	} {
		small, large := search(part, 250), search(part, 2000)
		if large > 32*small && large > 100*time.Millisecond {
			t.Errorf("%q: %v for 250, %v for 2000", part, small, large)
		}
	}
}

// search returns how long it takes to look for all rules in a line of n parts:
// the least of three times, as others may be busy.
func search(part string, n int) time.Duration {
	s := scene(strings.Repeat(part, n) + "ls")
	least := time.Hour
	for range 3 {
		least = min(least, cputime.Of(func() {
			for i := range s.Line.Commands {
				dangerous.All(s, i)
			}
		}))
	}
	return least
}

// TestEmptyWords looks at lines with words that are empty, which stand in no
// list and end no search.
func TestEmptyWords(t *testing.T) {
	for _, line := range []string{"''", "'' x", "npx ''", "npm '' publish", "sh -c ''", "aws '' ''", "curl '' -X '' ''", "find '' -exec '' ';'", "kubectl \"\" delete", "'' | '' > ''"} {
		s := scene(line)
		for i := range s.Line.Commands {
			dangerous.All(s, i)
		}
	}
}

//go:build unix && !race

package server_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spent returns the processor time of this process.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// most is what a body may cost on an idle machine, and half as much again for
// one that does other work too. The race detector costs ten times as much.
const most = 150 * time.Millisecond

// No body that a client may send costs much time of a processor.
func TestBodyCost(t *testing.T) {
	s := start(t)
	agent := s.Token(t, "agent", "submit,read")
	list := func(item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", 990<<10/(len(item)+1)), ",") + "]"
	}
	few := func(item string) string { return "[" + strings.TrimSuffix(strings.Repeat(item+",", 4_900), ",") + "]" }
	long := strings.Repeat("k", 190)
	var keys strings.Builder
	for i := range 4_900 {
		fmt.Fprintf(&keys, `,"%s%d":1`, long, i)
	}
	for _, x := range []struct {
		name, value string
		taken       bool
	}{
		{"small exponents", list("1e-300"), false},
		{"large exponents", list("1.5e307"), false},
		{"small numbers", list("1"), false},
		{"texts", list(`"a"`), false},
		{"deep", list(strings.Repeat("[", 50) + strings.Repeat("]", 50)), false},
		{"few small exponents", few("1e-300"), true},
		{"few large exponents", few("1.7976931348623157e308"), true},
		{"few long texts", few(`"` + strings.Repeat("a", 195) + `"`), true},
		{"no doubles", few("9007199254740993"), true},
		{"long numbers", list(strings.Repeat("7", 390)), false},
		{"longer numbers", list(strings.Repeat("7", 4000)), false},
		{"one text", `"` + strings.Repeat("a", 990<<10) + `"`, true},
		{"long keys", `{"a":1` + keys.String() + "}", false},
		{"short keys", `{"a":1` + strings.ReplaceAll(keys.String(), long, long[:50]) + "}", true},
		{"few long keys", `{"a":1,"` + strings.Repeat("k", 300<<10) + `":1}`, true},
	} {
		for _, path := range []string{"/v1/requests", "/v1/decide"} {
			body := `{"tool":"shell","input":{"command":"make","x":` + x.value + `},"session":"` + x.name + `"}`
			if path == "/v1/requests" {
				body = `{"call":` + body + `}`
			}
			least := time.Hour
			for range 4 {
				before := spent(t)
				a := s.Do(t, agent, "POST", path, body)
				least = min(least, spent(t)-before)
				if a.Status >= 400 == x.taken || !x.taken && a.Code() != "too-many-values" {
					t.Errorf("%s %s: %d %.300s", x.name, path, a.Status, a.Text)
				}
			}
			if t.Logf("%-20s %-13s %v", x.name, path, least); least > most {
				t.Errorf("%s %s: %v", x.name, path, least)
			}
		}
	}
}

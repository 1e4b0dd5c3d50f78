package console

import "testing"

func TestWantsColour(t *testing.T) {
	rows := []struct {
		want          bool
		noColor, term string
	}{
		{true, "", "xterm"},
		{true, "", ""},
		{false, "1", "xterm"},
		{false, "", "dumb"},
	}
	for _, r := range rows {
		env := map[string]string{"NO_COLOR": r.noColor, "TERM": r.term}
		if got := wantsColour(func(name string) string { return env[name] }); got != r.want {
			t.Errorf("NO_COLOR=%q TERM=%q: got %v", r.noColor, r.term, got)
		}
	}
}

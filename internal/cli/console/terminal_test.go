package console

import (
	"bytes"
	"testing"
)

func TestWantsColour(t *testing.T) {
	for _, r := range []struct {
		flag string
		env  map[string]string
		want bool
	}{
		{"", nil, false}, // no terminal
		{Auto, map[string]string{"TERM": "xterm"}, false},
		{Always, nil, true},
		{Always, map[string]string{"NO_COLOR": "1"}, true},
		{Never, map[string]string{"CLICOLOR_FORCE": "1"}, false},
		{Auto, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{Auto, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{Auto, map[string]string{"CLICOLOR_FORCE": "0"}, false},
	} {
		p := &Process{Colour: r.flag, Stdout: &bytes.Buffer{}, Getenv: func(name string) string { return r.env[name] }}
		if got := p.wantsColour(); got != r.want {
			t.Errorf("--color=%s with %v: got %v", r.flag, r.env, got)
		}
	}
}

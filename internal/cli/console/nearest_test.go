package console_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/cli/console"
)

func TestNearest(t *testing.T) {
	names := []string{"eval", "explain", "stages", "json", "jsonl"}
	for in, want := range map[string]string{
		"evl": "eval", "EVAL": "eval", "exp": "explain", "stage": "stages", "jsn": "json", "jsonll": "jsonl", "aevl": "", "eavl": "eval", "explian": "explain", "rm": "",
		"frobnicate": "", "e": "", "": "", "xy": "",
	} {
		if got := console.Nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

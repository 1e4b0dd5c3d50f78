package doom_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/doom"
)

func TestKeyOf(t *testing.T) {
	calls := []struct{ agent, tool, dir, args string }{
		{"", "", "", ""},
		{"a", "", "", ""},
		{"", "a", "", ""},
		{"", "", "a", ""},
		{"", "", "", "a"},
		{"ab", "c", "", ""},
		{"a", "bc", "", ""},
		{"a", "b", "c", ""},
		{"a", "b", "", "c"},
		{"a", "", "b", "c"},
		{"", "a", "b", "c"},
		{"a\x00\x00\x00\x00\x00\x00\x00\x01b", "", "", ""},
		{"a", "b\x00\x00\x00\x00\x00\x00\x00\x00", "", ""},
	}
	seen := map[doom.Key]int{}
	for i, c := range calls {
		k := doom.KeyOf(c.agent, c.tool, c.dir, []byte(c.args))
		if first, ok := seen[k]; ok {
			t.Errorf("%q and %q have one key", calls[first], c)
		}
		if k != doom.KeyOf(c.agent, c.tool, c.dir, bytes.Clone([]byte(c.args))) {
			t.Errorf("%q has two keys", c)
		}
		seen[k] = i
	}
}

// The definition: each field after its length, as eight bytes.
func TestKeyOfLongFields(t *testing.T) {
	for _, n := range []int{127, 128, 129, 256, 1000} {
		dir := strings.Repeat("d", n)
		plain := "\x00\x00\x00\x00\x00\x00\x00\x01a" + "\x00\x00\x00\x00\x00\x00\x00\x01t" +
			string(binary.BigEndian.AppendUint64(nil, uint64(n))) + dir + "\x00\x00\x00\x00\x00\x00\x00\x02{}"
		if doom.KeyOf("a", "t", dir, []byte("{}")) != sha256.Sum256([]byte(plain)) {
			t.Errorf("a directory of %d bytes has another key", n)
		}
	}
}

func BenchmarkKeyOf(b *testing.B) {
	args := []byte(`{"command":"go test ./..."}`)
	b.ReportAllocs()
	for b.Loop() {
		doom.KeyOf("claude", "shell", "/home/user/project", args)
	}
}

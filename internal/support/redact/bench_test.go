package redact

import "testing"

const plainCommand = `cd /home/dev/project && go test ./internal/service/server/... -run 'TestRateLimiter|TestAuth' -count=1 -v 2>&1 | grep -E "FAIL|ok" | head -40 && git log --oneline -5 -- internal/service/server/middleware.go pkg/`

func TestNothingFoundAllocatesNothing(t *testing.T) {
	for _, text := range []string{plainCommand, "MAX_TOKENS=4096 Token: x", "export TOKEN=$TOKEN; curl -u $U:$P https://h:80/", "Authorization: Bearer $TOKEN"} {
		if n := testing.AllocsPerRun(100, func() { Text(text) }); n != 0 {
			t.Errorf("%v allocations for %q", n, text)
		}
	}
}

func BenchmarkText(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(plainCommand)))
		for b.Loop() {
			Text(plainCommand)
		}
	})
	secret := plainCommand + fill(" PASSWORD=hunter2 ghp_{w36}")
	b.Run("secret", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Text(secret)
		}
	})
}

func BenchmarkValue(b *testing.B) {
	v := map[string]any{"tool": "shell", "input": map[string]any{"command": plainCommand}, "dir": "/home/dev/project"}
	b.ReportAllocs()
	for b.Loop() {
		Value(v)
	}
}

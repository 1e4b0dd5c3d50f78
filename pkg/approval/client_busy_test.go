package approval

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Who answers many requests at once is kept waiting, and never told that it
// was too often. What is no matter of time is told.
func TestClientBusy(t *testing.T) {
	var asked, busy int
	var code, after string
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(text))
		if asked++; asked <= busy {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			w.WriteHeader(http.StatusTooManyRequests)
			_ = json.NewEncoder(w).Encode(map[string]string{"code": code, "detail": "too often"})
			return
		}
		_, _ = w.Write([]byte(`{"id":"r"}`))
	}))
	defer s.Close()
	c, err := NewClient(s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		busy, asked int
		code, after string
		ok          bool
	}{
		"at once":             {0, 1, "", "", true},
		"busy":                {3, 4, "too-often", "0", true},
		"too long":            {99, maxTries, "too-often", "0", false},
		"no time is said":     {3, 1, "too-often", "", false},
		"nonsense is said":    {3, 1, "too-often", "-1", false},
		"too many that stand": {3, 1, "too-many-pending", "0", false},
	} {
		asked, busy, code, after, bodies = 0, row.busy, row.code, row.after, nil
		r, err := c.Decide(t.Context(), "r", once)
		if row.ok != (err == nil) || row.ok && r.ID != "r" || asked != row.asked || bodies[0] != bodies[len(bodies)-1] || bodies[0] == "" {
			t.Errorf("%s: asked %d times, %v, %q", name, asked, err, bodies)
		}
	}
	asked, busy, code, after = 0, 99, "", "5"
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	var said *ServiceError
	if _, err := c.Decide(ctx, "r", once); asked != 1 || !errors.As(err, &said) || said.Status != http.StatusTooManyRequests {
		t.Errorf("the context ends: asked %d times, %v", asked, err)
	}
}

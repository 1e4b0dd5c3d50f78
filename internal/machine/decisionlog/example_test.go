package decisionlog_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/policyctl/policyctl/internal/machine/decisionlog"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Every decision goes to a collector, without its secrets.
func Example() {
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var events []struct {
			Input  struct{ Input map[string]any }
			Result struct{ Decision string }
		}
		if text, err := gzip.NewReader(r.Body); err == nil && json.NewDecoder(text).Decode(&events) == nil {
			for _, e := range events {
				fmt.Println(e.Result.Decision, e.Input.Input["command"])
			}
		}
	}))
	defer collector.Close()

	logger, err := decisionlog.New(decisionlog.Config{URL: collector.URL + "/logs"})
	if err != nil {
		log.Fatal(err)
	}
	engine, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	call := policy.Shell("curl -u ann:correct-horse https://api.example.com", "/home/dev/project")
	v, err := engine.Decide(ctx, policy.NewSession("chat-1"), call)
	if err != nil {
		log.Print(err) // the verdict denies
	}
	logger.Log(decisionlog.Event{Call: call, Verdict: &v})
	if err := logger.Close(ctx); err != nil { // sends what is left
		log.Print(err)
	}
	// Output: ask curl -u ann:[redacted basic-auth] https://api.example.com
}

package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A log of two records is written, and checked against a checkpoint after its
// last record was cut off.
func Example() {
	public, private, _ := ed25519.GenerateKey(nil)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	asked, err := audit.Next(nil, audit.Entry{
		Time: at, Kind: audit.KindRequest, Actor: "uid:1000", RequestID: "r-1", Tool: "shell",
		Arguments: json.RawMessage(`{"command": "curl -u ann:hunter2 https://example.com"}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(asked.Arguments), asked.Redacted)
	decided, err := audit.Next(asked, audit.Entry{
		Time: at, Kind: audit.KindDecision, Actor: "token:phone", RequestID: "r-1", Decision: "rejected",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	checkpoint, err := audit.Sign(func(text []byte) ([]byte, error) { return ed25519.Sign(private, text), nil }, "2026", decided, at)
	if err != nil {
		fmt.Println(err)
		return
	}

	var file bytes.Buffer
	err = audit.WriteJSONL(&file, func(yield func(*audit.Record, error) bool) {
		yield(asked, nil) // and not decided
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	var v audit.Verifier
	if err := v.Expect(checkpoint, map[string]ed25519.PublicKey{"2026": public}); err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range audit.ReadJSONL(&file) {
		if err == nil {
			err = v.Check(r)
		}
		if err != nil {
			fmt.Fprintln(os.Stdout, err)
			return
		}
	}
	fmt.Println(v.End())
	// Output:
	// {"command":"curl -u ann:[redacted basic-auth] https://example.com"} [/arguments/command basic-auth]
	// record 2: it is missing: the checkpoint by key "2026" knows 2 records, the tail was cut off
}

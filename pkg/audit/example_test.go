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

// A part of a log is checked from the last checkpoint on, whose records before
// it are kept elsewhere or are checked already.
func ExampleVerifier_Resume() {
	public, private, _ := ed25519.GenerateKey(nil)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var log []*audit.Record
	for range 3 {
		var last *audit.Record
		if len(log) > 0 {
			last = log[len(log)-1]
		}
		r, err := audit.Next(last, audit.Entry{Time: at, Kind: audit.KindRequest, Actor: "uid:1000", RequestID: "r-1", Tool: "shell"})
		if err != nil {
			fmt.Println(err)
			return
		}
		log = append(log, r)
	}
	sign := func(text []byte) ([]byte, error) { return ed25519.Sign(private, text), nil }
	checkpoint, err := audit.Sign(sign, "2026", log[1], at)
	if err != nil {
		fmt.Println(err)
		return
	}

	keys := map[string]ed25519.PublicKey{"2026": public}
	var v audit.Verifier
	if err := v.Resume(checkpoint, keys); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Check(log[2]), v.End())

	// Who only keeps checkpoints asks whether one is signed by a key that is
	// trusted still.
	fmt.Println(checkpoint.Verify(map[string]ed25519.PublicKey{"2027": public}))
	// Output:
	// <nil> <nil>
	// checkpoint of record 2: no Ed25519 key with the id "2026" is trusted, only [2027]: give its public key
}

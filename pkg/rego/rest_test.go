package rego

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// The same rules asked of an OPA server over the loopback.
func BenchmarkREST(b *testing.B) {
	opa, err := exec.LookPath("opa")
	if err != nil {
		b.Skip("opa is not installed")
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, record := indexed(b, n)
			url := serve(b, opa, set)
			body, err := json.Marshal(map[string]any{"input": map[string]any{"record": record}})
			must(b, err)
			for b.Loop() {
				resp, err := http.Post(url+"/v1/data/policyctl/rules/verdict", "application/json", bytes.NewReader(body))
				must(b, err)
				var got struct{ Result struct{ Rule string } }
				must(b, json.NewDecoder(resp.Body).Decode(&got))
				_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is used again
				resp.Body.Close()
				if got.Result.Rule == "" {
					b.Fatal("no rule matches")
				}
			}
		})
	}
}

// serve starts an OPA server with the rules of a set.
func serve(b *testing.B, opa string, set *pattern.Set) (url string) {
	b.Helper()
	c, err := Compile(set)
	must(b, err)
	module := filepath.Join(b.TempDir(), "rules.rego")
	must(b, os.WriteFile(module, []byte(c.Source), 0o600))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	address := listener.Addr().String()
	listener.Close()
	cmd := exec.Command(opa, "run", "--server", "--log-level", "error", "--addr", address, module)
	must(b, cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Kill() // it may be gone
		_ = cmd.Wait()
	})
	for range 300 {
		if resp, err := http.Get("http://" + address + "/health"); err == nil {
			resp.Body.Close()
			return "http://" + address
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatal("opa does not listen")
	return ""
}

//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// TestMock starts the service as a person does, asks it, and stops it.
func TestMock(t *testing.T) {
	config := filepath.Join(t.TempDir(), "decision.json")
	if err := os.WriteFile(config, []byte(`{"feedback": "fine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		out, in := io.Pipe()
		var stderr strings.Builder
		ended := make(chan int, 1)
		go func() {
			ended <- cli.Run(context.Background(), console.Process{
				Args:   []string{"mock-approval-service", "--config", config, "--port", "0"},
				Stdout: in, Stderr: &stderr,
			})
		}()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "CLAUZ3_APPROVAL_SERVICE=")
		if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
			t.Fatalf("the first line is %q", line)
		}
		res, err := http.Post(url+"/requests", "application/json", strings.NewReader(`{"request_id":"clr_1"}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		want := `{"decision":"approved_once","receipt":"mock-clr_1","feedback":"fine","request_id":"clr_1"}` + "\n"
		if string(body) != want {
			t.Errorf("answer %s, want %s", body, want)
		}
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
		select {
		case code := <-ended:
			if code != 0 || stderr.String() != "" {
				t.Errorf("%v: exit code %d, stderr %q", signal, code, stderr.String())
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%v did not end it", signal)
		}
	}
}

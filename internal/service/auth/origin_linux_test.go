package auth

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAsker is no test but the program that asks in the others: it asks an
// address, or has another program of its own do so.
func TestAsker(t *testing.T) {
	address, depth := os.Getenv("ASK"), os.Getenv("DEPTH")
	if address == "" {
		t.Skip("not started by another test")
	}
	if depth != "" {
		cmd := asker(address, "worker", depth[1:])
		out, err := cmd.CombinedOutput()
		fmt.Printf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	network, at, _ := strings.Cut(address, ":")
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return net.Dial(network, at) }}}
	resp, err := client.Get("http://service/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	fmt.Printf("answer=%s.\n", text)
}

func asker(address, name, depth string) *exec.Cmd {
	self, _ := os.Executable()
	cmd := exec.Command(self, "-test.run=^TestAsker$")
	cmd.Args[0] = name
	cmd.Env = append(os.Environ(), "ASK="+address, "DEPTH="+depth)
	return cmd
}

// What a program of an agent asks is told from what others ask, over the socket
// and over the loopback, at any depth.
func TestAgentOf(t *testing.T) {
	a := (&Authenticator{}).Below([]string{"claude", "codex"})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, a.AgentOf(r.Context())) })
	for _, network := range []string{"tcp", "unix"} {
		s := httptest.NewUnstartedServer(handler)
		if network == "unix" {
			dir, err := os.MkdirTemp("", "s")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			s.Listener.Close()
			if s.Listener, err = net.Listen("unix", filepath.Join(dir, "s")); err != nil {
				t.Fatal(err)
			}
		}
		s.Config.ConnContext = PeerConn
		s.Start()
		t.Cleanup(s.Close)
		address := network + ":" + s.Listener.Addr().String()
		for _, row := range []struct{ name, depth, want string }{
			{"claude", "", "claude"}, {"/usr/local/bin/codex", "x", "codex"}, {"claude", "xx", "claude"},
			{"bash", "", ""}, {"bash", "x", ""}, {"claudette", "", ""}, {"/home/dev/codex/run", "", ""},
		} {
			out, err := asker(address, row.name, row.depth).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "answer="+row.want+".") {
				t.Errorf("%s %s %q: %s %v, want %q", network, row.name, row.depth, out, err, row.want)
			}
		}
	}
}

// The first process counts too: in a container it may be the agent.
func TestFirstProcess(t *testing.T) {
	words, _, _ := lookProcess(1)
	for _, word := range words[:min(len(words), 1)] {
		agents := []string{filepath.Base(word)}
		ctx := context.WithValue(t.Context(), originKey{}, func() int { return 1 })
		if got, want := agentOf(ctx, agents), agentIn(words, agents); got != want || want == "" {
			t.Errorf("%q descends from %q, want %q", words, got, want)
		}
	}
	nobody := context.WithValue(t.Context(), originKey{}, func() int { return 0 })
	if got := agentOf(nobody, []string{"claude"}); got != "" {
		t.Errorf("an unknown process descends from %q", got)
	}
}

func TestAgentIn(t *testing.T) {
	agents := []string{"claude", "codex", "qwen"}
	for line, want := range map[string]string{
		"claude": "claude", "/opt/codex --yolo": "codex", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js": "claude",
		"node /x/node_modules/.bin/qwen": "qwen", "/x/codex.exe": "codex", "node --max-old /x/claude": "", "node --require=/x/claude": "", "-claude": "", "vim claude.md": "", "bash /home/dev/codex/run.sh": "", "": "",
	} {
		if got := agentIn(strings.Fields(line), agents); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// An address of the kernel's table is one whose groups stand in the order of the machine.
func TestIsAddress(t *testing.T) {
	for _, row := range []struct {
		field, ip string
		want      bool
	}{
		{"0100007F:1F90", "127.0.0.1", true}, {"7F000001:1F90", "127.0.0.1", true},
		{"00000000000000000000000001000000:1F90", "::1", true}, {"00000000000000000000000000000001:1F90", "::1", true},
		{"B80D0120000000000000000001000000:1F90", "2001:db8::1", true}, {"0000000000000000FFFF00000100007F:1F90", "127.0.0.1", true},
		{"0100007F:1F91", "127.0.0.1", false}, {"0200007F:1F90", "127.0.0.1", false}, {"B80D0120000000000000000001000000:1F90", "2001:db8::2", false},
		{"0100007F", "127.0.0.1", false}, {"0100007:1F90", "127.0.0.1", false}, {"01007F:1F90", "127.0.0.1", false}, {"0100007F:x", "127.0.0.1", false}, {"", "127.0.0.1", false},
	} {
		if got := isAddress(row.field, &net.TCPAddr{IP: net.ParseIP(row.ip), Port: 8080}); got != row.want {
			t.Errorf("%s is %s: %t", row.field, row.ip, got)
		}
	}
}

// Below an agent, a token that may approve still submits and looks, and no more.
func TestIdentifyBelowAgent(t *testing.T) {
	r := newRig()
	secret := r.token("ann", Submit|Approve|Admin|Read, nil)
	q := httptest.NewRequest("GET", "/", nil)
	q.Header.Set("Authorization", "Bearer "+secret)
	words, parent, ok := lookProcess(os.Getpid())
	if !ok || parent != os.Getppid() || len(words) == 0 {
		t.Fatalf("%q %d %v", words, parent, ok)
	}
	own := filepath.Base(words[0])
	ctx := context.WithValue(q.Context(), originKey{}, func() int { return os.Getpid() })
	for agents, want := range map[string]Scope{own: Submit | Read, "claude": Submit | Read | Approve | Admin} {
		i, err := r.Below([]string{agents}).Identify(q.WithContext(ctx))
		if err != nil || i.Scopes != want || (i.Agent != "") != (agents == own) {
			t.Errorf("%s: %+v %v", agents, i, err)
		}
	}
}

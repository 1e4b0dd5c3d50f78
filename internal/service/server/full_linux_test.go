package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// A service on a disk that is full says why it stores nothing, takes no login
// code away, and works as soon as there is space.
func TestDiskFull(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "small")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size=8m"); err != nil {
		t.Skipf("a small file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s := servertest.New(t, servertest.Options{Directory: dir})
	agent, ann := s.Token(t, "agent", "submit"), s.Token(t, "ann", "approve,read,admin")
	id := submit(t, s, agent, push)
	var tokens string
	for _, line := range strings.Split(s.Do(t, ann, "GET", "/v1/tokens", "").Text, `"id":"`)[1:] {
		tokens, _, _ = strings.Cut(line, `"`)
	}
	code := authtest.Code(s.Logins)
	fill := filepath.Join(dir, "fill")
	// Until nothing more is stored, also of what is small.
	if err := os.WriteFile(fill, make([]byte, 8<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	for i := 0; s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`).Status < 300; i++ {
		if i == 100_000 {
			t.Fatal("the disk is not full")
		}
	}
	for _, r := range [][3]string{
		{ann, "/v1/requests/" + id + "/decision", approveOnce},
		{"", "/v1/login", `{"code":"` + code + `"}`},
		{agent, "/v1/requests", `{"call":` + push + `}`},
	} {
		a := s.Do(t, r[0], "POST", r[1], r[2])
		if a.Status != 507 && a.Status != 503 || !strings.Contains(a.Text, "full") && !strings.Contains(a.Text, "no space left") {
			t.Errorf("%s: %d %s", r[1], a.Status, a.Text)
		}
	}
	if a := s.Do(t, ann, "DELETE", "/v1/tokens/"+tokens, ""); a.Status < 500 || !strings.Contains(a.Text, "full") && !strings.Contains(a.Text, "no space left") {
		t.Errorf("revoke: %d %s", a.Status, a.Text)
	}
	if state(t, s, id) != "PENDING" {
		t.Error("decided on a full disk")
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if a := s.Do(t, "", "POST", "/v1/login", `{"code":"`+code+`"}`); a.Status != 200 {
		t.Errorf("the code after a login that failed: %d %s", a.Status, a.Text)
	}
	if a := s.Do(t, ann, "POST", "/v1/requests/"+id+"/decision", approveOnce); a.Status != 200 {
		t.Errorf("with space: %d %s", a.Status, a.Text)
	}
	if err := s.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
}

package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// signer makes a key, and writes its public part.
func (s *site) signer(id string) bundle.SigningKey {
	s.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		s.Fatal(err)
	}
	open, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		s.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		s.Fatal(err)
	}
	s.write(id+".pem", encoded("PUBLIC KEY", open))
	return bundle.SigningKey{ID: id, PEM: encoded("PRIVATE KEY", secret)}
}

// A key is changed as docs/bundles.md says while policyctl bundle sync runs: it
// follows the policy, and the bundle may be signed again as it is.
func TestSyncFollowsPolicy(t *testing.T) {
	seed.Slow(t)
	s := &site{T: t, dir: t.TempDir(), published: time.Now().Add(-time.Hour)}
	first, second := s.signer("org"), s.signer("org2")
	subscribe := func(keys string) {
		s.write("home/.config/policyctl/policy.yaml", fmt.Sprintf(
			"version: 1\nbundles:\n  acme:\n    url: %s\n    keys: {%s}\n    min_delay: 1s\n    max_delay: 1s\n", s.path("www/acme.tar.gz"), keys))
	}
	org, org2 := "org: "+s.path("org.pem"), "org2: "+s.path("org2.pem")
	subscribe(org)
	s.key = first
	archive := s.signed("r1", 1, "deny")
	s.publish(archive)

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := &lines{}
	cmd := exec.Command(self)
	cmd.Args = []string{"policyctl", "bundle", "sync"}
	cmd.Env = []string{"HOME=" + s.path("home"), "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	from := 0
	says := func(text string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if at := strings.Index(said.String()[from:], text); at >= 0 {
				from += at + len(text)
				return
			}
		}
		t.Fatalf("it does not say %q:\n%s", text, said)
	}
	says("bundle acme: revision r1\n")
	again, err := bundle.Sign([]byte(archive), second)
	if err != nil {
		t.Fatal(err)
	}
	s.publish(string(again))
	says("known are org; sign by one of these or add the key")
	subscribe(org + ", " + org2)
	says("bundle acme: revision r1\n")
	subscribe(org2)
	s.key = second
	s.publish(s.signed("r2", 2, "deny"))
	says("bundle acme: revision r2\n")
	s.write("home/.config/policyctl/policy.yaml", "version: 1\nzzz: 1\n")
	says(`unknown key "zzz"`)
	s.write("home/.config/policyctl/policy.yaml", "version: 1\n")
	says("bundle acme: the policy subscribes to it no more\n")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

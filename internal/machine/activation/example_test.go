package activation_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/internal/machine/subscription"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A program follows a signed bundle. Every call takes the engine that is in
// force at that time.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	archive, publicKey := published(dir)

	var engine atomic.Pointer[policy.Engine]
	s, err := subscription.New(subscription.Config{
		Name:         "acme",
		URL:          archive, // or https://policy.example.com/acme.tar.gz
		Verification: &bundle.Verification{Keys: map[string]bundle.Key{"org": {PEM: publicKey}}},
		Dir:          filepath.Join(dir, "state"), // the last good bundle outlives the program
		Activate: func(ctx context.Context, b *bundle.Bundle) error {
			p, err := activation.Load(ctx, "acme", b)
			if err == nil && !subscription.Kept(ctx) {
				err = p.Try(ctx) // its Rego, on sample calls
			}
			if err != nil {
				return err // the engine in force stays
			}
			e, err := p.Engine(policy.Defaults(), policy.Options{})
			if err == nil {
				engine.Store(e)
			}
			return err
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Restore(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) { // at the first start nothing is kept
		log.Print(err)
	}
	if err := s.Fetch(ctx); err != nil { // then go s.Run(ctx)
		log.Print(err)
	}
	e := engine.Load()
	if e == nil {
		log.Fatal("no bundle: no call can be judged")
	}
	v, err := e.Decide(ctx, policy.NewSession("chat-1"), policy.Shell("make deploy", "/home/dev/project"))
	if err != nil {
		log.Print(err) // the verdict denies
	}
	fmt.Println(v.Decision, v.Rule, v.Origin)
	fmt.Println(v.Bundles[0].Name, v.Bundles[0].Revision)
	// Output:
	// deny acme/deploy bundle acme: rules.yaml:3
	// acme r1
}

// published writes a bundle as its maker does.
func published(dir string) (archive, publicKey string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		log.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		log.Fatal(err)
	}
	data, err := bundle.Write(&bundle.Bundle{Revision: "r1", Sequence: 1, Roots: []string{"policyctl"}, Policies: []bundle.File{{
		Name: "rules.yaml",
		Text: "version: 1\nrules:\n  - {id: deploy, reason: deployments run in the pipeline, when: {shell.program: make, shell.argv: {in: [deploy]}}, decision: deny}\n",
	}}})
	if err != nil {
		log.Fatal(err)
	}
	data, err = bundle.Sign(data, bundle.SigningKey{ID: "org", PEM: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))})
	if err != nil {
		log.Fatal(err)
	}
	archive = filepath.Join(dir, "acme.tar.gz")
	if err := os.WriteFile(archive, data, 0o600); err != nil {
		log.Fatal(err)
	}
	return archive, string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
}

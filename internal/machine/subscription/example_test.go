package subscription_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/machine/subscription"
	"github.com/policyctl/policyctl/pkg/bundle"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	archive, err := bundle.Write(&bundle.Bundle{Revision: "2026-05-04", Sequence: 12, Roots: []string{"policyctl"}})
	if err != nil {
		panic(err)
	}
	file := filepath.Join(dir, "bundle.tar.gz")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		panic(err)
	}

	s, err := subscription.New(subscription.Config{
		Name: "organisation",
		URL:  file,
		Activate: func(_ context.Context, b *bundle.Bundle) error {
			fmt.Println("activate", b.Revision)
			return nil // compiled, tested, swapped in
		},
	})
	if err != nil {
		panic(err)
	}
	if err := s.Fetch(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println("sequence", s.Health().Sequence)
	// Output:
	// activate 2026-05-04
	// sequence 12
}

package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/internal/cli/picture"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// The pictures in docs/pictures show what the programs print today.
func TestPictures(t *testing.T) {
	seed.Slow(t)
	pictures, err := picture.Draw("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pictures {
		got, err := os.ReadFile(filepath.Join("../../../docs/pictures", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/pictures/%s is stale: run go generate ./... (%v)", name, err)
		}
		if err := wellFormed(want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, text := range []string{">deny<", "Blocked by policy", "decision   deny", "home-delete"} {
			if !bytes.Contains(want, []byte(text)) {
				t.Errorf("%s does not show %q", name, text)
			}
		}
	}
}

func wellFormed(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

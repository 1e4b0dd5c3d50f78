// Gen writes the pictures of the README into the directory that is its
// argument. It is run by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/cli/picture"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: gen DIRECTORY")
	}
	pictures, err := picture.Draw("../../..")
	if err != nil {
		return err
	}
	for name, data := range pictures {
		if err := os.WriteFile(filepath.Join(args[0], name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

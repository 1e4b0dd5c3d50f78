// Command assets writes what packages hold beside the programs: the manual pages
// and the scripts that complete commands in shells.
//
//	go run ./packaging/assets dist/assets
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/policyctl/policyctl/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: assets DIRECTORY")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	root := cli.Commands()
	root.DisableAutoGenTag = true
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	date := time.Unix(0, 0).UTC() // the same pages for the same commands
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "policyctl", Manual: "policyctl", Date: &date}, man); err != nil {
		return err
	}
	if err := root.GenBashCompletionFileV2(filepath.Join(completions, "policyctl.bash"), true); err != nil {
		return err
	}
	if err := root.GenZshCompletionFile(filepath.Join(completions, "_policyctl")); err != nil {
		return err
	}
	return root.GenFishCompletionFile(filepath.Join(completions, "policyctl.fish"), true)
}

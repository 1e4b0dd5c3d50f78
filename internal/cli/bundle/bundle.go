// Package bundle has the command that builds, signs, checks and fetches bundles, and
// that which compiles rules to Rego. What a bundle may hold is not decided here.
package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// Command returns the command bundle.
func Command(p *console.Process) *cobra.Command {
	return console.Grouped(&cobra.Command{
		Use:   "bundle COMMAND",
		Short: "Build, sign, verify, inspect and fetch bundles of policies",
		Long: `Build, sign, verify, inspect and fetch bundles: the archives with which an
organisation distributes its policy. They are Open Policy Agent bundles, so any
web server or bundle server can publish them.`,
		Example: `  policyctl bundle build policies/ -o acme.tar.gz --key release.pem --key-id release
  policyctl bundle verify acme.tar.gz --key release=release.pub.pem
  policyctl bundle inspect acme.tar.gz`,
	},
		console.Group{Title: "Publish", Members: []*cobra.Command{newBundleBuild(p), newBundleSign(p)}},
		console.Group{Title: "Look", Members: []*cobra.Command{newBundleInspect(p), newBundleVerify(p)}},
		console.Group{Title: "Subscribe", Members: []*cobra.Command{newBundleSync(p)}})
}

// maxArchive bounds a bundle in bytes, as package bundle does by default.
const maxArchive = 32 << 20

// oneBundle refuses anything but the name of one file.
func oneBundle(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return console.Usagef("no bundle is named: write %s FILE", cmd.CommandPath())
	case len(args) > 1:
		return console.Usagef("%s takes one file, not %d: name one bundle at a time", cmd.Name(), len(args))
	case strings.Contains(args[0], "://"):
		return console.Usagef("%s: it is a URL: fetch the bundle first, and name its file", args[0])
	}
	return nil
}

// openArchive reads the file of a bundle.
func openArchive(name string) ([]byte, error) {
	data, err := console.ReadUpTo(name, maxArchive)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name the file of a bundle", name, err)
	}
	return data, nil
}

// outputTo is where a bundle is written.
func outputTo(name string, inputs ...string) console.Output {
	return console.Output{Name: name, What: "a bundle", Ours: func(old []byte) bool { return bytes.HasPrefix(old, []byte{0x1f, 0x8b}) }, Inputs: inputs}
}

// bundleErrors are those that say something of the bundle, not of a key.
var bundleErrors = []error{
	bundle.ErrUnsigned, bundle.ErrSignature, bundle.ErrExpired, bundle.ErrReplayed, bundle.ErrMalformed, bundle.ErrTooLarge,
}

// ofBundle reports whether an error is one with the bundle.
func ofBundle(err error) bool {
	for _, known := range bundleErrors {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// fail tells people what is wrong, a line each, and ends the run.
func fail(p *console.Process, code int, err error) error {
	console.Warn(p.Stderr, "", err)
	return console.Exit(code)
}

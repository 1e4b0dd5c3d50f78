package bundle

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// signFlags says with which key a bundle is signed.
type signFlags struct{ file, id, algorithm, scope string }

// algorithms are offered for signatures: those of RFC 7518 that bundles may have.
var algorithms = []string{"ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384", "HS512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"}

func (s *signFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.file, "key", "", "sign with the private key in `FILE`, in PEM")
	flags.StringVar(&s.id, "key-id", "", "the `ID` by which verifiers know the key")
	flags.StringVar(&s.algorithm, "algorithm", "", "sign with `NAME`, such as ES256 (default that of the key)")
	console.Completes(cmd, "algorithm", algorithms...)
	flags.StringVar(&s.scope, "scope", "", "the `SCOPE` that the signature is for")
}

// wanted reports whether there is to be a signature.
func (s *signFlags) wanted() bool { return s.file != "" }

func (s *signFlags) check() error {
	switch {
	case s.wanted() && s.id == "":
		return console.Usagef("--key signs, and verifiers find the key by its id: add --key-id ID")
	case s.wanted():
		return nil
	}
	for _, flag := range [][2]string{{"key-id", s.id}, {"algorithm", s.algorithm}, {"scope", s.scope}} {
		if flag[1] != "" {
			return console.Usagef("--%s is for a signature: add --key FILE, or leave it out", flag[0])
		}
	}
	return nil
}

// sign signs an archive.
func (s *signFlags) sign(p *console.Process, archive []byte) ([]byte, error) {
	text, err := console.ReadUpTo(s.file, console.MaxKey)
	if err != nil {
		return nil, console.Usagef("%s: %v: name the file of the private key with --key", s.file, err)
	}
	signed, err := bundle.Sign(archive, bundle.SigningKey{ID: s.id, Algorithm: s.algorithm, PEM: string(text), Scope: s.scope})
	if err != nil && !ofBundle(err) {
		return nil, console.Usagef("%s: %v", s.file, err)
	}
	if console.OthersRead(s.file) {
		console.Warn(p.Stderr, "warning: ", fmt.Errorf("%s: others on this machine may read the private key: run chmod 600 to keep it private", s.file))
	}
	return signed, err
}

// A signer signs a bundle.
type signer struct {
	*console.Process
	signFlags
	output string
	json   bool
}

func newBundleSign(p *console.Process) *cobra.Command {
	s := &signer{Process: p}
	cmd := &cobra.Command{
		Use:   "sign FILE --key FILE --key-id ID",
		Short: "Sign a bundle, replacing any signature that it has",
		Long: `Sign all files of a bundle, as opa sign does. This replaces any signature that
the bundle has. sign reads the bundle but does not try it: policyctl bundle
verify does.

The key is RSA, EC (P-256, P-384, P-521) or Ed25519, private and in PEM; for
HS256, HS384 and HS512 it is a secret that verifiers share. OPA itself does not
support Ed25519. A scope must be the one that verifiers expect.

A key for releases:
  openssl genpkey -algorithm EC -out release.pem \
      -pkeyopt ec_paramgen_curve:P-256
  openssl pkey -in release.pem -pubout -out release.pub.pem`,
		Example: `  policyctl bundle sign acme.tar.gz --key release.pem --key-id release
  policyctl bundle sign acme.tar.gz --key release.pem --key-id release --scope prod -o signed.tar.gz`,
		Args: oneBundle,
		RunE: func(_ *cobra.Command, args []string) error { return s.run(args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	s.register(cmd)
	flags.StringVarP(&s.output, "output", "o", "", "write `FILE` and leave the bundle as it is")
	flags.BoolVar(&s.json, "json", false, "print what was signed as JSON")
	return cmd
}

func (s *signer) run(file string) error {
	if !s.wanted() {
		return console.Usagef("there is no key to sign with: add --key FILE --key-id ID")
	}
	if err := s.signFlags.check(); err != nil {
		return err
	}
	out := outputTo(s.output, s.file)
	if s.output == "" {
		out.Name, out.Ours = file, func([]byte) bool { return true } // signing tells
	}
	archive, err := openArchive(file)
	if err != nil {
		return err
	}
	if err := out.Check(); err != nil {
		return err
	}
	signed, err := s.sign(s.Process, archive)
	if ofBundle(err) {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		return err
	}
	b, err := bundle.Read(signed, nil, bundle.Limits{})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := b.Check(time.Now(), 0); err != nil {
		console.Warn(s.Stderr, "warning: ", errors.New(out.Name+": "+err.Error()))
	}
	if err := out.Write(signed); err != nil {
		return err
	}
	return s.show(newView(out.Name, signed, b))
}

func (s *signer) show(v *view) error {
	if s.json {
		return s.PrintJSON(v)
	}
	return s.PrintTable([][]string{{"signed", v.File}, {"revision", console.OrNone(v.Revision)}, {"by", v.Signature.String()}, {"sha256", v.SHA256}})
}

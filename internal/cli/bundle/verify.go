package bundle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A verifier does with a bundle what an executor would before it counts.
type verifier struct {
	*console.Process
	keys                  []string
	scope, algorithm, now string
	json                  bool
}

func newBundleVerify(p *console.Process) *cobra.Command {
	v := &verifier{Process: p}
	cmd := &cobra.Command{
		Use:   "verify FILE --key ID=FILE",
		Short: "Check a bundle as a machine does before using it",
		Long: `Check a bundle as a machine does before using it, step by step:
  archive     it is sound and within the limits
  signature   one of the keys signed all its files, for the scope
  expiry      it has not expired
  activation  its policies are valid, its Rego compiles and answers a call of
              each tool in the right form, its tests pass
  rules       the compiled rules in it are what this version makes of its
              policies; if not, that is a note, since executors use the policies
verify cannot check the last sequence that a machine had: only the machine knows.

Exits 1 if a step fails, and names it on the standard error, and 2 if a key
cannot be used.`,
		Example: `  policyctl bundle verify acme.tar.gz --key release=release.pub.pem
  policyctl bundle verify acme.tar.gz --key old=old.pem --key new=new.pem --scope prod
  policyctl bundle verify acme.tar.gz --key release=release.pub.pem --now 2027-01-31`,
		Args: oneBundle,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&v.keys, "key", nil, "accept the public key in a file, as `ID=FILE`; may repeat")
	flags.StringVar(&v.algorithm, "algorithm", "", "the keys are for `NAME`: HS256 and the like need it (default that of each key)")
	console.Completes(cmd, "algorithm", algorithms...)
	flags.StringVar(&v.scope, "scope", "", "the `SCOPE` that the signature must be for (default none)")
	flags.StringVar(&v.now, "now", "", "act as if today were `DATE`, such as 2027-01-31 or a time in RFC 3339")
	flags.BoolVar(&v.json, "json", false, "print the steps as JSON")
	return cmd
}

func (v *verifier) run(ctx context.Context, file string) error {
	accepted, err := v.accepted()
	if err != nil {
		return err
	}
	now := time.Now()
	if v.now != "" {
		var ok bool
		if now, ok = console.Instant(v.now); !ok {
			return console.Usagef("--now %s is not a date: write 2027-01-31 or 2027-01-31T12:00:00Z", v.now)
		}
	}
	archive, err := openArchive(file)
	if err != nil {
		return err
	}
	r := &verification{File: file, Steps: []verifiedStep{}}
	failed := r.verify(ctx, archive, accepted, now)
	if failed != nil && !ofBundle(failed) && len(r.Steps) == 1 {
		return console.Usagef("%v", failed) // a key, and nothing was verified
	}
	if err := v.show(r); err != nil || failed == nil {
		return err
	}
	return fail(v.Process, console.ExitFailure, fmt.Errorf("%s: %s: %w", file, r.Steps[len(r.Steps)-1].Name, failed))
}

// accepted reads the keys.
func (v *verifier) accepted() (*bundle.Verification, error) {
	if len(v.keys) == 0 {
		return nil, console.Usagef("a signature is checked with a key: add --key ID=FILE; policyctl bundle inspect shows an unsigned bundle")
	}
	out := &bundle.Verification{Keys: make(map[string]bundle.Key), Scope: v.scope}
	for _, key := range v.keys {
		id, file, ok := strings.Cut(key, "=")
		switch _, twice := out.Keys[id]; {
		case !ok || id == "" || file == "":
			return nil, console.Usagef("--key %s has no id or no file: write --key ID=FILE, as in --key release=release.pub.pem", key)
		case twice:
			return nil, console.Usagef("--key %s: the id %s is given twice: keep one", key, id)
		}
		text, err := console.ReadUpTo(file, console.MaxKey)
		if err != nil {
			return nil, console.Usagef("%s: %v: name the file of the key %s", file, err, id)
		}
		out.Keys[id] = bundle.Key{Algorithm: v.algorithm, PEM: string(text)}
	}
	return out, nil
}

// A verification is what came of the steps, as JSON. It ends with the first
// that failed.
type verification struct {
	File     string         `json:"file"`
	Verified bool           `json:"verified"`
	Revision *string        `json:"revision"`
	Sequence *uint64        `json:"sequence"`
	SHA256   *string        `json:"sha256"`
	Steps    []verifiedStep `json:"steps"`
}

// A verifiedStep is ok, failed, or a note: something to know that is no failure.
type verifiedStep struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Text  string `json:"text"`
}

func (r *verification) step(name, state, text string) {
	r.Steps = append(r.Steps, verifiedStep{name, state, text})
}

func (r *verification) failed(name string, err error) error {
	r.step(name, "failed", err.Error())
	return err
}

// verify takes the steps. The error is that of the last.
func (r *verification) verify(ctx context.Context, archive []byte, accepted *bundle.Verification, now time.Time) error {
	b, err := bundle.Read(archive, accepted, bundle.Limits{})
	if err != nil {
		return r.failed(failedRead(err), err)
	}
	v := newView(r.File, archive, b)
	r.Revision, r.Sequence, r.SHA256 = &b.Revision, &b.Sequence, &b.Digest
	r.step("archive", "ok", console.Count(v.Size, "byte"))
	r.step("signature", "ok", v.Signature.String())
	if err := b.Check(now, 0); err != nil {
		return r.failed("expiry", err)
	}
	r.step("expiry", "ok", console.TimeOr(v.Expires, "never"))
	p, err := activation.Load(ctx, effective.SubscriptionName(r.File), b)
	if err == nil {
		err = p.Try(ctx)
	}
	if err != nil {
		return r.failed("activation", err)
	}
	r.step("activation", "ok", console.Count(v.tried(), "test")+" passed")
	state, text := compareRules(b)
	r.step("rules", state, text)
	r.Verified = true
	return nil
}

// failedRead names the step at which an archive could not be read.
func failedRead(err error) string {
	if errors.Is(err, bundle.ErrUnsigned) || errors.Is(err, bundle.ErrSignature) {
		return "signature"
	}
	return "archive"
}

// compareRules compares the compiled rules of a bundle with what its policies
// are compiled to here.
func compareRules(b *bundle.Bundle) (state, text string) {
	loaded, err := config.Load(policy.Defaults(), policyFiles(b.Policies)...)
	module := ""
	if err == nil {
		module, err = compiledRules(loaded)
	}
	if err != nil {
		return "note", err.Error()
	}
	var held []string
	for _, m := range b.Modules {
		if rego.IsCompiled(m.Text) {
			held = append(held, m.Text)
		}
	}
	switch {
	case len(held) == 0 && module == "":
		return "ok", "no rules, and none compiled"
	case len(held) == 0:
		return "note", "the bundle has no compiled rules: an OPA other than policyctl sees none of its rules"
	case len(held) == 1 && held[0] == module:
		return "ok", "the compiled rules are those of the policies"
	}
	return "note", "the compiled rules are not what this version makes of the policies: another version built the bundle, or they were changed"
}

func (v *verifier) show(r *verification) error {
	if v.json {
		return v.PrintJSON(r)
	}
	rows := [][]string{}
	for _, s := range r.Steps {
		if s.State == "failed" {
			continue // the standard error says it
		}
		rows = append(rows, []string{s.Name, s.State, s.Text})
	}
	if r.Verified {
		rows = append(rows, []string{"verified", "yes", fmt.Sprintf("revision %s, sequence %d", console.OrNone(*r.Revision), *r.Sequence)})
	}
	return v.PrintTable(rows)
}

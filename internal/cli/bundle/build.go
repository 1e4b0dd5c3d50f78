package bundle

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/rego"
)

// A builder makes a bundle of files.
type builder struct {
	*console.Process
	signFlags
	output, revision, expires string
	sequence                  uint64
	roots                     []string
	json                      bool
}

func newBundleBuild(p *console.Process) *cobra.Command {
	b := &builder{Process: p}
	cmd := &cobra.Command{
		Use:   "build PATH… -o FILE",
		Short: "Build a bundle of policies, Rego, data and tests, and try it",
		Long: `Build a bundle from files, and from all files below directories. The name says
what a file is:
  .yaml, .yml, .toml, .json  policies: together one policy, in the order of their names
  *_test.yaml                fixtures, decided under the bundle as a whole
  .rego                      Rego of the package ` + rego.AdmissionPackage + `, and what it needs
  data.json                  data for Rego, below the keys that its directories name
Hidden files are skipped, and *_test.rego are left out: opa test runs those. A
name in the bundle is the path below the directory that is given. Rules are
compiled too, into ` + rulesModule + `, for an OPA that is not policyctl.

build tries the bundle before it writes FILE. It writes nothing if a machine would
refuse the bundle, if the Rego answers a call of some tool in the wrong form, or if
a test fails.

A machine refuses a bundle with a lower sequence than one it had before. The
sequence is the seconds since 1970 unless --sequence sets it, so a later build
counts as newer. With --sequence the time of the build is left out, and the same files
give the same bytes. The revision is for people.

Exits 2 if a file is missing or invalid, and 1 if a test fails.`,
		Example: `  policyctl bundle build rules.yaml rules_test.yaml -o acme.tar.gz
  policyctl bundle build policies/ -o acme.tar.gz --key release.pem --key-id release
  policyctl bundle build policies/ -o acme.tar.gz --sequence 42 --expires 2027-01-31`,
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&b.output, "output", "o", "", "write `FILE`, replacing a bundle that exists")
	flags.StringVar(&b.revision, "revision", "", "name the content `TEXT` (default from its SHA-256)")
	flags.Uint64Var(&b.sequence, "sequence", 0, "the `NUMBER` that grows with each bundle (default the seconds since 1970)")
	flags.StringVar(&b.expires, "expires", "", "the bundle is valid until `WHEN`: 90d, 2160h, 2027-01-31 or a time in RFC 3339")
	flags.StringArrayVar(&b.roots, "root", nil, "a `PATH` below data that the bundle owns, such as policyctl; may repeat (default all)")
	b.register(cmd)
	flags.BoolVar(&b.json, "json", false, "print what was built as JSON")
	return cmd
}

// own is the key below data where a bundle keeps its policies.
const own = "policyctl"

// rulesModule is the module of compiled rules in a bundle.
const rulesModule = own + "/rules/rules.rego"

func (b *builder) run(cmd *cobra.Command, args []string) error {
	made := &bundle.Bundle{Revision: b.revision, Sequence: b.sequence, Roots: b.roots}
	if err := b.head(made, args, cmd.Flags().Changed("sequence"), time.Now().UTC().Truncate(time.Second)); err != nil {
		return err
	}
	src, err := openSources(args)
	if err != nil {
		return fail(b.Process, console.ExitUsage, err)
	}
	out := outputTo(b.output, append(src.all(), b.file)...)
	if err := out.Check(); err != nil {
		return err
	}
	if err := b.fill(made, src); err != nil {
		return err
	}
	archive, err := b.pack(made)
	if err != nil {
		return err
	}
	v, err := b.try(cmd.Context(), archive)
	if err != nil {
		return err
	}
	if err := out.Write(archive); err != nil {
		return err
	}
	return b.show(v)
}

// head checks the flags, and fills what they say.
func (b *builder) head(made *bundle.Bundle, args []string, numbered bool, now time.Time) error {
	switch {
	case len(args) == 0:
		return console.Usagef("nothing to bundle: name files or directories, as in policyctl bundle build policies/ -o policy.tar.gz")
	case b.output == "":
		return console.Usagef("the bundle has no name: add -o FILE, as in -o policy.tar.gz")
	case numbered && b.sequence == 0:
		return console.Usagef("--sequence counts from 1: a bundle of sequence 0 would not count")
	}
	for _, arg := range args {
		if strings.Contains(arg, "://") {
			return console.Usagef("%s: it is a URL: fetch it first, and name its files", arg)
		}
	}
	if !numbered {
		made.Sequence, made.Built = uint64(now.Unix()), now
	}
	var err error
	if made.Expires, err = console.Ending(b.expires, now); err != nil {
		return err
	}
	return b.signFlags.check()
}

// pack makes the archive, and signs it.
func (b *builder) pack(made *bundle.Bundle) ([]byte, error) {
	archive, err := bundle.Write(made)
	if err == nil && b.wanted() {
		archive, err = b.sign(b.Process, archive)
	}
	switch {
	case !ofBundle(err):
		return archive, err
	case len(b.roots) > 0 && strings.Contains(err.Error(), "roots"):
		return nil, console.Usagef("%v; or name all that the bundle owns with --root, also %s for policies", err, own)
	}
	return nil, console.Usagef("%v", err)
}

// A built is a bundle that was built, as JSON.
type built struct {
	*view
	Passed int `json:"tests_passed"`
}

// try does with the bundle what an executor would.
func (b *builder) try(ctx context.Context, archive []byte) (*built, error) {
	read, err := bundle.Read(archive, nil, bundle.Limits{})
	if err != nil {
		return nil, err
	}
	if _, err := activation.Load(ctx, effective.SubscriptionName(b.output), read); err != nil {
		return nil, fail(b.Process, console.ExitFailure, err)
	}
	v := newView(b.output, archive, read)
	return &built{v, v.tried()}, nil
}

func (b *builder) show(v *built) error {
	if b.json {
		return b.PrintJSON(v)
	}
	rules, modules := 0, []string{}
	for _, p := range v.Policies {
		rules += *p.Rules
	}
	for _, m := range v.Modules {
		modules = append(modules, m.Name)
	}
	signed := "nobody: policyctl bundle sign signs it"
	if v.Signature != nil {
		signed = v.Signature.String()
	}
	page := b.Page()
	page.Table([][]string{
		{"wrote", v.File}, {"revision", v.Revision}, {"sequence", fmt.Sprint(v.Sequence)}, {"expires", console.TimeOr(v.Expires, "never")},
		{"policies", fmt.Sprintf("%d with %s", len(v.Policies), console.Count(rules, "rule"))},
		{"modules", console.OrNone(strings.Join(modules, ", "))},
		{"tests", fmt.Sprint(v.Passed) + " passed"}, {"signed by", signed},
	})
	return page.Close()
}

package requests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/discovery"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A submitter sends a proved program to an approval service and waits.
type submitter struct {
	*console.Process
	service     string
	trust, json bool
	timeout     time.Duration
}

func newRequestsSubmit(p *console.Process) *cobra.Command {
	s := &submitter{Process: p}
	cmd := &cobra.Command{
		Use:   "submit [FILE]",
		Short: "Submit a proved program, and wait for the decision",
		Long: `Submit a proved program, the JSON of a clauz3.run request in FILE or on the
standard input, and wait for the decision.

The service is the one that --service names, or else CLAUZ3_APPROVAL_SERVICE, or
CLAUZ3_APPROVAL_URL. The file .clauz3/approval-service.json in the working directory
counts only with --trust-directory: whoever writes it chooses who approves.

The exit code is 0 for an approval with a receipt, 3 for every other decision, and 1
where there is none. The program that runs the call must check the receipt.`,
		Example: `  policyctl requests submit submission.json
  policyctl requests submit --timeout 60s --json < submission.json`,
		Args: console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.service == "" && cmd.Flags().Changed("service") {
				return console.Usagef("--service is empty: give a URL, or leave it out")
			}
			return s.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.service, "service", "", "the `URL` of the service, as the service printed it")
	flags.BoolVar(&s.trust, "trust-directory", false, "let .clauz3/approval-service.json name the service")
	flags.DurationVar(&s.timeout, "timeout", submitTimeout, "how long to wait for the decision: `DURATION`")
	flags.BoolVar(&s.json, "json", false, "print the answer as it came")
	return cmd
}

func (s *submitter) run(ctx context.Context, args []string) error {
	if s.timeout <= 0 {
		return console.Usagef("--timeout %v: give a time above 0, such as 60s", s.timeout)
	}
	body, err := s.body(args)
	if err != nil {
		return err
	}
	at, err := s.find()
	if err != nil {
		return err
	}
	text, err := s.post(ctx, at, body)
	if err != nil {
		return fmt.Errorf("the service that %s names: %w", at.From, err)
	}
	a, err := readProgramAnswer(text)
	if err != nil {
		return fmt.Errorf("the service that %s names: its answer is not a decision: %w", at.From, err)
	}
	if err := s.print(a, text); err != nil || a.decision.Approves() {
		return err
	}
	return console.Exit(console.ExitDeny)
}

// submitTimeout is a little longer than a service waits, so that its own answer
// comes first.
const submitTimeout = 310 * time.Second

// maxSubmission bounds a request, in bytes.
const maxSubmission = 1 << 20

// body reads the request. It is sent as it is.
func (s *submitter) body(args []string) ([]byte, error) {
	name, read := "the standard input", s.input
	switch {
	case len(args) > 0 && args[0] != "-":
		name, read = args[0], func() ([]byte, error) { return console.ReadUpTo(args[0], maxSubmission) }
	case len(args) == 0 && console.IsTerminal(s.Stdin):
		return nil, console.Usagef("no request: name its file, or give it on the standard input")
	}
	text, err := read()
	if err != nil {
		return nil, console.Usagef("%s: %v", name, err)
	}
	var keys map[string]json.RawMessage
	if err := webguard.Decode(bytes.NewReader(text), &keys); err != nil {
		return nil, console.Usagef("%s: %v", name, err)
	}
	if kind, err := memberText(keys, "kind"); err != nil || kind != approval.KindContract {
		return nil, console.Usagef("%s: kind: missing, or not %q: submit the request of a proved program", name, approval.KindContract)
	}
	return text, nil
}

func (s *submitter) input() ([]byte, error) {
	text, err := plainfile.ReadAll(s.Stdin, maxSubmission)
	return text, plainfile.Bare(err)
}

// find returns the service that is to be asked.
func (s *submitter) find() (discovery.Found, error) {
	if s.service != "" {
		at, err := discovery.Find(func(string) string { return s.service }, "", false)
		if err != nil {
			return at, console.Usagef("--service: %v", errors.Unwrap(err)) // without the name of a variable
		}
		at.From = "--service"
		return at, nil
	}
	dir, err := s.Getwd()
	if err != nil {
		return discovery.Found{}, fmt.Errorf("the working directory is unknown: %w; name the service with --service", err)
	}
	at, err := discovery.Find(s.Getenv, dir, s.trust)
	if errors.Is(err, discovery.ErrNone) {
		err = fmt.Errorf("%w; the flags --service and --trust-directory do so for one request", err)
	}
	return at, err
}

// print shows an answer, or writes it as it came.
func (s *submitter) print(a programAnswer, text []byte) error {
	if s.json {
		_, err := fmt.Fprintf(s.Stdout, "%s\n", bytes.TrimRight(text, "\n"))
		return err
	}
	rows := [][]string{{"decision", string(a.decision)}}
	if a.receipt != "" {
		rows = append(rows, []string{"receipt", a.receipt})
	}
	if a.feedback != "" {
		rows = append(rows, []string{"feedback", a.feedback})
	}
	return s.PrintTable(rows)
}

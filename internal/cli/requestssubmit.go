package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/discovery"
	"github.com/policyctl/policyctl/internal/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A submitter sends a proved program to an approval service and waits.
type submitter struct {
	*Process
	service     string
	trust, json bool
	timeout     time.Duration
}

func newRequestsSubmit(p *Process) *cobra.Command {
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
where there is none. The receipt is not checked here: whoever runs the program does.`,
		Example: `  policyctl requests submit submission.json
  policyctl requests submit --timeout 60s --json < submission.json`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.service == "" && cmd.Flags().Changed("service") {
				return usagef("--service is empty: give a URL, or leave it out")
			}
			return s.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.service, "service", "", "the `URL` of the service, as the service printed it")
	flags.BoolVar(&s.trust, "trust-directory", false, "let .clauz3/approval-service.json name the service")
	flags.DurationVar(&s.timeout, "timeout", 300*time.Second, "how long to wait for the decision")
	flags.BoolVar(&s.json, "json", false, "print the answer as it came")
	return cmd
}

func (s *submitter) run(ctx context.Context, args []string) error {
	if s.timeout <= 0 {
		return usagef("--timeout %v: give a time above 0, such as 60s", s.timeout)
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
		return fmt.Errorf("the service that %s names: its answer is no decision: %w", at.From, err)
	}
	if err := s.print(a, text); err != nil || a.decision.Approves() {
		return err
	}
	return exit(exitDeny)
}

// maxSubmission bounds a request, and maxReply its answer, in bytes.
const (
	maxSubmission = 1 << 20
	maxReply      = 1 << 20
)

// body reads the request. It is sent as it is.
func (s *submitter) body(args []string) ([]byte, error) {
	name, read := "the standard input", s.input
	switch {
	case len(args) > 0 && args[0] != "-":
		name, read = args[0], func() ([]byte, error) { return readUpTo(args[0], maxSubmission) }
	case len(args) == 0 && isTerminal(s.Stdin):
		return nil, usagef("no request: name its file, or give it on the standard input")
	}
	text, err := read()
	if err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	var keys map[string]json.RawMessage
	if err := webguard.Decode(bytes.NewReader(text), &keys); err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	if kind, err := memberText(keys, "kind"); err != nil || kind != approval.KindContract {
		return nil, usagef("%s: kind: missing or another than %q: submit the request of a proved program", name, approval.KindContract)
	}
	return text, nil
}

func (s *submitter) input() ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(s.Stdin, maxSubmission+1))
	if err == nil && len(text) > maxSubmission {
		return nil, fmt.Errorf("it is larger than %d MiB", maxSubmission>>20)
	}
	return text, bare(err)
}

// memberText returns a string of an object, "" where it is absent or null.
func memberText(keys map[string]json.RawMessage, key string) (text string, err error) {
	if raw, has := keys[key]; has && json.Unmarshal(raw, &text) != nil {
		return "", fmt.Errorf("%s: this is no string", key)
	}
	return text, nil
}

// find returns the service that is to be asked.
func (s *submitter) find() (discovery.Found, error) {
	if s.service != "" {
		at, err := discovery.Find(func(string) string { return s.service }, "", false)
		if err != nil {
			return at, usagef("--service: %v", errors.Unwrap(err)) // without the name of a variable
		}
		at.From = "--service"
		return at, nil
	}
	dir, err := s.Getwd()
	if err != nil {
		return discovery.Found{}, fmt.Errorf("the working directory is not known: %w; name the service with --service", err)
	}
	at, err := discovery.Find(s.Getenv, dir, s.trust)
	if errors.Is(err, discovery.ErrNone) {
		err = fmt.Errorf("%w; the flags --service and --trust-directory do so for one request", err)
	}
	return at, err
}

// post sends the request and returns the answer. No error shows the URL, whose
// path may hold a token.
func (s *submitter) post(ctx context.Context, at discovery.Found, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.URL+"/requests", bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the URL is not valid; write the one that the service printed")
	}
	req.Header.Set("Content-Type", "application/json")
	client := &http.Client{
		Transport:     &http.Transport{Proxy: proxyOf, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, s.unanswered(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, s.unanswered(err)
	case res.StatusCode != http.StatusOK:
		return nil, refusal(res, text)
	case len(text) > maxReply:
		return nil, fmt.Errorf("its answer is larger than %d MiB: see whether it is an approval service", maxReply>>20)
	}
	return text, nil
}

// proxyOf lets nothing that goes over http pass through a proxy: that is for
// this machine, and the URL may hold a token.
func proxyOf(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme == "http" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// unanswered says why there is no answer, and what to do.
func (s *submitter) unanswered(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no decision within %v: the request may still be pending; submit it again, unchanged, to wait on", s.timeout)
	}
	var reach *url.Error
	if errors.As(err, &reach) {
		err = reach.Err
	}
	return fmt.Errorf("no answer: %w: see whether the service runs", err)
}

// refusal says why a service took no request.
func refusal(res *http.Response, text []byte) error {
	if res.StatusCode/100 == 3 {
		return fmt.Errorf("it redirects (%d), which is not followed: name the service itself", res.StatusCode)
	}
	var said struct{ Error, Detail string }
	if json.Unmarshal(text, &said) != nil || said.Error == "" && said.Detail == "" {
		said.Detail = "see whether it is an approval service"
	}
	if said.Detail == "" {
		said.Detail = said.Error
	}
	return fmt.Errorf("it decided nothing (%d): %.2000s", res.StatusCode, said.Detail)
}

// A programAnswer is what a service says of a program.
type programAnswer struct {
	decision          approval.Word
	receipt, feedback string
}

// readProgramAnswer reads an answer. What approves without a receipt is an
// error: nobody vouches for it.
func readProgramAnswer(text []byte) (a programAnswer, err error) {
	var keys map[string]json.RawMessage
	if err := webguard.Decode(bytes.NewReader(text), &keys); err != nil {
		return a, err
	}
	decision, err1 := memberText(keys, "decision")
	receipt, err2 := memberText(keys, "receipt")
	feedback, err3 := memberText(keys, "feedback")
	a = programAnswer{approval.Word(decision), receipt, feedback}
	switch err := errors.Join(err1, err2, err3); {
	case err != nil:
		return a, err
	case decision == "":
		return a, errors.New("decision: missing; see whether it is an approval service")
	case a.decision.Approves() && strings.TrimSpace(receipt) == "":
		return a, fmt.Errorf("%s without a receipt: do not run the program", decision)
	}
	return a, nil
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
	page := s.page()
	page.Table(rows)
	return page.Close()
}

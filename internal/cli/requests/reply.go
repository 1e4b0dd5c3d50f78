package requests

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

	"github.com/policyctl/policyctl/internal/service/discovery"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// maxReply bounds the answer of a service, in bytes.
const maxReply = 1 << 20

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
		return nil, fmt.Errorf("its answer is larger than %d MiB: check whether it is an approval service", maxReply>>20)
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
		return fmt.Errorf("no decision within %v: the request may still be pending; submit it again, unchanged, to keep waiting", s.timeout)
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
		return fmt.Errorf("it redirects (%d), and redirects are not followed: name the service itself", res.StatusCode)
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
		return a, errors.New("decision: missing; check whether it is an approval service")
	case a.decision.Approves() && strings.TrimSpace(receipt) == "":
		return a, fmt.Errorf("%s without a receipt: do not run the program", decision)
	}
	return a, nil
}

// memberText returns a string of an object, "" where it is absent or null.
func memberText(keys map[string]json.RawMessage, key string) (text string, err error) {
	if raw, has := keys[key]; has && json.Unmarshal(raw, &text) != nil {
		return "", fmt.Errorf("%s: this is not a string", key)
	}
	return text, nil
}

package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An api calls the methods of Slack.
type api struct {
	client  *http.Client
	base    *url.URL
	token   string
	secrets []string
}

// callTime bounds a call; maxAnswer bounds what is read of an answer, in bytes.
const (
	callTime  = 15 * time.Second
	maxAnswer = 1 << 20
)

func newAPI(o Options) (*api, error) {
	base := o.API
	if base == "" {
		base = defaultAPI
	}
	u, err := url.Parse(strings.TrimSuffix(base, "/"))
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("api is no address; leave it out, or write one such as %s", defaultAPI)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("api has a user, a query or a fragment; leave them out")
	case u.Scheme == "http" && !isHere(u.Hostname()):
		return nil, errors.New("api is http, so that others can read the token; write https")
	}
	client := new(http.Client)
	if o.HTTP != nil {
		*client = *o.HTTP
	}
	client.Timeout = 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &api{client, u, o.Token, []string{o.Token, o.AppToken, o.Secret}}, nil
}

// isHere reports whether a host is this machine.
func isHere(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// call calls a method with a token, and decodes the answer where out is not nil.
func (a *api) call(ctx context.Context, method, token string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base.JoinPath(method).String(), bytes.NewReader(body))
	if err != nil {
		return &channel.Refusal{Text: "the address of Slack is wrong: correct api"}
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "policyctl")
	got, err := a.client.Do(r)
	if err != nil {
		return a.unanswered(method, err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer+1))
	if err != nil {
		return a.unanswered(method, err)
	}
	return a.read(method, got, data, out)
}

// read reads an answer.
func (a *api) read(method string, got *http.Response, data []byte, out any) error {
	host := got.Request.URL.Host
	switch {
	case got.StatusCode >= 300 && got.StatusCode < 400:
		return &channel.Refusal{Text: fmt.Sprintf("slack: %s: %s sends elsewhere (%d), which is not followed; correct api", method, host, got.StatusCode)}
	case len(data) > maxAnswer:
		return fmt.Errorf("slack: %s: the answer has more than %d MB", method, maxAnswer>>20)
	}
	var said answer
	err := json.Unmarshal(data, &said)
	switch {
	case got.StatusCode == http.StatusTooManyRequests || err == nil && isBusy(said.Error):
		return &channel.Pause{For: rest(got.Header.Get("Retry-After")), Err: fmt.Errorf("slack: %s: it is asked too often", method)}
	case err == nil && !said.OK && said.Error != "":
		return a.refused(method, &said)
	case got.StatusCode != http.StatusOK:
		return fmt.Errorf("slack: %s: %s answers %d", method, host, got.StatusCode)
	case err == nil && !said.OK:
		err = errors.New("it says neither ok nor why not")
	case err == nil && out != nil:
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		return fmt.Errorf("slack: %s: the answer is not what the Web API gives: %s", method, a.clean(err.Error()))
	}
	return nil
}

// maxPause bounds what Slack may ask for.
const maxPause = time.Hour

// rest reads the seconds for which Slack wants to be left alone.
func rest(header string) time.Duration {
	n, err := strconv.ParseInt(header, 10, 64)
	if err != nil {
		n = 1
	}
	return time.Duration(max(1, min(n, int64(maxPause/time.Second)))) * time.Second
}

// unanswered is the error where Slack was not reached. It has no address: that of the
// socket holds a ticket.
func (a *api) unanswered(method string, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	for _, why := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, why) {
			return fmt.Errorf("slack: %s: %w", method, why)
		}
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Errorf("slack: %s: %w", method, context.DeadlineExceeded)
	}
	return fmt.Errorf("slack: %s: %s", method, a.clean(err.Error()))
}

// maxText bounds what is told of an answer, in runes.
const maxText = 300

// clean is a text of others for an error: one line, without secrets.
func (a *api) clean(text string) string {
	for _, secret := range a.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	text = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text), "")
	return limit(text, maxText)
}

// limit cuts a text to so many runes.
func limit(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

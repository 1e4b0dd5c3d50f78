package telegram

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
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An api calls the methods of one bot. The token is part of every address, so no
// address leaves it: not in an error, and not in the header of a redirect.
type api struct {
	client *http.Client
	base   string // ends in the token and a slash
	token  string
}

// callTime bounds a call, but for what a call waits for; maxAnswer bounds what is read
// of an answer, in bytes.
const (
	callTime  = 15 * time.Second
	maxAnswer = 4 << 20
)

func newAPI(o Options) (*api, error) {
	base := o.API
	if base == "" {
		base = defaultAPI
	}
	u, err := url.Parse(base)
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
	return &api{client, strings.TrimSuffix(base, "/") + "/bot" + o.Token + "/", o.Token}, nil
}

// isHere reports whether a host is this machine.
func isHere(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// An answer is what all methods answer.
type answer struct {
	OK         bool            `json:"ok"`
	Result     json.RawMessage `json:"result"`
	Code       int             `json:"error_code"`
	Text       string          `json:"description"`
	Parameters struct {
		RetryAfter int64 `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// call calls a method, within callTime, and decodes its result where out is not nil.
func (a *api) call(ctx context.Context, method string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	data, err := a.ask(ctx, method, in)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return a.unreadable(method, err)
	}
	return nil
}

// ask returns the result of a method.
func (a *api) ask(ctx context.Context, method string, in any) (json.RawMessage, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+method, bytes.NewReader(body))
	if err != nil {
		return nil, &channel.Refusal{Text: "the address of Telegram is wrong: correct api"}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "policyctl")
	got, err := a.client.Do(r)
	if err != nil {
		return nil, a.unanswered(method, err)
	}
	defer got.Body.Close()
	if got.StatusCode >= 300 && got.StatusCode < 400 {
		return nil, &channel.Refusal{Text: fmt.Sprintf("telegram: %s: %s sends elsewhere (%d), which is not followed; correct api", method, r.URL.Host, got.StatusCode)}
	}
	data, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer+1))
	if err != nil {
		return nil, a.unanswered(method, err)
	}
	if len(data) > maxAnswer {
		return nil, &tooLong{data}
	}
	var said answer
	if err := json.Unmarshal(data, &said); err != nil {
		if got.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("telegram: %s: %s answers %d", method, r.URL.Host, got.StatusCode)
		}
		return nil, a.unreadable(method, err)
	}
	if !said.OK {
		return nil, a.refused(method, &said)
	}
	return said.Result, nil
}

// A tooLong is the error of an answer of which only the beginning was read.
type tooLong struct{ beginning []byte }

func (*tooLong) Error() string {
	return fmt.Sprintf("telegram answers with more than %d MB", maxAnswer>>20)
}

// unanswered is the error where Telegram was not reached.
func (a *api) unanswered(method string, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	for _, why := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, why) {
			return fmt.Errorf("telegram: %s: %w", method, why)
		}
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Errorf("telegram: %s: %w", method, context.DeadlineExceeded)
	}
	return fmt.Errorf("telegram: %s: %s", method, a.clean(err.Error()))
}

func (a *api) unreadable(method string, err error) error {
	return fmt.Errorf("telegram: %s: the answer is not what the Bot API gives: %s", method, a.clean(err.Error()))
}

// maxText bounds what is told of an answer, in runes.
const maxText = 200

// clean is a text of others for an error: one line, without the token.
func (a *api) clean(text string) string {
	text = strings.ReplaceAll(text, a.token, "***")
	text = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text), "")
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + " …"
	}
	return text
}

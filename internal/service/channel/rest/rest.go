// Package rest asks the services of channels over HTTP, in JSON, and says in the words
// of package channel what a failure means: a [channel.Refusal], a [channel.Pause], or an
// error after which to try again.
//
// It follows no redirect, reads a bounded answer, and has no secret in an error. It
// tries nothing twice.
package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/outbound"
)

// A Client asks one service. It is safe for concurrent use and not changed once it is
// used.
type Client struct {
	// HTTP does the asking; nil stands for a client with time-outs that goes by the
	// proxy of the environment.
	HTTP *http.Client
	// Header goes with every request.
	Header http.Header
	// Secrets are taken out of errors, whatever the service answers.
	Secrets []string
	// Lasting reports whether to ask again is of no use after a status of 400 and above;
	// nil stands for all below 500 that do not speak of time.
	Lasting func(status int) bool
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// wholeTime bounds a request with the default client; maxAnswer is how much of an answer
// is read, in bytes.
const (
	wholeTime = 15 * time.Second
	maxAnswer = 256 << 10
)

// Do sends a body, nil for none, and returns what the service answers with success.
func (c *Client) Do(ctx context.Context, method, to string, header http.Header, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, &channel.Refusal{Text: "the address of the service is wrong: " + channel.Saying(outbound.Cause(err).Error(), c.Secrets...)}
	}
	for _, all := range []http.Header{c.Header, header} {
		for name, values := range all {
			r.Header[name] = values
		}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("User-Agent", cmp.Or(r.Header.Get("User-Agent"), "policyctl"))
	answer, err := c.client().Do(r)
	if err != nil {
		return nil, c.failed(r.URL, err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		if err != nil {
			return nil, c.failed(r.URL, err)
		}
		return data, nil
	}
	return nil, c.refused(answer, data)
}

// client is the one to use, which stays where it is sent.
func (c *Client) client() *http.Client {
	own := Untimed(c.HTTP)
	own.Timeout = wholeTime
	if c.HTTP != nil {
		own.Timeout = c.HTTP.Timeout
	}
	return own
}

// Untimed returns a client like another, or the usual one for nil, that stays where it
// is sent and leaves it to contexts how long a call may take.
func Untimed(like *http.Client) *http.Client {
	own := new(http.Client)
	if like != nil {
		*own = *like
	}
	own.Timeout, own.CheckRedirect = 0, outbound.Stay
	return own
}

// failed is the error where there is no answer.
func (c *Client) failed(to *url.URL, err error) error {
	err = outbound.Cause(err)
	if ctx := contextOf(err); ctx != nil {
		return fmt.Errorf("%s did not answer in time: %w", to.Host, ctx)
	}
	if inside := insideOf(err); inside != nil {
		return &channel.Refusal{Text: fmt.Sprintf("%s: %s", to.Host, inside)}
	}
	return fmt.Errorf("%s: %s", to.Host, channel.Saying(err.Error(), c.Secrets...))
}

// refused is the error for an answer that is no success.
func (c *Client) refused(answer *http.Response, data []byte) error {
	status, host := answer.StatusCode, answer.Request.URL.Host
	why := fmt.Sprintf("%s answers %d", host, status)
	if said := channel.Saying(saying(data), c.Secrets...); said != "" {
		why += ": " + said
	}
	lasting := c.Lasting
	if lasting == nil {
		lasting = isLasting
	}
	switch rest := c.rest(answer, data); {
	case status < 400:
		return &channel.Refusal{Text: fmt.Sprintf("%s sends elsewhere (%d), which is not followed; write the address that it leads to", host, status)}
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable && rest > 0:
		return &channel.Pause{For: max(rest, time.Second), Err: fmt.Errorf("%s", why)}
	case lasting(status):
		return &channel.Refusal{Text: why}
	}
	return fmt.Errorf("%s", why)
}

func isLasting(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status < 500
}

// rest is how long the service wants to be left alone: by the header, or by a member
// that has fractions of a second, as Discord writes it.
func (c *Client) rest(answer *http.Response, data []byte) time.Duration {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	var told struct {
		After float64 `json:"retry_after"`
	}
	if json.Unmarshal(data, &told) == nil && told.After > 0 && told.After <= time.Hour.Seconds() {
		return time.Duration(math.Ceil(told.After*1000)) * time.Millisecond
	}
	return outbound.RetryAfter(answer.Header.Get("Retry-After"), now())
}

// saying is what an answer says in the members in which services explain themselves.
func saying(data []byte) string {
	var told struct {
		Message string `json:"message"`
		Error   string `json:"error"`
		Detail  string `json:"detail"`
	}
	if json.Unmarshal(data, &told) != nil {
		return ""
	}
	return cmp.Or(told.Message, told.Error, told.Detail)
}

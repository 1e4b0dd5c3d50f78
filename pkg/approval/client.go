package approval

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Client speaks to the HTTP API of a service. It is safe for concurrent use.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// NewClient returns a client of the service at an address: an http or https
// URL, or "unix:" and the path of a socket. token is that of the caller, ""
// for none; a socket tells who the caller is.
func NewClient(address, token string) (*Client, error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		var d net.Dialer
		t := &http.Transport{MaxIdleConnsPerHost: maxIdle, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "unix", path)
		}}
		return &Client{"http://localhost", token, &http.Client{Transport: t, CheckRedirect: noRedirect}}, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("approval service %q: give an http or https URL, or unix: and a path", address)
	}
	if u.Scheme == "http" && token != "" && !isLoopback(u.Hostname()) {
		return nil, fmt.Errorf("approval service %q: a token travels readable over http: use https", address)
	}
	return &Client{strings.TrimRight(u.String(), "/"), token, &http.Client{Transport: connections(), CheckRedirect: noRedirect}}, nil
}

// maxIdle is how many connections to a service are kept while nobody asks: who asks for
// many calls at once would otherwise make nearly each of them anew.
const maxIdle = 64

// pool has the connections of all clients that ask over the network.
var pool struct {
	sync.Mutex
	of, own *http.Transport
}

// connections returns [http.DefaultTransport], as far as it can with more connections that
// are kept. Who embeds us may set another one at any time.
func connections() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	pool.Lock()
	defer pool.Unlock()
	if pool.of != t {
		pool.of, pool.own = t, t.Clone()
		pool.own.MaxIdleConnsPerHost = maxIdle
	}
	return pool.own
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// noRedirect keeps a token from going where it does not belong.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// maxAnswer bounds an answer of the service, in bytes.
const maxAnswer = 64 << 20

// submissionBody is a submission in the API.
type submissionBody struct {
	Key     string          `json:"key,omitempty"`
	Call    json.RawMessage `json:"call"`
	Asked   *Asked          `json:"asked,omitempty"`
	Timeout string          `json:"timeout,omitempty"`
	Waits   string          `json:"waits,omitempty"`
	Said    string          `json:"said,omitempty"`
}

// Submit asks for a call.
func (c *Client) Submit(ctx context.Context, in Submission) (*Request, error) {
	if in.Call == nil {
		return nil, &Invalid{"call: missing"}
	}
	call, err := policy.EncodeCall(in.Call)
	if err != nil {
		return nil, err
	}
	body := submissionBody{Key: in.Key, Call: call, Asked: in.Asked, Said: in.Said}
	if in.Timeout != 0 {
		body.Timeout = in.Timeout.String()
	}
	if in.Waits != 0 {
		body.Waits = in.Waits.String()
	}
	return c.request(ctx, http.MethodPost, "/v1/requests", body)
}

// Get returns a request.
func (c *Client) Get(ctx context.Context, id string) (*Request, error) {
	return c.request(ctx, http.MethodGet, requestPath(id), nil)
}

// List returns requests, the newest first.
func (c *Client) List(ctx context.Context, f Filter) ([]*Request, error) {
	q := url.Values{}
	for _, s := range f.States {
		q.Add("state", string(s))
	}
	for key, text := range map[string]string{"session": f.Session, "submitter": f.Submitter, "kind": f.Kind, "alike": f.Alike, "before": f.Before} {
		if text != "" {
			q.Set(key, text)
		}
	}
	if f.Limit != 0 {
		q.Set("limit", fmt.Sprint(f.Limit))
	}
	var out struct {
		Requests []*Request `json:"requests"`
	}
	return out.Requests, c.Do(ctx, http.MethodGet, "/v1/requests?"+q.Encode(), nil, &out)
}

// pollTime is how long the service holds one question for a decision, and
// retryTime the pause after it could not be reached.
const (
	pollTime  = 25 * time.Second
	retryTime = 500 * time.Millisecond
)

// Await returns the request as soon as it is no longer pending, or as it
// stands when ctx is done. A service that restarts meanwhile is asked again.
func (c *Client) Await(ctx context.Context, id string) (*Request, error) {
	var last *Request
	for {
		r, err := c.request(ctx, http.MethodGet, requestPath(id)+"?wait="+pollOf(ctx).String(), nil)
		switch {
		case err == nil && r.State != Pending:
			return r, nil
		case err == nil:
			last = r
		case ctx.Err() != nil && last != nil:
			return last, nil
		case ctx.Err() != nil || !isTemporary(err):
			return nil, err
		default:
			select {
			case <-ctx.Done():
			case <-time.After(retryTime):
			}
		}
	}
}

// pollOf returns how long the service may hold a question, so that its answer
// still comes before ctx is done.
func pollOf(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return pollTime
	}
	left := max(time.Until(deadline), 0)
	return min(pollTime, left-min(left/4, retryTime)).Truncate(time.Millisecond)
}

// isTemporary reports whether asking again may help.
func isTemporary(err error) bool {
	var answer *ServiceError
	if errors.As(err, &answer) {
		return answer.Status >= 500 || answer.Status == http.StatusTooManyRequests
	}
	var reach *url.Error
	return errors.As(err, &reach)
}

// Decide answers a request. Beside ErrDecided it returns the request with the
// decision that stands.
func (c *Client) Decide(ctx context.Context, id string, a Answer) (*Request, error) {
	return c.request(ctx, http.MethodPost, requestPath(id)+"/decision", a)
}

// Consume uses a receipt.
func (c *Client) Consume(ctx context.Context, receipt string) (*Request, error) {
	return c.request(ctx, http.MethodPost, "/v1/receipts/consume", map[string]string{"receipt": receipt})
}

// Report tells what became of a call.
func (c *Client) Report(ctx context.Context, id string, x Execution) (*Request, error) {
	return c.request(ctx, http.MethodPost, requestPath(id)+"/result", reportBody{x.Outcome, x.ExitCode, x.Detail})
}

type reportBody struct {
	Outcome  State  `json:"outcome"`
	ExitCode *int   `json:"exit_code,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

// Cancel takes a request back.
func (c *Client) Cancel(ctx context.Context, id string) (*Request, error) {
	return c.request(ctx, http.MethodPost, requestPath(id)+"/cancel", struct{}{})
}

// Revoke takes an approval back that was not used, by who may decide.
func (c *Client) Revoke(ctx context.Context, id, reason string) (*Request, error) {
	return c.request(ctx, http.MethodPost, requestPath(id)+"/revoke", reasonBody{reason})
}

type reasonBody struct {
	Reason string `json:"reason,omitempty"`
}

// Extend gives a pending request more time to be decided, by who may decide.
func (c *Client) Extend(ctx context.Context, id string, more time.Duration) (*Request, error) {
	return c.request(ctx, http.MethodPost, requestPath(id)+"/extend", map[string]string{"for": more.String()})
}

// DenySession denies what is pending of a session, and what comes of it. The
// zero time has no end.
func (c *Client) DenySession(ctx context.Context, session, reason string, until time.Time) (SessionDenial, error) {
	body := struct {
		Session string     `json:"session"`
		Reason  string     `json:"reason,omitempty"`
		Until   *time.Time `json:"until,omitempty"`
	}{Session: session, Reason: reason}
	if !until.IsZero() {
		body.Until = &until
	}
	var d SessionDenial
	return d, c.Do(ctx, http.MethodPost, "/v1/session-denials", body, &d)
}

// SessionDenials lists the denials that stand, the newest first.
func (c *Client) SessionDenials(ctx context.Context) ([]SessionDenial, error) {
	var out struct {
		Denials []SessionDenial `json:"denials"`
	}
	return out.Denials, c.Do(ctx, http.MethodGet, "/v1/session-denials", nil, &out)
}

// ReleaseSession ends the denial of a session. Without one the error is
// [ErrNotFound].
func (c *Client) ReleaseSession(ctx context.Context, session string) error {
	return c.Do(ctx, http.MethodDelete, "/v1/session-denials?"+url.Values{"session": {session}}.Encode(), nil, nil)
}

// Keys returns the keys that the service says it has. To trust them they must
// be compared with what the service printed elsewhere.
func (c *Client) Keys(ctx context.Context) (Keys, error) {
	var k Keys
	return k, c.Do(ctx, http.MethodGet, "/v1/keys", nil, &k)
}

func requestPath(id string) string { return "/v1/requests/" + url.PathEscape(id) }

// request sends a body and reads a request, which may stand beside an error.
func (c *Client) request(ctx context.Context, method, path string, body any) (*Request, error) {
	var r Request
	err := c.Do(ctx, method, path, body, &r)
	var answer *ServiceError
	if errors.As(err, &answer) {
		return answer.Request, err
	}
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// A ServiceError is an answer of a service that is no success. It unwraps to
// the error of this package that the service had, if any.
type ServiceError struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
	// Request is the request as it stands, nil where there is none.
	Request *Request `json:"request"`
}

// Error returns what the service said, and its hint.
func (e *ServiceError) Error() string {
	text := cmp.Or(e.Detail, http.StatusText(e.Status))
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return fmt.Sprintf("approval service: %s (%d)", text, e.Status)
}

// Codes are the codes of errors in the API.
var codes = map[string]error{
	"not-found": ErrNotFound, "mismatch": ErrMismatch, "self-decision": ErrSelf, "not-approver": ErrNotApprover,
	"too-many-pending": ErrTooMany, "decided": ErrDecided, "receipt-consumed": ErrConsumed,
	"receipt-not-consumed": ErrNotConsumed, "reported": ErrReported, "receipt": ErrReceipt,
	"altered": ErrAltered, "receipt-revoked": ErrRevoked, "not-approved": ErrNotApproved, "no-time": ErrNoTime, "policy-changed": ErrChanged,
}

// Unwrap returns the error that the code stands for.
func (e *ServiceError) Unwrap() error { return codes[e.Code] }

// CodeOf returns the code of an error in the API, "" if it has none.
func CodeOf(err error) string {
	for _, code := range sorted(codes) {
		if errors.Is(err, codes[code]) {
			return code
		}
	}
	return ""
}

// Do sends a body as JSON, nil for none, and reads the answer into a value.
// What is no success is a ServiceError.
func (c *Client) Do(ctx context.Context, method, path string, body, into any) error {
	res, err := c.Open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("approval service: %w", err)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("approval service: its answer is no JSON of ours: %w", err)
	}
	return nil
}

// maxTries bounds how often a client asks a service that is asked too often,
// maxPause how long it waits between two tries.
const (
	maxTries = 12
	maxPause = 10 * time.Second
)

// Open is [Client.Do] for an answer that is read as it comes. Its body must
// be closed. Where the service is asked too often, it waits as long as the
// service says, and asks again: nothing was done.
func (c *Client) Open(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	for try := 1; ; try++ {
		res, pause, err := c.send(ctx, method, path, text)
		if pause < 0 || try == maxTries {
			return res, err
		}
		select {
		case <-time.After(min(pause, maxPause)):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// send sends a body as JSON, nil for none. The pause is how long the service
// wants to be left alone; a negative one says that it did not say so.
func (c *Client) send(ctx context.Context, method, path string, body []byte) (_ *http.Response, pause time.Duration, err error) {
	var text io.Reader
	if body != nil {
		text = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, text)
	if err != nil {
		return nil, -1, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, -1, fmt.Errorf("approval service: %w", err)
	}
	if res.StatusCode < 300 {
		return res, -1, nil
	}
	defer res.Body.Close()
	err = readError(res)
	seconds, said := strconv.Atoi(res.Header.Get("Retry-After"))
	if res.StatusCode != http.StatusTooManyRequests || said != nil || seconds < 0 || errors.Is(err, ErrTooMany) {
		return nil, -1, err
	}
	return nil, time.Duration(seconds) * time.Second, err
}

func readError(res *http.Response) error {
	e := &ServiceError{}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil || json.Unmarshal(text, e) != nil {
		e = &ServiceError{Detail: fmt.Sprintf("this is not a policyctl service:  %.80q", text)}
	}
	e.Status = res.StatusCode
	return e
}

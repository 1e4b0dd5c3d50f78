// Package wire asks language models over HTTP, in the two forms that their servers
// speak: chat completions as OpenAI and local servers have them, and messages of
// Anthropic.
//
//	c, err := wire.New(wire.OpenAI, wire.Options{URL: "http://127.0.0.1:11434/v1"})
//	answer, err := c.Ask(ctx, &wire.Question{Model: "qwen3:8b", …})
//
// A client asks once and streams nothing. It does not know what the answer is for, and
// does not check it.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/outbound"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A Kind is a form of the API.
type Kind string

// The kinds.
const (
	OpenAI    Kind = "openai"
	Anthropic Kind = "anthropic"
)

// Kinds returns the names of the kinds.
func Kinds() []string { return []string{string(OpenAI), string(Anthropic)} }

// A Question is what a model is asked.
type Question struct {
	Model  string
	System string
	// Turns are what was said so far, that of the user first and last.
	Turns []Turn
	// Schema is the JSON schema of the answer, of which servers may know nothing.
	Schema json.RawMessage
	// MaxTokens bounds the answer.
	MaxTokens int
}

// A Turn is one message. Model says that it is the model's.
type Turn struct {
	Model bool
	Text  string
}

// An Answer is what a model said. What it cost stands there beside an error too.
type Answer struct {
	Text string
	// Model is the one that answered, as its server names it.
	Model string
	// In and Out count tokens; Cached is the part of In that the server had in its
	// cache.
	In, Out, Cached int64
}

// A NoAnswer is an error of a model that was asked and did not answer: it refused, or
// was cut short.
type NoAnswer struct{ Why string }

func (e *NoAnswer) Error() string { return e.Why }

// A StatusError is the answer of a server that is none of a model.
type StatusError struct {
	Code int
	Text string
	// After is how long the server wants to be left alone, 0 where it does not say.
	After time.Duration
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Code, http.StatusText(e.Code))
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

// A ConnectionError is the error of a server that was not reached, or with which the
// connection broke.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string { return e.Err.Error() }

// Unwrap returns what happened.
func (e *ConnectionError) Unwrap() error { return e.Err }

// Options are what a client works with.
type Options struct {
	// URL is the base of the API, "" for that of who made it.
	URL string
	// Key is the secret of the API, "" for none.
	Key string
	// HTTP sends, nil for a client of its own. Redirects are never followed.
	HTTP *http.Client
}

// A Client asks the models of one server. It is safe for concurrent use.
type Client struct {
	form form
	url  string
	key  string
	http *http.Client

	mu sync.Mutex
	// without are optional parameters that the server has refused.
	without map[string]bool
}

// A form is a form of the API as data.
type form struct {
	base, path string
	authorize  func(h http.Header, key string)
	// body makes a request without the parameters that are refused; read reads an
	// answer.
	body func(q *Question, without map[string]bool) any
	read func(text []byte) (Answer, error)
	// optional are the parameters that a server may refuse.
	optional []string
}

var forms = map[Kind]form{OpenAI: openAI, Anthropic: anthropic}

// New returns a client of a kind.
func New(k Kind, o Options) (*Client, error) {
	f, ok := forms[k]
	if !ok {
		return nil, fmt.Errorf("there is no API %q: write %s", k, strings.Join(Kinds(), " or "))
	}
	if o.URL == "" {
		o.URL = f.base
	}
	if err := CheckURL(o.URL, o.Key != ""); err != nil {
		return nil, err
	}
	c := &Client{form: f, url: strings.TrimRight(o.URL, "/") + f.path, key: o.Key, without: make(map[string]bool)}
	base := o.HTTP
	if base == nil {
		base = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	}
	own := *base
	own.CheckRedirect = outbound.Stay
	c.http = &own
	return c, nil
}

// CheckURL says why a URL cannot be the base of an API. What is asked is text of
// people's projects: it leaves the machine only encrypted, but for a server in a
// private network that wants no key.
func CheckURL(text string, withKey bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return fmt.Errorf("%q is not the base of an API: write a URL such as https://api.openai.com/v1", text)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("a URL with a user, a query or a fragment is not the base of an API: give the key with key_file or key_env")
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http":
		return fmt.Errorf("%q is not the base of an API: write https://, or http:// for this machine", text)
	}
	at, private := place(u.Hostname())
	switch {
	case at:
		return nil
	case private && !withKey:
		return nil
	case private:
		return fmt.Errorf("%s would send the key in the clear: use https://", text)
	}
	return fmt.Errorf("%s would send calls in the clear: use https://", text)
}

// place reports whether a host is this machine, or one of a private network.
func place(host string) (here, private bool) {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true, true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback(), err == nil && ip.IsPrivate()
}

// Ask asks a model. The error is a [NoAnswer], a [StatusError] or a [ConnectionError],
// or says that the server is none of this API.
func (c *Client) Ask(ctx context.Context, q *Question) (Answer, error) {
	for {
		body, err := json.Marshal(c.form.body(q, c.refused()))
		if err != nil {
			return Answer{}, err
		}
		text, err := c.post(ctx, body)
		switch {
		case err == nil:
			return c.read(text)
		case !c.learn(err, body):
			return Answer{}, err
		}
	}
}

// read reads what a server sent with status 200. Where it tells of an error as well, no
// answer counts.
func (c *Client) read(text []byte) (Answer, error) {
	var told struct {
		Error json.RawMessage `json:"error"`
	}
	if err := strictjson.DecodeOpen(text, &told); err != nil {
		return Answer{}, errForm
	}
	if len(told.Error) > 0 && string(told.Error) != "null" {
		return Answer{}, errors.New("the server tells of an error: " + c.told(text))
	}
	return c.form.read(text)
}

// refused returns the parameters that the server does not take.
func (c *Client) refused() map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.without)
}

// learn notes a parameter of a body that the server has refused by name, and reports
// whether to ask again without it. None is sent again, so that this ends.
func (c *Client) learn(err error, body []byte) bool {
	status, ok := errors.AsType[*StatusError](err)
	if !ok || status.Code != http.StatusBadRequest && status.Code != http.StatusUnprocessableEntity {
		return false
	}
	for _, name := range c.form.optional {
		if strings.Contains(status.Text, name) && bytes.Contains(body, []byte(`"`+name+`":`)) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.without[name] = true
			return true
		}
	}
	return false
}

package subscription

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A server is asked as OPA asks: a condition in If-None-Match, and the wish to
// wait in Prefer.
type server struct {
	address  address
	client   *http.Client
	header   func() (http.Header, error)
	longPoll time.Duration
	limit    int64
	patience time.Duration // for an answer, beyond the long poll
}

const (
	dialTime   = 10 * time.Second
	headTime   = 30 * time.Second
	answerTime = 2 * time.Minute
	maxHead    = 64 << 10
	redirects  = 5
)

func newServer(c Config, at address) *server {
	client := c.Client
	if client == nil {
		client = &http.Client{Transport: newTransport(c.LongPoll)}
	}
	own := *client // the caller's is not changed
	own.CheckRedirect = stay
	return &server{at, &own, c.Header, c.LongPoll, c.archiveLimit(), answerTime}
}

// newTransport keeps no connection between two polls: it would be idle for a
// minute, and hold a goroutine.
func newTransport(longPoll time.Duration) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialTime}).DialContext,
		TLSHandshakeTimeout:    dialTime,
		ResponseHeaderTimeout:  longPoll + headTime,
		MaxResponseHeaderBytes: maxHead,
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
	}
}

var (
	errElsewhere = errors.New("the server redirects to another host or scheme: subscribe to that address itself if you trust it")
	errRound     = fmt.Errorf("the server redirects more than %d times: check the URL", redirects)
)

// stay refuses a redirect that would carry the headers to another server.
func stay(r *http.Request, via []*http.Request) error {
	if first := via[0].URL; r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
		return errElsewhere
	}
	if len(via) > redirects {
		return errRound
	}
	return nil
}

var errSlow = fmt.Errorf("no complete answer in time (%w): check the server and the network", context.DeadlineExceeded)

func (s *server) get(ctx context.Context, tag string) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.longPoll+s.patience, errSlow)
	defer cancel()
	r, err := s.request(ctx, tag)
	if err != nil {
		return answer{}, err
	}
	response, err := s.client.Do(r)
	if err != nil {
		return answer{}, s.hide(r, outcomeOf(ctx, err))
	}
	defer response.Body.Close()
	a, err := s.read(response, tag)
	if err != nil {
		return answer{}, s.hide(r, outcomeOf(ctx, err))
	}
	return a, nil
}

func (s *server) request(ctx context.Context, tag string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address.url.String(), nil)
	if err != nil {
		return nil, errURL
	}
	if s.header != nil {
		h, err := s.header()
		if err != nil {
			return nil, fmt.Errorf("no headers for the request: %w", err)
		}
		r.Header = h.Clone()
	}
	if r.Header == nil {
		r.Header = make(http.Header)
	}
	r.Header.Set("User-Agent", "policyctl")
	r.Header.Set("Accept-Encoding", "identity") // the archive as it was signed
	r.Header.Set("Prefer", s.preference())
	r.Header.Del("If-None-Match")
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	return r, nil
}

// preference asks for whole bundles: a part of one bears no signature.
func (s *server) preference() string {
	if s.longPoll == 0 {
		return "modes=snapshot"
	}
	return "modes=snapshot;wait=" + strconv.FormatInt(int64(s.longPoll/time.Second), 10)
}

// outcomeOf finds the cause of an error of the client, without the URL that
// the client puts in front.
func outcomeOf(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) { // that of the caller
		return errSlow
	}
	if cause != nil {
		return cause
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

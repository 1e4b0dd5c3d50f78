package decisionlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// requestTime bounds one request.
	requestTime = 30 * time.Second
	// answerBytes bounds what is read of an answer.
	answerBytes = 16 << 10
	// answerShown is how much of it stands in an error.
	answerShown = 200
)

// run uploads what is in the buffer, a delay after something came in.
func (l *Logger) run(ctx context.Context) {
	defer close(l.done)
	failures := 0
	var atLeast time.Duration // as the server said
	for {
		select {
		case <-l.stop:
			return
		case <-l.wake:
		case <-l.others():
		}
		select {
		case <-l.stop:
			return
		case <-l.after(max(l.delay(failures), min(atLeast, l.config.MaxDelay))):
		}
		_, err := l.drain(ctx)
		if err == nil {
			failures, atLeast = 0, 0
			continue
		}
		failures++
		var refused *refusal
		if atLeast = 0; errors.As(err, &refused) {
			atLeast = refused.retryAfter
		}
		l.signal()
	}
}

// others fires when it is time to look for events of other processes.
func (l *Logger) others() <-chan time.Time {
	if l.config.Spool == nil {
		return nil
	}
	return l.after(l.config.MinDelay)
}

// delay returns how long to wait after some failures in a row: it doubles, and
// a random part of up to half is taken off so that loggers do not come all at
// once.
func (l *Logger) delay(failures int) time.Duration {
	d := l.config.MinDelay
	if failures == 0 {
		return d
	}
	for range failures {
		if d >= l.config.MaxDelay/2 {
			d = l.config.MaxDelay
			break
		}
		d *= 2
	}
	return max(l.config.MinDelay, d-time.Duration(l.random()*float64(d)/2))
}

// drain uploads what is in the buffer now. lost says what was dropped for good;
// after err the rest is still in the buffer and can be sent again.
func (l *Logger) drain(ctx context.Context) (lost, err error) {
	select {
	case l.sender <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.sender }()
	if mine, err := l.queue.begin(); err != nil || !mine {
		return nil, err
	}
	defer l.queue.end()
	mark := l.queue.mark()
	for {
		events, err := l.queue.front(mark)
		if err != nil || len(events) == 0 {
			return lost, err
		}
		body, n := l.packer.pack(events)
		if body == nil {
			lost = fmt.Errorf("an event is larger than a chunk of %d bytes and was dropped; raise the bound", l.packer.most)
			l.queue.reject(1, clean(lost))
			continue
		}
		if err := l.post(ctx, body); err != nil {
			if lost, err = l.failed(err, n, len(body), lost); err != nil {
				return lost, err
			}
			continue
		}
		l.packer.took()
		l.queue.sent(n, l.config.Now())
	}
}

// failed does what a failed request for n events asks for: to come again
// later, which is the error it returns, to try with less, or to drop them.
func (l *Logger) failed(err error, n, size int, lost error) (error, error) {
	l.queue.fail(clean(err))
	var refused *refusal
	switch errors.As(err, &refused); {
	case refused == nil || refused.again():
		return lost, err
	case refused.status == http.StatusRequestEntityTooLarge && n > 1:
		l.packer.halve(size)
		return lost, nil
	case n > 1: // perhaps for one of them
		l.packer.few = n / 2
		return lost, nil
	}
	l.queue.reject(n, clean(err))
	return err, nil
}

// A refusal is an answer other than success.
type refusal struct {
	status     int
	text       string
	retryAfter time.Duration
}

// Error says what the server answered.
func (r *refusal) Error() string {
	return fmt.Sprintf("the server answered %d %s: %s", r.status, http.StatusText(r.status), r.text)
}

// again reports whether the same request may succeed later: the server is in
// trouble, or it is the address or the token that it does not know.
func (r *refusal) again() bool {
	switch r.status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusTooEarly,
		http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired:
		return true
	}
	return r.status < 400 || r.status >= 500
}

// post sends one chunk.
func (l *Logger) post(ctx context.Context, body []byte) error {
	var header http.Header
	if l.config.Header != nil {
		h, err := l.config.Header()
		if err != nil {
			return fmt.Errorf("no header for the request: %w", err)
		}
		header = h.Clone()
	}
	if header == nil {
		header = make(http.Header)
	}
	header.Set("Content-Encoding", "gzip")
	return post(ctx, l.client, l.config.URL, header, body)
}

// post sends JSON and reads the answer up to a bound.
func post(ctx context.Context, client *http.Client, url string, header http.Header, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for k, v := range header {
		req.Header[k] = v
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, answerBytes))
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return &refusal{
		status: resp.StatusCode, text: string(bytes.ToValidUTF8(text[:min(len(text), answerShown)], nil)),
		retryAfter: time.Duration(min(max(seconds, 0), 1<<20)) * time.Second,
	}
}

// sameHost returns a client that follows a redirect only where the request
// stays what it is: the same host and scheme, and still a POST.
func sameHost(c *http.Client) *http.Client {
	client := *c
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0]
		const most = 5
		if len(via) > most || req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme || req.Method != first.Method {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &client
}

package subscription

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

var (
	errUnasked = errors.New("the server answered 304 (not modified) to a request without a condition: check the server or the cache before it")
	errEmpty   = errors.New("the server answered with nothing: publish the bundle")
	errPage    = errors.New("the server answered with a web page: check the URL, and whether it requires a login")
	errCut     = errors.New("the answer ended before its end: it will be asked for again")
)

// read takes the bundle from a response.
func (s *server) read(r *http.Response, tag string) (answer, error) {
	switch r.StatusCode {
	case http.StatusOK:
	case http.StatusNotModified:
		if tag == "" {
			return answer{}, errUnasked
		}
		return answer{tag: tag, unchanged: true}, nil
	default:
		return answer{}, statusError(r.StatusCode)
	}
	archive, err := s.body(r)
	if err != nil {
		return answer{}, err
	}
	return answer{archive: archive, tag: usable(r.Header.Get("ETag"))}, nil
}

func (s *server) body(r *http.Response) ([]byte, error) {
	if r.ContentLength > s.limit {
		return nil, tooLarge(s.limit)
	}
	if page(r.Header.Get("Content-Type")) {
		return nil, errPage
	}
	archive, err := io.ReadAll(io.LimitReader(r.Body, s.limit+1))
	switch {
	case int64(len(archive)) > s.limit:
		return nil, tooLarge(s.limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w (after %d bytes)", errCut, len(archive))
	case err != nil:
		return nil, err
	case len(archive) == 0:
		return nil, errEmpty
	case bytes.HasPrefix(bytes.TrimLeft(archive, "\ufeff \t\r\n"), []byte("<")):
		return nil, errPage
	}
	return archive, nil
}

// page reports whether a media type is one of documents for people.
func page(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "text/html" || media == "application/xhtml+xml")
}

// next says what to do about a status.
var next = map[int]string{
	http.StatusUnauthorized:      "check the credentials",
	http.StatusForbidden:         "check the credentials, and what they may read",
	http.StatusNotFound:          "check the URL, and that the bundle is published",
	http.StatusGone:              "check the URL, and that the bundle is published",
	http.StatusProxyAuthRequired: "check the credentials of the proxy",
	http.StatusTooManyRequests:   "poll less often",
}

// statusError says what a status means. What else the server wrote is left
// out: it may repeat credentials.
func statusError(status int) error {
	todo := next[status]
	switch {
	case todo != "":
	case status >= 500:
		todo = "look at the server; it will be asked again"
	case status >= 300 && status < 400:
		todo = "subscribe to the address that it names"
	default:
		todo = "check the URL and the server"
	}
	return fmt.Errorf("the server answered %s: %s", strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))), todo)
}

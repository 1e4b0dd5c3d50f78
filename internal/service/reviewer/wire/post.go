package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/outbound"
	"github.com/policyctl/policyctl/internal/support/redact"
)

// maxBody bounds an answer of a server, in bytes.
const maxBody = 1 << 20

// post sends a body and returns what comes back with status 200.
func (c *Client) post(ctx context.Context, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "policyctl")
	if c.key != "" {
		c.form.authorize(req.Header, c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, &ConnectionError{outbound.Cause(err)}
	}
	defer res.Body.Close()
	got, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, &StatusError{Code: res.StatusCode, Text: "it sends elsewhere, which is not followed: give the URL of the API itself"}
	case err != nil:
		return nil, &ConnectionError{fmt.Errorf("the answer broke off: %w", outbound.Cause(err))}
	case len(got) > maxBody:
		return nil, fmt.Errorf("the answer has more than %d bytes", maxBody)
	case res.StatusCode != http.StatusOK:
		return nil, &StatusError{Code: res.StatusCode, Text: c.told(got), After: after(res.Header)}
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/event-stream" {
		return nil, errors.New("the server streams, though it was not asked to")
	}
	return got, nil
}

// told is what a server says of an error, on one line and without secrets.
func (c *Client) told(text []byte) string {
	var form struct {
		Error json.RawMessage `json:"error"`
	}
	said := string(text)
	if json.Unmarshal(text, &form) == nil && len(form.Error) > 0 {
		said = string(form.Error)
		var inner struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(form.Error, &inner) == nil && inner.Message != "" {
			said = inner.Message
		}
	}
	const most = 300
	if len(said) > 4*most {
		said = strings.ToValidUTF8(said[:4*most], "")
	}
	if c.key != "" {
		said = strings.ReplaceAll(said, c.key, "…")
	}
	said, _ = redact.Text(said)
	said = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, said)
	said = strings.Join(strings.Fields(said), " ")
	if len(said) > most {
		said = strings.ToValidUTF8(said[:most], "") + "…"
	}
	return said
}

// after reads how long a server wants to be left alone.
func after(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > 3600 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// errForm is the error of an answer of another server than the one that was meant.
var errForm = errors.New("the answer is not in the form of the API: look at type and url in the settings")

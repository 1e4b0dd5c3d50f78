package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/rest"
	"github.com/policyctl/policyctl/internal/support/outbound"
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
	u, err := rest.Base(o.API, defaultAPI)
	if err != nil {
		return nil, err
	}
	return &api{rest.Untimed(o.HTTP), u, o.Token, []string{o.Token, o.AppToken, o.Secret}}, nil
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
		return &channel.Pause{For: max(time.Second, outbound.RetryAfter(got.Header.Get("Retry-After"), time.Now())), Err: fmt.Errorf("slack: %s: it is asked too often", method)}
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

// unanswered is the error where Slack was not reached. It has no address: that of the
// socket holds a ticket.
func (a *api) unanswered(method string, err error) error {
	return rest.Unanswered("slack: "+method, err, a.secrets...)
}

// clean is a text of others for an error: one line, without secrets.
func (a *api) clean(text string) string { return channel.Saying(text, a.secrets...) }

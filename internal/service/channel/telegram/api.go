package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/rest"
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
	u, err := rest.Base(o.API, defaultAPI)
	if err != nil {
		return nil, err
	}
	return &api{rest.Untimed(o.HTTP), strings.TrimSuffix(u.String(), "/") + "/bot" + o.Token + "/", o.Token}, nil
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
	return rest.Unanswered("telegram: "+method, err, a.token)
}

func (a *api) unreadable(method string, err error) error {
	return fmt.Errorf("telegram: %s: the answer is not what the Bot API gives: %s", method, a.clean(err.Error()))
}

// clean is a text of others for an error: one line, without secrets.
func (a *api) clean(text string) string { return channel.Saying(text, a.token) }

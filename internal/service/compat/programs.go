package compat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// health answers a client that knows one URL, whose token was looked at.
func (h *Handler) health(x *exchange) error {
	state, _ := h.b.Condition()
	code, ok := http.StatusOK, state != backend.Failing
	if !ok {
		code = http.StatusServiceUnavailable
	}
	return x.answer(code, map[string]any{"ok": ok, "status": state, "service": "policyctl"})
}

// submitProgram answers when somebody has decided. A client that hangs up
// leaves the request as it stands: the same submission joins it.
func (h *Handler) submitProgram(x *exchange) error {
	c, in, err := x.contract()
	if err != nil {
		return err
	}
	r, err := h.attempt(x.context(), x.who.Name, in)
	if err != nil {
		return err
	}
	if r, err = h.await(x, r); err != nil {
		return err
	}
	out, err := h.handOut(x, r)
	if err != nil {
		return err
	}
	out.ID = c.ID
	return x.answer(http.StatusOK, out)
}

// contract reads the body.
func (x *exchange) contract() (*contract, approval.Submission, error) {
	text, err := io.ReadAll(x.r.Body)
	if err != nil {
		return nil, approval.Submission{}, &unread{err}
	}
	var keys map[string]json.RawMessage
	if err := decode(bytes.NewReader(text), &keys); err != nil {
		return nil, approval.Submission{}, err
	}
	c, err := readContract(keys)
	if err != nil {
		return nil, approval.Submission{}, err
	}
	in, err := c.submission(text)
	return c, in, err
}

// await holds the answer back until a request is no longer pending.
func (h *Handler) await(x *exchange, r *approval.Request) (*approval.Request, error) {
	if r.State != approval.Pending {
		return r, nil
	}
	end, err := h.waits.Begin(x.who.Name)
	if err != nil {
		return nil, refuse(http.StatusTooManyRequests, "%v; wait for those", err)
	}
	defer end()
	if err := webguard.Hold(x.w, h.wait); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(x.context(), h.wait)
	defer cancel()
	r, err = h.b.Service.Await(ctx, r.ID)
	switch {
	case err != nil:
		return nil, err
	case r.State == approval.Pending && x.context().Err() != nil:
		return nil, refuse(http.StatusServiceUnavailable, "the service ends; the request stands: send it again to wait on")
	case r.State == approval.Pending:
		r, err = h.b.Service.Get(x.context(), r.ID) // it may be over in this very moment
	}
	if err == nil { // the token may have been revoked meanwhile
		err = h.credentials(x)
	}
	return r, err
}

// listPrograms lists programs, each once for a submitter: its newest attempt.
// The answer is a bare list, so that the next page is in a header.
func (h *Handler) listPrograms(x *exchange) error {
	f, err := x.filter()
	if err != nil {
		return err
	}
	f.Kind = approval.KindContract
	list, err := h.b.Service.List(x.context(), f)
	if err != nil {
		return err
	}
	out := []programRecord{}
	for _, r := range list {
		last, err := h.newest(x.context(), approval.Filter{Name: nameOf(r), Submitter: r.Submitter})
		if err != nil {
			return err
		}
		if last != nil && last.ID == r.ID {
			out = append(out, recordOf(x.who, last))
		}
	}
	for _, r := range slices.Backward(list) { // so that the newest of one name is the one that was seen
		h.show(x, r)
	}
	if len(list) == f.Limit {
		next := url.Values{"before": {list[len(list)-1].ID}, "limit": {strconv.Itoa(f.Limit)}}
		x.w.Header().Set("Link", "<?"+next.Encode()+`>; rel="next"`)
	}
	return x.answer(http.StatusOK, out)
}

// list returns requests as the identity may see them.
func (h *Handler) list(x *exchange, f approval.Filter) ([]*approval.Request, error) {
	list, err := h.b.Service.List(x.context(), f)
	if err != nil {
		return nil, err
	}
	for i, r := range list {
		seen, ok := backend.Views(x.who, r)
		if !ok {
			return nil, fmt.Errorf("the list has %s, which %s may not see", r.ID, x.who.Name)
		}
		list[i] = seen
	}
	return list, nil
}

func (h *Handler) showProgram(x *exchange) error {
	r, err := h.find(x)
	if err != nil {
		return err
	}
	if _, ok := backend.Views(x.who, r); !ok {
		return approval.ErrNotFound
	}
	h.show(x, r)
	return x.answer(http.StatusOK, recordOf(x.who, r))
}

// shown returns the request of the path as the identity may see it.
func (h *Handler) shown(x *exchange) (*approval.Request, error) {
	id, err := x.id()
	if err != nil {
		return nil, err
	}
	r, err := h.b.Service.Get(x.context(), id)
	if err != nil {
		return nil, err
	}
	seen, ok := backend.Views(x.who, r)
	if !ok {
		return nil, approval.ErrNotFound
	}
	return seen, nil
}

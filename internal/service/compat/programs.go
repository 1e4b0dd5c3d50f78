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

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// health answers a client that knows one URL, whose token was looked at.
func (h *Handler) health(x *route.Exchange) error {
	state, _ := x.Condition()
	code, ok := http.StatusOK, state != backend.Failing
	if !ok {
		code = http.StatusServiceUnavailable
	}
	return x.Answer(code, map[string]any{"ok": ok, "status": state, "service": "policyctl"})
}

// submitProgram answers when somebody has decided. A client that hangs up
// leaves the request as it stands: the same submission joins it.
func (h *Handler) submitProgram(x *route.Exchange) error {
	c, in, err := contractOf(x)
	if err != nil {
		return err
	}
	r, err := attempt(x, in)
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
	return x.Answer(http.StatusOK, out)
}

// contractOf reads the body.
func contractOf(x *route.Exchange) (*contract, approval.Submission, error) {
	text, err := io.ReadAll(x.R.Body)
	if err != nil {
		return nil, approval.Submission{}, webguard.OfBody(err)
	}
	var keys map[string]json.RawMessage
	if err := webguard.Decode(bytes.NewReader(text), &keys); err != nil {
		return nil, approval.Submission{}, webguard.OfBody(err)
	}
	c, err := readContract(keys)
	if err != nil {
		return nil, approval.Submission{}, err
	}
	in, err := c.submission(text, keys)
	in.Prover = x.Who.Scopes.Has(auth.Prove)
	return c, in, err
}

// await holds the answer back until a request is no longer pending.
func (h *Handler) await(x *route.Exchange, r *approval.Request) (*approval.Request, error) {
	if r.State != approval.Pending {
		return r, nil
	}
	free, err := x.Hold(h.waits, h.wait)
	if err != nil {
		return nil, err
	}
	defer free()
	ctx, cancel := context.WithTimeout(x.Context(), h.wait)
	defer cancel()
	r, err = x.Service.Await(ctx, r.ID)
	switch {
	case err != nil:
		return nil, err
	case r.State == approval.Pending && x.Context().Err() != nil:
		return nil, refuse(http.StatusServiceUnavailable, "the service is shutting down; the request is still open: send it again to keep waiting")
	case r.State == approval.Pending:
		r, err = x.Service.Get(x.Context(), r.ID) // it may be over in this very moment
	}
	if err == nil { // the token may have been revoked meanwhile
		err = x.Authenticate()
	}
	return r, err
}

// listPrograms lists programs, each once for a submitter: its newest attempt.
// The answer is a bare list, so that the next page is in a header.
func (h *Handler) listPrograms(x *route.Exchange) error {
	f, err := filterOf(x)
	if err != nil {
		return err
	}
	f.Kind = approval.KindContract
	list, err := x.Service.List(x.Context(), f)
	if err != nil {
		return err
	}
	out := []programRecord{}
	for _, r := range list {
		last, err := newest(x, approval.Filter{Name: nameOf(r), Submitter: r.Submitter})
		if err != nil {
			return err
		}
		if last != nil && last.ID == r.ID {
			out = append(out, recordOf(x.Who, last))
		}
	}
	for _, r := range slices.Backward(list) { // so that the newest of one name is the one that was seen
		h.show(x, r)
	}
	if len(list) == f.Limit {
		next := url.Values{"before": {list[len(list)-1].ID}, "limit": {strconv.Itoa(f.Limit)}}
		x.W.Header().Set("Link", "<?"+next.Encode()+`>; rel="next"`)
	}
	return x.Answer(http.StatusOK, out)
}

// list returns requests as the identity may see them.
func (h *Handler) list(x *route.Exchange, f approval.Filter) ([]*approval.Request, error) {
	list, err := x.Service.List(x.Context(), f)
	if err != nil {
		return nil, err
	}
	for i, r := range list {
		seen, ok := backend.Views(x.Who, r)
		if !ok {
			return nil, fmt.Errorf("the list has %s, which %s may not see", r.ID, x.Who.Name)
		}
		list[i] = seen
	}
	return list, nil
}

func (h *Handler) showProgram(x *route.Exchange) error {
	r, err := find(x)
	if err != nil {
		return err
	}
	if _, ok := backend.Views(x.Who, r); !ok {
		return approval.ErrNotFound
	}
	h.show(x, r)
	return x.Answer(http.StatusOK, recordOf(x.Who, r))
}

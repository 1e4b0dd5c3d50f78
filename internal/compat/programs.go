package compat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/backend"
	"github.com/policyctl/policyctl/internal/webguard"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A program is a submission of clauz3 as lists show it.
type program struct {
	ID        string          `json:"request_id"`
	Status    string          `json:"status"`
	Title     string          `json:"title"`
	Submitter string          `json:"submitter"`
	Created   time.Time       `json:"created_at"`
	Expires   time.Time       `json:"expires_at"`
	Request   json.RawMessage `json:"request"`
	Decision  *approval.Word  `json:"decision"`
	Feedback  string          `json:"feedback,omitempty"`
	Receipt   string          `json:"receipt,omitempty"`
	DecidedBy string          `json:"decided_by,omitempty"`
	DecidedAt *time.Time      `json:"decided_at,omitempty"`
}

// programOf returns a request that the identity has been shown.
func programOf(r *approval.Request) program {
	p := program{
		ID: r.ID, Status: status(r), Title: r.Title, Submitter: r.Submitter, Created: r.Created, Expires: r.Expires, Request: r.Contract,
	}
	if d := r.Decision; d != nil {
		p.Decision, p.Feedback, p.DecidedBy, p.DecidedAt = &d.Word, d.Reason, d.By, &d.At
	}
	if r.Receipt != nil {
		p.Receipt = r.Receipt.Text
	}
	return p
}

// submitProgram answers when somebody has decided. A client that hangs up
// leaves the request as it stands: the same submission joins it.
func (h *Handler) submitProgram(x *exchange) error {
	c, in, err := x.contract()
	if err != nil {
		return err
	}
	r, err := h.b.Service.Submit(x.context(), x.who.Name, in)
	if err != nil {
		return err
	}
	if r, err = h.await(x, r); err != nil {
		return err
	}
	return x.answer(http.StatusOK, h.decisionOf(r, c.ID))
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

func (h *Handler) listPrograms(x *exchange) error {
	f, err := x.filter()
	if err != nil {
		return err
	}
	f.Kind = approval.KindContract
	list, err := h.list(x, f)
	if err != nil {
		return err
	}
	out := struct {
		Requests []program `json:"requests"`
		Next     *string   `json:"next"`
	}{Requests: []program{}}
	for _, r := range list {
		out.Requests = append(out.Requests, programOf(r))
	}
	if len(list) == f.Limit {
		out.Next = &list[len(list)-1].ID
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
	r, err := h.shown(x)
	if err != nil {
		return err
	}
	if r.Kind != approval.KindContract {
		return approval.ErrNotFound
	}
	return x.answer(http.StatusOK, programOf(r))
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

package compat

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A client of clauz3 derives its request_id from the program, so that one name
// stands for every run of it, and for those of other submitters. Each run is an
// attempt: a request with an id of its own.

// attempt submits a program: it joins the submitter's attempt that still
// stands, or else begins the next one.
func attempt(x *route.Exchange, in approval.Submission) (*approval.Request, error) {
	last, err := newest(x, approval.Filter{Name: in.Name, Submitter: x.Who.Name})
	if err != nil {
		return nil, err
	}
	if last == nil {
		in.Key = in.Name
		return x.Service.Submit(x.Context(), x.Who.Name, in)
	}
	if stands(x, last) {
		in.Key = last.Key
		r, err := x.Service.Submit(x.Context(), x.Who.Name, in)
		if !errors.Is(err, approval.ErrMismatch) || last.State == approval.Pending {
			return r, err
		}
	}
	in.Key = in.Name + "/" + last.ID // of what comes at once, one is first and the others join it
	return x.Service.Submit(x.Context(), x.Who.Name, in)
}

// stands reports whether an attempt can still be joined: nobody has decided it,
// or it was approved and nobody came for the receipt.
func stands(x *route.Exchange, r *approval.Request) bool {
	return r.State == approval.Pending ||
		r.State == approval.Approved && r.Receipt.Consumed == nil && x.Now().Before(r.Receipt.Expires)
}

// newest returns the newest program that a filter chooses, as it stands now;
// nil for none.
func newest(x *route.Exchange, f approval.Filter) (*approval.Request, error) {
	f.Kind, f.Limit = approval.KindContract, 1
	list, err := x.Service.List(x.Context(), f)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return x.Service.Get(x.Context(), list[0].ID)
}

// nameOf returns the request_id of a program. One that an older version has
// stored has it as its id.
func nameOf(r *approval.Request) string { return cmp.Or(r.Name, r.ID) }

// byID returns the program whose own the id of the path is, nil for none.
func byID(x *route.Exchange) (*approval.Request, error) {
	r, err := x.Service.Get(x.Context(), x.ID)
	switch {
	case errors.Is(err, approval.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case r.Kind != approval.KindContract || nameOf(r) == x.ID:
		return nil, nil // what comes later may bear this name too
	}
	return r, nil
}

// find returns the program of the path: the one with that id, or of those
// that bear the name the newest that is pending, or the newest.
func find(x *route.Exchange) (*approval.Request, error) {
	r, err := byID(x)
	if err != nil || r != nil {
		return r, err
	}
	f := own(x)
	f.Name = x.ID
	for _, f.States = range [][]approval.State{{approval.Pending}, nil} {
		if r, err = newest(x, f); err != nil || r != nil {
			return r, err
		}
	}
	return nil, approval.ErrNotFound
}

// show remembers that an approver has seen a program, so that a decision under
// its name is about what they saw.
func (h *Handler) show(x *route.Exchange, r *approval.Request) {
	h.seen.Add(x.Who.Name+"\x00"+nameOf(r), r.ID)
}

// meant returns the program that somebody decides. A name alone could be that
// of another program by now: who submits could have the one that the approver
// saw end, and put another in its place.
func (h *Handler) meant(x *route.Exchange) (*approval.Request, error) {
	r, err := byID(x)
	if err != nil || r != nil {
		return r, err
	}
	f := approval.Filter{Kind: approval.KindContract, Name: x.ID, Limit: 2}
	all, err := x.Service.List(x.Context(), f)
	if err != nil {
		return nil, err
	}
	f.States = []approval.State{approval.Pending}
	pending, err := x.Service.List(x.Context(), f)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, approval.ErrNotFound
	case len(all) == 1:
		return all[0], nil
	case len(pending) > 1:
		return nil, refuse(http.StatusConflict, "several submitters ask under %s; decide each by its id, which the list gives", x.ID)
	}
	seen, ok := h.seen.Get(x.Who.Name + "\x00" + x.ID)
	if !ok {
		return nil, refuse(http.StatusConflict, "%s was asked more than once, and you have not seen the last attempt; look at it, or decide it by its id", x.ID)
	}
	return x.Service.Get(x.Context(), seen)
}

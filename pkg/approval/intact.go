package approval

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// intact says why a request does not show what its hash binds: somebody has
// changed one of the two where it is stored. People would approve what they
// see, and the receipt would be for something else.
//
// What it shows of a call beside the call itself is made of the call anew.
func (r *Request) intact() error {
	if r.Pruned != nil || len(r.Redacted) > 0 {
		if r.State == Pending || r.Closed == nil && r.Pruned == nil {
			return fmt.Errorf("%w: parts of it are gone, and it is not over", ErrAltered)
		}
		return nil // nobody is asked about it any more
	}
	bound, err := r.bound()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAltered, err)
	}
	if bound.Hash != r.Hash || bound.Kind != r.Kind {
		return fmt.Errorf("%w: its hash is %s, and that of what it shows is %s", ErrAltered, r.Hash, bound.Hash)
	}
	r.Alike = bound.Alike
	if r.Kind == KindCall {
		r.Tool, r.Session, r.Agent, r.Dir, r.Title = bound.Tool, bound.Session, bound.Agent, bound.Dir, bound.Title
	}
	return nil
}

// bound returns what a new request of the same call or program would hold.
func (r *Request) bound() (*Request, error) {
	again := &Request{}
	if len(r.Call) == 0 {
		err := again.fillContract(&Submission{Contract: r.Contract})
		if r.Kind == KindTest { // of which nothing runs
			again.Kind = KindTest
		}
		return again, err
	}
	if len(r.Contract) > 0 {
		return nil, fmt.Errorf("it has a call and a program")
	}
	c, err := policy.DecodeCall(r.Call)
	if err != nil {
		return nil, err
	}
	return again, again.fillCall(&Submission{Call: c})
}

package approval

import (
	"encoding/json"
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// programCall returns the call that stands for a proved program, so that a policy can say
// something of it. Its arguments are those of the contract; in place of the text of the
// program, which is no command, they have its size. What a contract says is the client's
// word; prover says that the client is trusted to have proved it.
func programCall(contract json.RawMessage, prover bool) (*policy.Call, error) {
	input, err := policy.DecodeObject(contract)
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	delete(input, "program_bytes")
	if text, ok := input["program"].(string); ok {
		input["program_bytes"] = json.Number(fmt.Sprint(len(text)))
	}
	delete(input, "program")
	input["prover"] = prover
	return &policy.Call{Tool: KindContract, Input: input}, nil
}

// called returns the call of a submission, or the one that stands for its program.
func (in *Submission) called() (*policy.Call, error) {
	if in.Call != nil {
		return in.Call, nil
	}
	return programCall(in.Contract, in.Prover)
}

// called returns the call of a request, or the one that stands for its program; nil for a
// test.
func (r *Request) called() (*policy.Call, error) {
	var c *policy.Call
	var err error
	switch {
	case len(r.Call) > 0:
		c, err = policy.DecodeCall(r.Call)
	case r.Kind == KindContract:
		c, err = programCall(r.Contract, r.own().Prover)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAltered, err)
	}
	return c, nil
}

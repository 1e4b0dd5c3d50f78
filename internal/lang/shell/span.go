package shell

import (
	"encoding/json"
)

// A Span is the range of bytes [From, To) of [eval.Line.Source]. In JSON it is the
// list of the two.
type Span struct{ From, To int }

// MarshalJSON encodes the span as a list of two numbers.
func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{s.From, s.To}) }

// UnmarshalJSON accepts what MarshalJSON returns.
func (s *Span) UnmarshalJSON(data []byte) error {
	var at [2]int
	if err := json.Unmarshal(data, &at); err != nil {
		return err
	}
	*s = Span{at[0], at[1]}
	return nil
}

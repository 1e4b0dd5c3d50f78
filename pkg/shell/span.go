package shell

import "encoding/json"

// A Span is the range of bytes [From, To) of [Line.Source]. In JSON it is the
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

// Text returns the part of the source that a span names. What of the span lies
// outside is left out.
func (l *Line) Text(s Span) string {
	from := min(max(s.From, 0), len(l.Source))
	return l.Source[from:min(max(s.To, from), len(l.Source))]
}

package doom

import "fmt"

// Finding reports whether a call is part of a loop. The zero value means that it
// is not.
type Finding struct {
	// Loop says that the call repeats what came before. Beside an error it is
	// true, and Period and Count are zero.
	Loop bool
	// Period is 1 for identical calls in a row, 2 to 4 for a cycle of so many
	// calls.
	Period int
	// Count is how often the call, or the whole cycle, has come, this time
	// included. It stops growing where the 64 calls remembered end.
	Count int
}

// String returns a clause for people, such as "the same call 3 times in a
// row", "the same 2 calls 4 times over" or "no loop".
func (f Finding) String() string {
	if !f.Loop {
		return "no loop"
	}
	if f.Period == 0 {
		return "a call that could not be compared with the earlier ones"
	}
	if f.Period == 1 {
		return fmt.Sprintf("the same call %d times in a row", f.Count)
	}
	return fmt.Sprintf("the same %d calls %d times over", f.Period, f.Count)
}

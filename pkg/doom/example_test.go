package doom_test

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/doom"
)

func ExampleDetector_Observe() {
	d := doom.New(0)
	args := []byte(`{"command":"javac Main.java"}`)
	for _, id := range []string{"call-1", "call-2", "call-2", "call-3"} {
		call := doom.Call{ID: id, Key: doom.KeyOf("coder", "shell", "/src", args)}
		found, err := d.Observe("session-1", call, doom.Limits{})
		fmt.Println(id, found, err)
	}
	// Output:
	// call-1 no loop <nil>
	// call-2 no loop <nil>
	// call-2 no loop <nil>
	// call-3 the same call 3 times in a row <nil>
}

// A host that serves many sessions reads from the count whether its detector is
// too small: a session that is forgotten starts its loops anew.
func ExampleDetector_Evicted() {
	d := doom.New(1)
	for _, session := range []string{"first", "second"} {
		call := doom.Call{ID: "1", Key: doom.KeyOf("claude", "shell", "/project", []byte("make"))}
		if _, err := d.Observe(session, call, doom.Limits{}); err != nil {
			panic(err)
		}
	}
	fmt.Println(d.Evicted())
	// Output: 1
}

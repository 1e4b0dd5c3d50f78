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

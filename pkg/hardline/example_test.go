package hardline_test

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func ExampleMatch() {
	home := "/home/dev"
	for _, text := range []string{`sh -c 'rm -rf "$HOME"'`, "rm -rf build", "echo 'rm -rf /'"} {
		line := eval.Read(text, eval.Env{Dir: "/home/dev/project", Home: home})
		f, ok := hardline.Match(&hazard.Scene{Line: line, Home: home})
		if ok {
			fmt.Println(f.Rule.ID, "since it", f.Rule.Why)
		} else {
			fmt.Println("not catastrophic")
		}
	}
	// Output:
	// home-delete since it deletes a home directory
	// not catastrophic
	// not catastrophic
}

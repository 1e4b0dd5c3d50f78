package dangerous_test

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func ExampleFind() {
	line := eval.Read("git fetch && git reset --hard", eval.Env{Dir: "/home/dev/project", Home: "/home/dev"})
	s := &hazard.Scene{Line: line, Home: "/home/dev"}
	for i := range line.Commands {
		if f, ok := dangerous.Find(s, i); ok {
			fmt.Printf("%s: %q %s\n", f.Rule.ID, line.Source[f.Span.From:f.Span.To], f.Rule.Why)
		}
	}
	// Output: git-reset-hard: "git reset --hard" discards uncommitted changes
}

package eval_test

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
)

// Every simple command of a line is found, however deep, with its words
// resolved as far as they are known.
func ExampleRead() {
	line := eval.Read(`cd src && sudo sh -c "rm -r bui''ld" > /tmp/log`, eval.Env{Dir: "/home/dev", Home: "/home/dev"})
	for _, c := range line.Commands {
		dir, _ := c.Dir.Literal()
		fmt.Print(dir, ":")
		for _, w := range c.Words {
			fmt.Print(" ", w.Values)
		}
		c.Effects(func(e command.Effect) bool {
			fmt.Print("; ", e.Kind, " ", e.Target.Values)
			return true
		})
		fmt.Println()
	}
	// Output:
	// /home/dev: [cd] [src]
	// /home/dev/src: [sudo] [sh] [-c] [rm -r bui''ld]; writes [/tmp/log]
	// /home/dev/src: [sh] [-c] [rm -r bui''ld]
	// /home/dev/src: [rm] [-r] [build]; deletes [build]
}

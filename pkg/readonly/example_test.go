package readonly_test

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/readonly"
)

func ExampleProver_Prove() {
	p := readonly.Prover{Home: "/home/dev", Reasons: true}
	for _, text := range []string{"grep -rn TODO src | head", "sed -i s/a/b/ main.go"} {
		line := eval.Read(text, eval.Env{Dir: "/home/dev/project", Home: "/home/dev"})
		for i := range line.Commands {
			proof := p.Prove(line, i)
			fmt.Printf("%s %v %q\n", line.Commands[i].Name, proof.Proved, proof.Why)
		}
	}
	// Output:
	// grep true ""
	// head true ""
	// sed false "the option -i of sed edits the file in place"
}

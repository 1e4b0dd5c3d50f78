package dangerous

import (
	"fmt"
	"os"
	"strings"
	"testing"

	. "github.com/policyctl/policyctl/pkg/shell"
)

func TestDump(t *testing.T) {
	src := os.Getenv("SRC")
	for _, s := range strings.Split(src, "@@") {
		l := Read(s, Env{Dir: "/home/dev/project", Home: "/home/dev"})
		fmt.Printf("== %s\n", s)
		if l.Problem != nil {
			fmt.Println("PROBLEM", *l.Problem)
		}
		for i, c := range l.Commands {
			fmt.Printf("%d name=%q", i, c.Name)
			for _, w := range c.Words {
				fmt.Printf(" [%s", strings.Join(w.Values, "|"))
				if w.Open {
					fmt.Printf(" open:%q", w.Prefix)
				}
				if w.Glob {
					fmt.Printf(" glob:%q", w.Prefix)
				}
				if w.Many {
					fmt.Print(" many")
				}
				fmt.Print("]")
			}
			fmt.Printf(" dir=%v parent=%d src=%d place=%b sub=%q payload=%d ctx=%v span=%q", c.Dir.Values, c.Parent, c.Source, c.Place, c.Args.Sub, c.Args.Payload, c.Context, l.Source[c.Span.From:c.Span.To])
			for _, o := range c.Args.Options {
				fmt.Printf(" -%s", o.Name)
				if o.Spec == nil {
					fmt.Print("(?)")
				}
				if o.HasArg {
					fmt.Printf("=%v", o.Arg.Values)
				}
			}
			for _, o := range c.Args.Operands {
				fmt.Printf(" @%d:%d", o.At, o.Role)
			}
			for _, a := range c.Assigns {
				fmt.Printf(" %s:=%v/%v", a.Name, a.Value.Values, a.Value.Open)
			}
			for _, a := range c.Redirects {
				fmt.Printf(" %s%s%v", a.Fd, a.Op, a.Target.Values)
			}
			if c.HasInput {
				fmt.Printf(" INPUT=%q/%v", c.Input.Values, c.Input.Open)
			}
			if c.Opaque != "" {
				fmt.Printf(" OPAQUE(%s)", c.Opaque)
			}
			for e := range c.Effects {
				fmt.Printf(" {%v %v}", e.Kind, e.Target.Values)
			}
			fmt.Println()
		}
	}
}

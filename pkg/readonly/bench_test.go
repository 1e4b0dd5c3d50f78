package readonly

import (
	"github.com/policyctl/policyctl/internal/eval"
	"testing"
)

// proveLines are lines of the usual lengths and shapes, the median one first.
var proveLines = []struct{ name, line string }{
	{"Median", `cd /home/dev/project && grep -rn "func NewServer" --include='*.go' internal cmd | head -20`},
	{"Plain", "ls -la"},
	{"Sed", "sed -n '120,260p' /home/dev/project/internal/service/server/server.go"},
	{"Find", `find . -type f -name '*.go' -not -path './vendor/*' -exec grep -l x {} +`},
	{"Awk", `ps aux | awk '$3 > 1.0 {print $2, $11}' | sort -rn | head -5`},
	{"Git", "git log --oneline --no-decorate -10"},
	{"Loop", `for f in a.go b.go; do echo "== $f"; sed -n '1,25p' "$f"; done`},
}

func BenchmarkProve(b *testing.B) {
	p := &Prover{Home: testHome}
	for _, r := range proveLines {
		b.Run(r.name, func(b *testing.B) {
			l := eval.Read(r.line, eval.Env{Dir: "/home/dev/project", Home: testHome})
			b.ReportAllocs()
			for b.Loop() {
				for i := range l.Commands {
					if proof := p.Prove(l, i); !proof.Proved {
						b.Fatal(proof.Why)
					}
				}
			}
		})
	}
}

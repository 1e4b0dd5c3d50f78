package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/record"
)

// TestHostileLines bounds what the records of one line may cost.
func TestHostileLines(t *testing.T) {
	e := plainEngine(t)
	for _, line := range []string{
		strings.Repeat("curl a b c d -o e -o f -o g -o h;", 3500),
		"curl " + strings.Repeat("a.b ", 30000),
		"cp " + strings.Repeat("x ", 60000),
		strings.Repeat("psql -c 'drop table a,b,c,d,e';", 4000),
		"psql -c '" + strings.Repeat("select 1;", 12000) + "'",
		"psql -c '" + strings.Repeat("(", 60000) + strings.Repeat("from a,", 8000) + "'",
		"kubectl delete " + strings.Repeat("a/b ", 30000),
		"kubectl delete " + strings.Repeat("a,", 60000),
	} {
		in := input(t, e, shellCall(line))
		took := cputime.Of(func() {
			if _, err := record.Derive(in, record.Everything); err != nil {
				t.Error(err)
			}
		})
		if took > 5*time.Second {
			t.Errorf("%.40s…: took %s", line, took)
		}
	}
}

// TestManyRedirects bounds what it costs to tell whether each command of a line
// does no more than read beside its redirection.
func TestManyRedirects(t *testing.T) {
	in := input(t, plainEngine(t), shellCall(strings.Repeat("ls >a; ", 4000)))
	took := cputime.Of(func() {
		if _, err := record.Derive(in, record.Everything); err != nil {
			t.Error(err)
		}
	})
	if took > time.Second*cputime.Slower {
		t.Errorf("took %s", took)
	}
}

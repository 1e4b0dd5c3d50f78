package sensitive

import (
	"math/rand/v2"
	"testing"
)

// What tells elements apart at a glance says what following them says.
func TestMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := func(letters string) string {
		out := make([]byte, 1+rng.IntN(5))
		for i := range out {
			out[i] = letters[rng.IntN(len(letters))]
		}
		return string(out)
	}
	agreed := map[overlap]int{}
	for range 200_000 {
		pat, glob := text("ab.*"), text(`ab.*?[]\!`)
		e := compileElem(pat)
		work := maxMeet
		want := meetFrom(pat, []byte(glob), stem(pat), &work)
		if pat[0] == '.' && glob[0] != '.' && glob[0] != '\\' {
			want = overlap{} // nothing stands for a dot at the start
		}
		got := e.meets([]byte(glob))
		if got.ok != want.ok || got.ok && got != want {
			t.Fatalf("%s and %s: got %+v, want %+v", pat, glob, got, want)
		}
		agreed[got]++
		if matched := e.matches([]byte(glob)); matched != matchElem(pat, []byte(glob)) {
			t.Fatalf("%s matches %s: %v", pat, glob, matched)
		}
	}
	for _, o := range []overlap{{}, {ok: true}, {true, true}} {
		if agreed[o] < 1000 {
			t.Errorf("only %d pairs are %+v", agreed[o], o)
		}
	}
}

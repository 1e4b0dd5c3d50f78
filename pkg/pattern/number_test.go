package pattern

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"testing"
)

// TestNumbersAreExact compares with fractions of whole numbers.
func TestNumbersAreExact(t *testing.T) {
	w := newWorld(t)
	values := []any{0.1, 0.1 + 0.2, 0.3, -0.1, 1e15, 1e16, 9007199254740993.0, 5e-324, math.MaxFloat64, 1e300, 1e-300, 0.0, math.Copysign(0, -1)}
	for range 150 {
		values = append(values, json.Number(w.decimal()), math.Float64frombits(w.Uint64()), float64(w.IntN(1000))/8, json.Number(fmt.Sprint(w.Float64())))
	}
	equal := 0
	for _, a := range values {
		x, ok := numberOf(a)
		want, isNumber := exactly(a)
		if ok != isNumber {
			t.Fatalf("%v is a number: %t", a, ok)
		}
		for _, b := range values {
			y, ok := numberOf(b)
			other, _ := exactly(b)
			if !ok || !isNumber {
				continue
			}
			if got := x.compare(y); got != want.Cmp(other) {
				t.Fatalf("%v and %v: %d, not %d (%+v %+v)", a, b, got, want.Cmp(other), x, y)
			}
			if (x == y) != (want.Cmp(other) == 0) {
				t.Fatalf("%v and %v: the same is %t", a, b, x == y)
			}
			if x == y {
				equal++
			}
		}
	}
	if equal < len(values)/2 {
		t.Errorf("only %d are equal", equal)
	}
}

func (w world) decimal() string {
	text := draw(w, []string{"", "-"}) + fmt.Sprint(w.IntN(20))
	if w.IntN(2) == 0 {
		text = fmt.Sprint(w.Int64())
	}
	if w.IntN(2) == 0 {
		text += "." + w.letters("0012359", 20) + "0"
	}
	if w.IntN(3) == 0 {
		text += fmt.Sprintf("e%d", w.IntN(60)-30)
	}
	return text
}

// exactly returns the decimal number that a value is printed as.
func exactly(v any) (*big.Rat, bool) {
	if f, ok := v.(float64); ok {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, false
		}
		v = json.Number(fmt.Sprint(f))
	}
	return new(big.Rat).SetString(string(v.(json.Number)))
}

package strictjson

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// A number is written as a double if that is the number as it was written:
// arbitrary precision says the same.
func TestEqualNumbers(t *testing.T) {
	for _, mantissa := range strings.Fields("1 10 1.0 0.1 00.5 12345678901234567 9007199254740993 9007199254740992 1.50 0.30000000000000004 123.456000 5 4.9406564584124654") {
		for _, exponent := range []string{"", "e0", "E+2", "e-3", "e-324", "e-300", "e22", "e-0007", "e292"} {
			for _, sign := range []string{"", "-"} {
				text := sign + mantissa + exponent
				f, err := strconv.ParseFloat(text, 64)
				if err != nil || f == 0 {
					continue
				}
				written, _ := new(big.Rat).SetString(text)
				shortest, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
				if got, want := equalNumbers(text, f), written.Cmp(shortest) == 0; got != want {
					t.Errorf("%s: %v, want %v", text, got, want)
				}
			}
		}
	}
}

package approval

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

// The canonical form is that of another implementation.
func TestCanonical(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0.5`, `1e21`, `1e-7`, `123456789012345680000`, `5e-324`, `1.7976931348623157e308`, `""`,
		`"\u0000\u0001\b\t\n\f\r\u001f \"\\/<>&\u007f\u0080é€\u2028\u2029😀"`, `[]`, `{}`, `[1,[2,{"a":[]}],"x"]`,
		`{"b":1,"a":2,"":3,"B":4,"aa":5,"a\u0000":6}`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"😀":5,"\u0080":6,"ö":7,"\ud7ff":8,"\ue000":9,"\uffff":10,"𐀀":11}`,
		`{"a😀":1,"a\ufb33":2,"a\u20ac":3,"aé":4,"ab":5}`,
	} {
		want, err := jcs.Transform([]byte("[" + text + "]"))
		if err != nil {
			t.Fatal(text, err)
		}
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(text, err)
		}
		got, err := appendCanonical(nil, v)
		if err != nil || "["+string(got)+"]" != string(want) {
			t.Errorf("%s: %s, want %s, %v", text, got, want, err)
		}
	}
	if _, err := appendCanonical(nil, 1); err == nil {
		t.Error("another type is no error")
	}
}

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

package strictjson_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/input/*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		in, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata/output", filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		var v any // with doubles, as the RFC has it
		if err := json.Unmarshal(in, &v); err != nil {
			t.Fatal(file, err)
		}
		if got := strictjson.Append(nil, v); string(got) != string(want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// The doubles of appendix B.
func TestDoubles(t *testing.T) {
	for _, r := range []struct {
		bits uint64
		want string
	}{
		{0x0000000000000000, "0"},
		{0x8000000000000000, "0"},
		{0x0000000000000001, "5e-324"},
		{0x8000000000000001, "-5e-324"},
		{0x7fefffffffffffff, "1.7976931348623157e+308"},
		{0xffefffffffffffff, "-1.7976931348623157e+308"},
		{0x4340000000000000, "9007199254740992"},
		{0xc340000000000000, "-9007199254740992"},
		{0x4430000000000000, "295147905179352830000"},
		{0x44b52d02c7e14af5, "9.999999999999997e+22"},
		{0x44b52d02c7e14af6, "1e+23"},
		{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
		{0x444b1ae4d6e2ef4e, "999999999999999700000"},
		{0x444b1ae4d6e2ef4f, "999999999999999900000"},
		{0x444b1ae4d6e2ef50, "1e+21"},
		{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
		{0x3eb0c6f7a0b5ed8d, "0.000001"},
		{0x41b3de4355555553, "333333333.3333332"},
		{0x41b3de4355555554, "333333333.33333325"},
		{0x41b3de4355555555, "333333333.3333333"},
		{0x41b3de4355555556, "333333333.3333334"},
		{0x41b3de4355555557, "333333333.33333343"},
		{0xbecbf647612f3696, "-0.0000033333333333333333"},
		{0x43143ff3c1cb0959, "1424953923781206.2"},
		{0x7fffffffffffffff, `"NaN"`}, // no JSON: the RFC has an error
		{0x7ff0000000000000, `"+Inf"`},
	} {
		if got := strictjson.Append(nil, math.Float64frombits(r.bits)); string(got) != r.want {
			t.Errorf("%x: %s, want %s", r.bits, got, r.want)
		}
	}
}

// A number that no double is keeps its digits: two calls must not have one
// text.
func TestNumbers(t *testing.T) {
	for text, want := range map[json.Number]string{
		"1": "1", "1.0": "1", "1e3": "1000", "100e-2": "1", "-0": "0", "0e9": "0", "4.50": "4.5", "1E30": "1e+30", "0.1": "0.1",
		"9007199254740993": "9007199254740993", "1e400": "1e400", "1e-400": "1e-400", "0.30000000000000004": "0.30000000000000004",
		"333333333.33333329": "333333333.33333329", "x": `"x"`,
	} {
		if got := string(strictjson.Append(nil, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

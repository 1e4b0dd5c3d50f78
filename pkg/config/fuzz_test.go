package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
)

// loose are settings that no error may let through.
func loose() policy.Settings {
	return policy.Settings{Mode: policy.Skip, Yolo: true, Confirm: policy.DangerousOnly, AutoAllowReadonly: true}
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// holds checks the laws of loading one file.
func holds(t *testing.T, data []byte) {
	t.Helper()
	l, err := Load(loose(), File{Layer: User, Name: "p", Data: data, Admit: Everything})
	again, errAgain := Load(loose(), File{Layer: User, Name: "p", Data: data, Admit: Everything})
	if !reflect.DeepEqual(l, again) || !reflect.DeepEqual(err, errAgain) {
		t.Errorf("two loads of %q differ", data)
	}
	if err != nil && !reflect.DeepEqual(l.Settings, policy.Settings{}) {
		t.Errorf("settings beside an error: %+v", l.Settings)
	}
	var all Problems
	if err != nil && !errors.As(err, &all) {
		t.Errorf("an error of type %T", err)
	}
	for _, p := range append(all, l.Warnings...) {
		if p.Line < 1 || p.Column < 1 || p.Text == "" || strings.ContainsFunc(p.Text+p.Hint, unprintable) {
			t.Errorf("%q has the problem %+v", data, p)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, tc := range bodies {
		f.Add([]byte("version: 1\n" + tc.in))
	}
	for _, tc := range files {
		if len(tc.in) < 1000 {
			f.Add([]byte(tc.in))
		}
	}
	for _, name := range []string{"testdata/full.yaml", "testdata/bad.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(holds)
}

func FuzzSet(f *testing.F) {
	for _, tc := range assignments {
		f.Add(tc.in)
	}
	for _, tc := range misassignments {
		f.Add(tc.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, err := set(loose(), in)
		if err != nil && !reflect.DeepEqual(s, policy.Settings{}) {
			t.Errorf("settings beside an error: %+v", s)
		}
		if err == nil && !strings.Contains(in, "=") {
			t.Errorf("%q is no assignment", in)
		}
	})
}

// Each line of a sound policy, left out, doubled or spoilt, gives a policy or
// an error, never both.
func TestSpoiltPolicies(t *testing.T) {
	lines := strings.SplitAfter(string(read(t, "full.yaml")), "\n")
	for i := range lines {
		head, tail := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		for _, line := range []string{"", lines[i] + lines[i], " " + lines[i], strings.Replace(lines[i], ":", "", 1), strings.ToUpper(lines[i])} {
			holds(t, []byte(head+line+tail))
		}
	}
}

// hostile units, repeated, must cost no more than the bytes that they are.
var hostile = []string{"[", "- ", "? ", "{a: ", "a: #\n", "- #\n", "&a ", "- &a b\n", "- *a\n", "x: y\n", "\t\n", "\"", "- git x\n", "  - shel rm\n", "# \x00\n"}

// Many names must not be compared each with each.
func TestHostileNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\ntools:\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "  t%x: {groups: [g%x]}\n", i, i)
	}
	b.WriteString("security:\n  tool_policy:\n    groups:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "      h%x: deny\n", i)
	}
	b.WriteString("permissions:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  tt%x ls: deny\n", i)
	}
	if b.Len() > maxSize {
		t.Fatalf("%d bytes", b.Len())
	}
	if d := cputime.Of(func() { holds(t, []byte(b.String())) }); d > 15*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestHostileInputs(t *testing.T) {
	for _, unit := range hostile {
		for _, head := range []string{"", "version: 1\npermissions:\n"} {
			holds(t, []byte(head+strings.Repeat(unit, maxSearch/len(unit))))
		}
	}
}

package sed_test

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/support/sed"
)

// What GNU sed 4.9 does with these scripts was tried.
func TestRead(t *testing.T) {
	run := func(text string) sed.Command { return sed.Command{Runs: true, Text: text} }
	write := func(file string) sed.Command { return sed.Command{Writes: file} }
	for _, tt := range []struct {
		script string
		want   []sed.Command
	}{
		{"", nil},
		{"p", nil},
		{"e", []sed.Command{run("")}},
		{"1e", []sed.Command{run("")}},
		{"e date", []sed.Command{run("date")}},
		{"edate", []sed.Command{run("date")}},
		{"e a;b\np", []sed.Command{run("a;b")}},
		{"1,3 ! e a", []sed.Command{run("a")}},
		{"$!e a", []sed.Command{run("a")}},
		{"0~4e a", []sed.Command{run("a")}},
		{"2,~4e a", []sed.Command{run("a")}},
		{"/x/I,+2e a", []sed.Command{run("a")}},
		{"/x/,/y/Me a", []sed.Command{run("a")}},
		{`\,x,e a`, []sed.Command{run("a")}},
		{`\,x\,y,e a`, []sed.Command{run("a")}},
		{"/[/]/e a", []sed.Command{run("a")}},
		{"/[]/]/e a", []sed.Command{run("a")}},
		{"/[^]/]/e a", []sed.Command{run("a")}},
		{"/[[:alpha:]/]/e a", []sed.Command{run("a")}},
		{"/[x/e a", []sed.Command{run("a")}},
		{"/[[:x/e a", []sed.Command{run("a")}},
		{"{p;e a\n}", []sed.Command{run("a")}},
		{"p;;e a", []sed.Command{run("a")}},
		{":x;e a", []sed.Command{run("a")}},
		{"bx;e a", []sed.Command{run("a")}},
		{"q5;e a", []sed.Command{run("a")}},
		{"#n\ne a", []sed.Command{run("a")}},
		{"p # e a", nil},
		{"#e a", nil},
		{"r e\ne a", []sed.Command{{Reads: "e"}, run("a")}},
		{"r x;e a", []sed.Command{{Reads: "x;e a"}}},
		{"R x;e a", []sed.Command{{Reads: "x;e a"}}},
		{"a e b", nil},
		{"a\\\ne b", nil},
		{"a\\\nb\\\ne c\ne d", []sed.Command{run("d")}},
		{"i x\ne d", []sed.Command{run("d")}},
		{"c\\", nil},
		{"y/e/a/;e b", []sed.Command{run("b")}},
		{`y/\/e/ab/;e c`, []sed.Command{run("c")}},
		{"s/a/e b/", nil},
		{"s/e a/b/", nil},
		{"s/a/b/e", []sed.Command{run("b")}},
		{"s/a/b/gI3e", []sed.Command{run("b")}},
		{"s|a|b /|e", []sed.Command{run("b /")}},
		{`s|a|b \| c|e`, []sed.Command{run("b | c")}},
		{`s/\/a/b/e`, []sed.Command{run("b")}},
		{"s/[/]/b/e", []sed.Command{run("b")}},
		{"s/a/b\\\nc/e", []sed.Command{run("b\\\nc")}},
		{"s/a/b/ ;e c", []sed.Command{run("c")}},
		{"s/a/b/}e c", []sed.Command{run("c")}},
		{"s/a/b/w x y\ne c", []sed.Command{write("x y"), run("c")}},
		{"s/a/b/ew x", []sed.Command{run("b"), write("x")}},
		{"s/a/b", nil},
		{"s", nil},
		{"y", nil},
		{"/", nil},
		{`\`, nil},
		{"w x", []sed.Command{write("x")}},
		{"/a/wx", []sed.Command{write("x")}},
		{"W x;e a", []sed.Command{write("x;e a")}},
		{"w", []sed.Command{write("")}},
	} {
		if got := sed.Read(tt.script); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %+v, want %+v", tt.script, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`1,/x/{s|a|b|gew f` + "\n" + `e c` + "\n}")
	f.Fuzz(func(t *testing.T, script string) { sed.Read(script) })
}

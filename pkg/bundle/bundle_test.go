package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRoundTrip(t *testing.T) {
	archive := written(t, sample())
	got, err := Read(archive, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := sample()
	sum := sha256.Sum256(archive)
	want.Digest, want.Content = hex.EncodeToString(sum[:]), got.Content
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if text := fileIn(t, archive, "policyctl/policies/data.json"); !strings.Contains(text, "<&>") {
		t.Errorf("people cannot read %s", text)
	}
	if again := written(t, got); !bytes.Equal(again, archive) {
		t.Error("what was read is not written as the same bytes")
	}
}

func TestWriteDoesNotDependOnOrder(t *testing.T) {
	archive := written(t, sample())
	b := sample()
	for _, files := range [][]File{b.Policies, b.Tests, b.Modules} {
		slices.Reverse(files)
	}
	b.Built = b.Built.In(time.FixedZone("x", 3600))
	b.KeyID, b.Digest = "k", "d"
	for range 20 {
		if !bytes.Equal(written(t, b), archive) {
			t.Fatal("other bytes")
		}
	}
}

func TestWriteExtremes(t *testing.T) {
	for _, b := range []*Bundle{
		{},
		{Sequence: math.MaxUint64, Expires: time.Date(9999, 12, 31, 23, 59, 59, 999, time.UTC)},
		{Revision: strings.Repeat("r", 1024)},
		{Data: map[string]any{"n": 1.5, "deep": map[string]any{own: true}}},
		{Data: map[string]any{own: map[string]any{"names": []any{}}}, Policies: []File{{"a.yaml", ""}}},
		{Modules: []File{{strings.Repeat("long/", 60) + "a.rego", "package a"}}},
		{Policies: []File{{"big.yaml", strings.Repeat("x", 1<<20)}}},
	} {
		got, err := Read(written(t, b), nil, Limits{})
		if err != nil {
			t.Errorf("%.80v: %v", b, err)
			continue
		}
		if got.Sequence != b.Sequence || !got.Expires.Equal(b.Expires) || !reflect.DeepEqual(got.Policies, b.Policies) ||
			!reflect.DeepEqual(got.Roots, []string{""}) || len(got.Data) != len(b.Data) || got.Data == nil {
			t.Errorf("%.80v became %.80v", b, got)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	module := func(name string) *Bundle { return &Bundle{Modules: []File{{name, "package a"}}} }
	for want, b := range map[string]*Bundle{
		"modules end in .rego":             module("a.txt"),
		"the name leaves":                  module("../a.rego"),
		"a.rego: the archive has it twice": {Modules: []File{{"a.rego", "package a"}, {"a.rego", "package a"}}},
		"base.yaml is given twice":         {Policies: []File{{"base.yaml", ""}, {"base.yaml", "x"}}},
		"not UTF-8":                        {Policies: []File{{"a.yaml", "\xff"}}},
		"a.rego: it is not UTF-8":          {Modules: []File{{"a.rego", "package a\n# \xff"}}},
		`"../a.yaml": the name leaves`:     {Policies: []File{{"../a.yaml", ""}}},
		"policyctl.tests is in the data":   {Tests: []File{{"a", ""}}, Data: map[string]any{own: map[string]any{testsKey: map[string]any{}}}},
		"data is made of JSON values":      {Data: map[string]any{"f": func() {}}},
		"expires is not after built":       {Built: time.Unix(9, 0), Expires: time.Unix(8, 0)},
		"not one printable line":           {Revision: "a\nb"},
		"roots [a] do not permit":          {Roots: []string{"a"}, Modules: []File{{"b.rego", "package b"}}},
		"overlapped roots":                 {Roots: []string{"a", "a/b"}},
		"rego_parse_error":                 {Modules: []File{{"a.rego", "package"}}},
	} {
		_, err := Write(b)
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

func TestCheck(t *testing.T) {
	at := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		want    error
		expires time.Time
		has     uint64
		least   uint64
	}{
		{nil, time.Time{}, 0, 0},
		{nil, time.Time{}, 7, 7},
		{nil, time.Time{}, 8, 7},
		{nil, at.Add(1), 8, 7},
		{ErrExpired, at, 8, 7},
		{ErrExpired, at.Add(-1), 8, 7},
		{ErrExpired, at.Add(-time.Hour).In(time.FixedZone("", 7200)), 8, 7},
		{ErrReplayed, time.Time{}, 6, 7},
		{ErrReplayed, at.Add(1), 0, 1},
		{ErrReplayed, time.Time{}, math.MaxUint64 - 1, math.MaxUint64},
	} {
		b := &Bundle{Expires: row.expires, Sequence: row.has}
		if err := b.Check(at, row.least); !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
			t.Errorf("%+v: got %v", row, err)
		}
	}
}

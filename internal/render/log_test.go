package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// No line of a log is wider than the page, and each decision has one line, whatever it
// contains; what is cut has a sign.
func TestLogFits(t *testing.T) {
	now := time.Date(2026, 11, 29, 15, 4, 0, 0, time.UTC)
	list := []Logged{
		{ID: "937eb891-bbd9", Time: now, Decision: "deny", Agent: "claude", Project: "/home/dev/shop", Call: "rm -rf /", Why: "root-delete"},
		{ID: "a", Time: now.Add(-24 * time.Hour), Decision: "ask", Agent: "an-agent-of-tomorrow", Project: "/home/dev/customers/large/monorepo", Call: "make\nall\x1b[2K " + strings.Repeat("x", 300), Why: "a-rule-with-a-rather-long-id-of-an-organisation, unattended"},
		{Time: now, Decision: "allow", Project: "/srv/作業/作業/作業/作業/作業", Call: strings.Repeat("作", 90), Why: "confirm"},
	}
	short := func(path string) string { return strings.Replace(path, "/home/dev", "~", 1) }
	for _, bare := range []bool{false, true} {
		for width := 60; width <= 140; width++ {
			var b bytes.Buffer
			p := NewPage(&b)
			p.Width = width
			p.Log(list, LogOptions{Now: now, Short: short, Bare: bare})
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
			want := len(list)
			if !bare {
				want++
			}
			if len(lines) != want {
				t.Fatalf("%d columns: %d lines, want %d:\n%s", width, len(lines), want, b.String())
			}
			for _, line := range lines {
				if columns(line) > width {
					t.Fatalf("%d columns: %d in %q", width, columns(line), line)
				}
			}
			if text := b.String(); !strings.Contains(text, "Nov 28") || !strings.Contains(text, "15:04") || !strings.Contains(text, "rm -rf /") || !strings.Contains(text, "root-delete") || !strings.Contains(text, "…") {
				t.Fatalf("%d columns:\n%s", width, text)
			}
		}
	}
}

// What all decisions have in common stands above them where there is little room.
func TestLogShared(t *testing.T) {
	now := time.Date(2026, 11, 29, 15, 4, 0, 0, time.UTC)
	list := []Logged{{ID: "937eb891-bbd9", Time: now, Decision: "deny", Agent: "claude", Project: "/w", Call: "rm -rf /", Why: "root-delete"}}
	for _, r := range []struct {
		width int
		want  string
	}{
		{60, "claude in /w\nTIME   SAID  CALL      WHY\n15:04  deny  rm -rf /  root-delete\n"},
		{80, "claude in /w\nTIME   SAID  CALL      WHY          ID\n15:04  deny  rm -rf /  root-delete  937eb891\n"},
		{100, "TIME   SAID  AGENT   PROJECT  CALL      WHY          ID\n15:04  deny  claude  /w       rm -rf /  root-delete  937eb891\n"},
		{0, "TIME   SAID  AGENT   PROJECT  CALL      WHY          ID\n15:04  deny  claude  /w       rm -rf /  root-delete  937eb891\n"},
	} {
		var b bytes.Buffer
		p := NewPage(&b)
		p.Width = r.width
		p.Log(list, LogOptions{Now: now, Short: func(s string) string { return s }})
		if p.Close(); b.String() != r.want {
			t.Errorf("%d columns:\n%s", r.width, b.String())
		}
	}
}

func TestCut(t *testing.T) {
	for _, r := range []struct {
		text  string
		width int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"作作作", 5, "作作…"}, {"作作作", 4, "作…"}, {"a\nbc", 4, `a\nb`[:3] + "…"}, {"", 3, ""},
	} {
		if got := Cut(r.text, r.width); got != r.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", r.text, r.width, got, r.want)
		}
	}
	for _, r := range [][3]string{{"~/a/b", "5", "~/a/b"}, {"~/a/b", "4", "…a/b"}, {"~/a/b", "3", "…/b"}} {
		var width int
		fmt.Sscan(r[1], &width)
		if got := cutBefore(r[0], width); got != r[2] {
			t.Errorf("cutBefore(%q, %d) = %q, want %q", r[0], width, got, r[2])
		}
	}
}

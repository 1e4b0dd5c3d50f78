package grant_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What is just an entry, and what is none any more.
func TestValidateBounds(t *testing.T) {
	for _, row := range []struct {
		fine bool
		edit func(*grant.Entry)
	}{
		{true, func(e *grant.Entry) { e.Verb = "a b c d e" }},
		{false, func(e *grant.Entry) { e.Verb = "a b c d e f" }},
		{true, func(e *grant.Entry) { e.Verb = strings.Repeat("x", 100) }},
		{false, func(e *grant.Entry) { e.Verb = strings.Repeat("x", 101) }},
		{true, func(e *grant.Entry) { e.Verb = "AZaz09_" }},
		{true, func(e *grant.Entry) { e.Verb = "A" }},
		{true, func(e *grant.Entry) { e.Verb = "Z" }},
		{true, func(e *grant.Entry) { e.Verb = "[" }},
		{true, func(e *grant.Entry) { e.Verb = "x-.:+[" }},
		{false, func(e *grant.Entry) { e.Verb = "@" }},
		{false, func(e *grant.Entry) { e.Verb = "`" }},
		{false, func(e *grant.Entry) { e.Verb = "{" }},
		{false, func(e *grant.Entry) { e.Verb = "é" }},
		{true, func(e *grant.Entry) { e.Audience = policy.Public }},
		{false, func(e *grant.Entry) { e.Audience = policy.Public + 1 }},
		{true, func(e *grant.Entry) { e.Scope, e.Dir = grant.Anywhere, "" }},
		{false, func(e *grant.Entry) { e.Scope = grant.Anywhere + 1 }},
		{true, func(e *grant.Entry) { e.Request = strings.Repeat("x", 200) }},
		{false, func(e *grant.Entry) { e.Request = strings.Repeat("x", 201) }},
		{true, func(e *grant.Entry) { e.Request = "a b~\u00a0é" }},
		{false, func(e *grant.Entry) { e.Request = "a\x1f" }},
		{false, func(e *grant.Entry) { e.Request = "a\x7f" }},
		{false, func(e *grant.Entry) { e.Request = "a\u009f" }},
		{false, func(e *grant.Entry) { e.Request = "a\u2028" }},
	} {
		e := here(t, "make in /home/dev/app")[0]
		row.edit(&e)
		if err := e.Validate(); row.fine != (err == nil) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if got := (grant.Anywhere + 1).String(); got != "invalid(4)" {
		t.Errorf("a scope that does not exist is %s", got)
	}
}

// TestArguments shows arguments that look alike and are not judged alike.
func TestArguments(t *testing.T) {
	long := strings.Repeat("l", 256)
	dirs := func(n int) string { return strings.Repeat(" -C x", n) }
	files := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " f%d", i)
		}
		return b.String()
	}
	for _, tc := range []struct{ want, line string }{
		// A short option with a path behind it.
		{"allow", "mytool -a./src"}, {"allow", "mytool -z./src"}, {"allow", "mytool -A./src"}, {"allow", "mytool -Z./src"},
		{"allow", "mytool -0./src"}, {"allow", "mytool -9./src"}, {"allow", "mytool -I."},
		{"ask", "mytool -:./src"}, {"ask", "mytool -a../src"}, {"ask", "mytool -ab./src"},
		// A name that no file can have is no link; the longest one may be.
		{"allow", "mytool " + long}, {"ask", "mytool " + longest}, {"allow", "mytool " + longest[1:]},
		// An option that names a directory, a file behind it, and how many.
		{"allow", "make -C src"}, {"ask", "make -C out"}, {"ask", "make -C lost"}, {"allow", "make -C src x"}, {"ask", "make -C src etc"},
		{"allow", "make" + dirs(4)}, {"ask", "make" + dirs(5)},
		{"allow", "mytool" + files(399)}, {"ask", "mytool" + files(400)}, // and the directory
		{"ask", "git commit --date=/etc/x -m x"}, {"allow", "git commit --date=1/2 -m x"},
		// A sub-command is no file, also where a link out of the project has its name.
		{"allow", "git fetch"}, {"ask", "mytool fetch"}, {"ask", "git commit fetch"},
		// What only prints, and what sets a variable.
		{"allow", "printf '%s' -v"}, {"allow", "printf x"}, {"ask", "printf -v x y"}, {"allow", "echo -v x"},
		{"allow", "echo x > /dev/null"}, {"ask", "echo x > file"}, {"ask", "echo ./x"},
		// Reading below a directory reaches no further than reading it.
		{"allow", "cp -r src out2"}, {"allow", "cp -r . out2"},
	} {
		d := newDesk(t)
		d.settings.AutoAllowReadonly = false
		d.entries = here(t, heldHere)
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%.60q is %s by %s %s (%s), want %s", tc.line, v.Decision, v.Stage, v.Rule, v.Why, tc.want)
		}
	}
}

// A tree that is written into a directory may put a file there that runs, or that holds
// secrets, if such files lie below it; to read below it, or to write elsewhere, puts none
// there.
func TestTreesInHome(t *testing.T) {
	for _, tc := range []struct{ want, line string }{
		{"ask", "cp -r x ."}, {"ask", "cp -rT x ."}, {"ask", "cp -r x /home/dev"}, {"ask", "mv x ."}, {"ask", "rsync -a x ."},
		{"ask", "tar -xf a.tar"}, {"ask", "tar -xf a.tar -C ."}, {"ask", "unzip a.zip -d ."},
		{"allow", "cp x y"}, {"allow", "cp -r x app/x"}, {"allow", "cp -r . out2"}, {"allow", "mv x app/x"}, {"allow", "rsync -a . out2"}, {"allow", "tar -xf a.tar -C app"},
	} {
		d := newDesk(t)
		d.dir = home
		d.settings.AutoAllowReadonly = false
		for _, verb := range []string{"cp", "mv", "rsync", "tar", "unzip"} {
			d.entries = append(d.entries, here(t, verb+" in "+home)...)
		}
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%q is %s by %s (%s), want %s", tc.line, v.Decision, v.Stage, v.Why, tc.want)
		}
	}
}

// A tool that reads files is approved as one that writes them, and no other tool is.
func TestReadingTools(t *testing.T) {
	for tool, want := range map[string]string{"read": "read in /srv/data", "write": "write in /srv/data", "fetch": "!whom it reaches, or what it sends, is not known"} {
		d := newDesk(t, policy.Permission{Match: tool + " *", Action: policy.Ask})
		c := &policy.Call{Tool: tool, Input: map[string]any{"file_path": "/srv/data/x.txt", "url": "https://example.com"}, Dir: app, Home: home, Session: "s1"}
		entries, why := d.propose(c, grant.Here)
		if reason, fails := strings.CutPrefix(want, "!"); fails && !strings.Contains(why, reason) || !fails && !strings.HasPrefix(texts(entries), want) {
			t.Errorf("%s: %q, %s", tool, texts(entries), why)
		}
	}
}

// What is shown of a long line is its beginning and its end.
func TestLongReason(t *testing.T) {
	for n, want := range map[int]int{80: 80, 81: 78, 500: 78} {
		d := newDesk(t)
		line := "sudo " + strings.Repeat("é", n-len("sudo "))
		_, why := d.propose(d.call(line), grant.Here)
		shown, _, _ := strings.Cut(why, ": ")
		if got := len([]rune(shown)); got != want || (shown == line) != (n == 80) {
			t.Errorf("%d letters: %d are shown: %s", n, got, why)
		}
	}
}

// An end is noted after five minutes, and not before; a conversation is forgotten after two
// weeks.
func TestNoted(t *testing.T) {
	s := newTimed(t)
	s.add("make anywhere", time.Hour)
	for _, row := range []struct {
		after time.Duration
		noted bool
	}{{5 * time.Minute, false}, {5*time.Minute + time.Second, true}} {
		before := s.file()
		s.now = start.Add(row.after)
		if _, err := s.List(); err != nil || (s.file() != before) != row.noted {
			t.Errorf("after %s: noted %t, %v", row.after, !row.noted, err)
		}
	}
	now := start
	f := grant.NewStore(t.TempDir(), func() time.Time { return now })
	if _, err := f.Add(grant.Entry{Verb: "make", Dir: "/tmp", Scope: grant.Session, Tool: "shell", Conversation: "s", By: "test"}); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]int{14 * 24 * time.Hour: 2, 14*24*time.Hour + time.Second: 1} {
		now = start.Add(after)
		c := grant.NewStore(t.TempDir(), func() time.Time { return now })
		old := grant.Entry{Verb: "make", Dir: "/tmp", Scope: grant.Session, Tool: "shell", Conversation: "s", By: "test", Created: start}
		if _, err := c.Add(old); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Add(here(t, "git add anywhere")...); err != nil {
			t.Fatal(err)
		}
		if list, err := c.List(); err != nil || len(list) != want {
			t.Errorf("after %s: %q, %v", after, texts(list), err)
		}
	}
}

// Ten thousand approvals are stored, and no more.
func TestMostEntries(t *testing.T) {
	s, dir := newStore(t)
	var b strings.Builder
	for i := range 9_999 {
		fmt.Fprintf(&b, `,{"verb":"tool%d","scope":"anywhere","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x"}`, i)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, grant.File), []byte(`{"version":2,"entries":[`+b.String()[1:]+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(here(t, "make anywhere")...); err != nil {
		t.Errorf("the last one: %v", err)
	}
	if _, err := s.Add(here(t, "git add anywhere")...); err == nil || !strings.Contains(err.Error(), "revoke some") {
		t.Errorf("one too many: %v", err)
	}
}

// What is missing of a list, without storing it.
func TestMissing(t *testing.T) {
	s, dir := newStore(t)
	if s.Stamp() != "" {
		t.Error("a store that is not there has a stamp")
	}
	if _, err := s.Add(here(t, "make anywhere")...); err != nil {
		t.Fatal(err)
	}
	missing, err := s.Missing(here(t, "make anywhere; git add anywhere")...)
	if err != nil || texts(missing) != "git add anywhere" || s.Stamp() == "" {
		t.Errorf("%q, %v", texts(missing), err)
	}
	if missing, err := s.Missing(grant.Entry{Verb: "make"}); err == nil || missing != nil {
		t.Errorf("of what is no entry: %v, %v", missing, err)
	}
	if err := os.Chmod(filepath.Join(dir, grant.File), 0o622); err != nil {
		t.Fatal(err)
	}
	if missing, err := s.Missing(here(t, "git add anywhere")...); err == nil || missing != nil {
		t.Errorf("of what cannot be read: %v, %v", missing, err)
	}
}

// A second file of an old version does not take the place of the first, and a mistake says
// in which entry it is.
func TestAsideTwice(t *testing.T) {
	s, dir := newStore(t)
	name := filepath.Join(dir, grant.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := os.WriteFile(name, []byte(`{"version":1}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.List(); err == nil {
			t.Error("nothing is said")
		}
	}
	files, err := s.Aside()
	if err != nil || len(files) != 2 || !strings.HasSuffix(strings.Join(files, " ")+" ", "Z ") && !strings.Contains(strings.Join(files, " "), ".v1.bak-") {
		t.Errorf("%v, %v", files, err)
	}
	const fine = `{"verb":"make","scope":"anywhere","audience":"personal","tool":"shell","created":"2026-05-01T12:00:00Z","by":"x"}`
	for text, want := range map[string]string{
		`{"version":2,"entries":[` + fine + `,` + strings.Replace(fine, `"make"`, `""`, 1) + `]}`:                                "entry 2: ",
		`{"version":2,"entries":[` + fine + `,` + strings.Replace(fine, `"by"`, `"until":"2026-06-01T12:00:00Z","by"`, 1) + `]}`: "entry 2: version 2 does not support an end",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.List(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

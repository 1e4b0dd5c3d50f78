package claude

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

// gitignored says, independently of the import, whether a pattern of Claude
// Code matches a path of the project /home/dev/shop.
func gitignored(spec, path string) bool {
	anchor := "/home/dev/shop/"
	switch {
	case strings.HasPrefix(spec, "//"):
		anchor, spec = "/", spec[2:]
	case strings.HasPrefix(spec, "~/"):
		anchor, spec = "/home/dev/", spec[2:]
	case strings.HasPrefix(spec, "/"):
		spec = spec[1:]
	case strings.HasPrefix(spec, "./"):
		spec = spec[2:]
	case !strings.Contains(strings.TrimSuffix(spec, "/"), "/"):
		spec = "**/" + spec
	}
	rel, ok := strings.CutPrefix(path, anchor)
	if !ok {
		return false
	}
	dirs := strings.HasSuffix(spec, "/")
	var re strings.Builder
	for i, parts := 0, strings.Split(strings.TrimSuffix(spec, "/"), "/"); i < len(parts); i++ {
		switch last := i == len(parts)-1; {
		case parts[i] == "**" && last:
			re.WriteString(".+")
		case parts[i] == "**":
			re.WriteString("(?:.*/)?")
		default:
			one := regexp.MustCompile(`\*+`).ReplaceAllString(parts[i], "*")
			one = strings.NewReplacer(`\*`, "[^/]*", `\?`, "[^/]").Replace(regexp.QuoteMeta(one))
			re.WriteString(one)
			if !last {
				re.WriteString("/")
			}
		}
	}
	whole := regexp.MustCompile("^" + re.String() + "$")
	for end := 0; end <= len(rel); end++ { // the path, and each directory above it
		if end == len(rel) && !dirs || end < len(rel) && rel[end] == '/' {
			if whole.MatchString(rel[:end]) {
				return true
			}
		}
	}
	return false
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// TestPathLaw shows for random patterns and paths that an imported allow
// matches nothing more, and an imported deny nothing less.
func TestPathLaw(t *testing.T) {
	seed.Slow(t)
	r := rand.New(rand.NewPCG(7, 11))
	hits := 0
	for range 1500 {
		spec := pick(r, "", "", "./", "/", "~/", "//", "//home/dev/", "/", "**/")
		for i := r.IntN(4); i >= 0; i-- {
			spec += pick(r, "a", "b", "*", "**", "a*", "*b", "?", "a?", "c.go", "*.go", "shop", "***")
			if i > 0 {
				spec += "/"
			}
		}
		if r.IntN(8) == 0 {
			spec += "/"
		}
		allowed, denied := engine(t, imported(t, "/home/dev/shop", "allow Edit("+spec+")")), engine(t, imported(t, "/home/dev/shop", "deny Edit("+spec+")"))
		for range 12 {
			path := pick(r, "/home/dev/shop", "/home/dev/shop", "/home/dev", "", "/home/dev/shop/shop")
			for i := r.IntN(4); i >= 0; i-- {
				path += "/" + pick(r, "a", "b", "ab", "aa", "bb", "c.go", "x.go", "x", "shop")
			}
			c := &policy.Call{Tool: "Edit", Input: map[string]any{"file_path": path}, Dir: "/home/dev/shop", Home: "/home/dev"}
			theirs := gitignored(spec, path)
			if theirs {
				hits++
			}
			if v, err := allowed.Decide(context.Background(), nil, c); err != nil || v.Decision == policy.Allow && !theirs {
				t.Errorf("allow Edit(%s) allows %s by %q; %v", spec, path, v.Rule, err)
			}
			if v, err := denied.Decide(context.Background(), nil, c); err != nil || v.Decision != policy.Deny && theirs && v.Stage != policy.StageHardline {
				t.Errorf("deny Edit(%s) does not deny %s; %v", spec, path, err)
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d pairs match: the law is hardly tested", hits)
	}
}

// TestCommandLaw shows the same for single commands, whose text Claude Code
// compares with the pattern.
func TestCommandLaw(t *testing.T) {
	seed.Slow(t)
	r := rand.New(rand.NewPCG(3, 5))
	hits := 0
	for range 1500 {
		spec := pick(r, "foo", "foo*", "*", "f*o", "./foo", "X=1 foo", "bar")
		for range r.IntN(4) {
			spec += pick(r, " ", " ", "") + pick(r, "*", "a", "-b", "ab", "a*", ":", "?", `\*`, "a=b", "/x/*")
		}
		spec += pick(r, "", "", ":*", " *")
		spec = strings.ReplaceAll(strings.ReplaceAll(spec, " :*", ":*"), "**", "*")
		theirs := spec
		if prefix, ok := strings.CutSuffix(spec, ":*"); ok {
			theirs = prefix + " *" // the older form
		}
		theirs = regexp.QuoteMeta(theirs)
		theirs = strings.ReplaceAll(strings.ReplaceAll(theirs, `\\\*`, "\x00"), `\*`, ".*")
		theirs = strings.ReplaceAll(theirs, "\x00", `\*`)
		if bare, ok := strings.CutSuffix(theirs, " .*"); ok && !strings.Contains(bare, ".*") {
			theirs = bare + "(?: .*)?"
		}
		whole := regexp.MustCompile("^" + theirs + "$")
		allowed, denied := engine(t, imported(t, "", "allow Bash("+spec+")")), engine(t, imported(t, "", "deny Bash("+spec+")"))
		for range 12 {
			line := pick(r, "foo", "fooo", "bar", "./foo", "X=1 foo")
			for range r.IntN(3) {
				line += " " + pick(r, "a", "-b", "ab", "ac", "a=b", "/x/y", ":")
			}
			c := &policy.Call{Tool: "Bash", Input: map[string]any{"command": line}, Dir: "/w", Home: "/home/dev"}
			match := whole.MatchString(line)
			if match {
				hits++
			}
			if v, err := allowed.Decide(context.Background(), nil, c); err != nil || v.Decision == policy.Allow && !match {
				t.Errorf("allow Bash(%s) allows %s by %q; %v", spec, line, v.Rule, err)
			}
			if v, err := denied.Decide(context.Background(), nil, c); err != nil || v.Decision != policy.Deny && match {
				t.Errorf("deny Bash(%s) does not deny %s; %v", spec, line, err)
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d pairs match: the law is hardly tested", hits)
	}
}

package extent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestOf(t *testing.T) {
	rows := []struct {
		match          string
		action         policy.Decision
		covers, leaves []string
	}{
		{"shell npm test*", policy.Allow, []string{"npm test", "npm testx"}, []string{"npm -g x test", "cd ../other && npm test"}},
		{"shell pytest tests/*", policy.Allow, []string{"pytest tests/a"}, []string{"pytest tests/a x", "pytest tests/a -p ./p"}},
		{"shell rm -rf *", policy.Deny, []string{"rm -rf x", "rm x -r -f"}, []string{"rm x"}},
		{"shell git push --force", policy.Deny, []string{"git push --force", "git push -f"}, []string{"git push"}},
		{"shell git push --force", policy.Ask, []string{"git push --force"}, []string{"git push --force-with-lease"}},
		{"shell mytool *", policy.Allow, []string{"mytool"}, []string{"docker exec app mytool"}},
		{"shell *", policy.Allow, nil, nil},
		{"shell ./scripts/*", policy.Allow, []string{"./scripts/a", "./scripts/b/c"}, []string{"cd ../other && ./scripts/a"}},
		{"shell git commit *", policy.Allow, []string{"git commit", "timeout 60 git commit"}, []string{"git -C ../other commit"}},
		{"write src/*", policy.Allow, []string{"write src/a", "write src/a/b", "write ./src/a"}, []string{"write src/../a", "write ../src/a", "write other/src/a"}},
		{"read ~/.ssh/*", policy.Deny, []string{"read ~/.ssh/a"}, []string{"read ~/.ssh/../a"}},
		{"fetch https://example.org/*", policy.Allow, []string{"fetch https://example.org/a"}, []string{"fetch http://example.org/a", "fetch https://example.org.other.example/a"}},
		{"mcp__db__query", policy.Allow, nil, nil},
	}
	for _, row := range rows {
		t.Run(row.action.String()+" "+row.match, func(t *testing.T) {
			got, err := extent.Of(policy.Permission{Match: row.match, Action: row.action}, policy.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range row.covers {
				if !slices.Contains(got.Covers, want) {
					t.Errorf("it covers %q, not %q", got.Covers, want)
				}
			}
			for _, want := range row.leaves {
				if !slices.Contains(got.Leaves, want) {
					t.Errorf("it leaves %q, not %q", got.Leaves, want)
				}
			}
			if row.covers == nil && len(got.Covers)+len(got.Leaves) > 0 {
				t.Errorf("it has an extent: %q", got)
			}
		})
	}
}

func TestOfBad(t *testing.T) {
	if _, err := extent.Of(policy.Permission{Match: "shell make", Except: []string{"make"}, Action: policy.Allow}, policy.Settings{}); err == nil {
		t.Error("a permission with a mistake has an extent")
	}
}

// Calls can be made up for any row, also where it has an entry for all other options.
func TestSamplesOfRows(t *testing.T) {
	for _, p := range program.All() {
		name := strings.Fields(p.Names)[0]
		matches := []string{"shell " + name + " *"}
		for _, sub := range p.Subs {
			for _, word := range strings.Fields(sub.Names) {
				matches = append(matches, "shell "+name+" "+word+" *")
			}
			for _, below := range sub.Subs {
				matches = append(matches, "shell "+name+" "+strings.Fields(sub.Names)[0]+" "+strings.Fields(below.Names)[0]+" *")
			}
		}
		for _, match := range matches {
			for _, action := range []policy.Decision{policy.Allow, policy.Deny} {
				extent.Samples(policy.Permission{Match: match, Action: action})
			}
		}
	}
}

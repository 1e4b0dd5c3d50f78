package extent_test

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestOf(t *testing.T) {
	rows := []struct {
		match          string
		action         policy.Decision
		covers, leaves []string
	}{
		{"shell npm test*", policy.Allow, []string{"npm test", "npm testx"}, []string{"npm test -g x", "cd ../other && npm test"}},
		{"shell pytest tests/*", policy.Allow, []string{"pytest tests/a"}, []string{"pytest tests/a x", "pytest tests/a -p=./p"}},
		{"shell rm -rf *", policy.Deny, []string{"rm -rf x", "rm x -r -f"}, []string{"rm x"}},
		{"shell git push --force", policy.Deny, []string{"git push --force", "git push -f"}, []string{"git push"}},
		{"shell git push --force", policy.Ask, []string{"git push --force"}, []string{"git push --force-with-lease"}},
		{"shell mytool *", policy.Allow, []string{"mytool"}, []string{"docker exec app mytool"}},
		{"shell *", policy.Allow, nil, nil},
		{"write src/*", policy.Allow, nil, nil},
	}
	for _, row := range rows {
		t.Run(row.action.String()+" "+row.match, func(t *testing.T) {
			got, err := extent.Of(policy.Permission{Match: row.match, Action: row.action})
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
	if _, err := extent.Of(policy.Permission{Match: "shell make", Except: []string{"make"}, Action: policy.Allow}); err == nil {
		t.Error("a permission with a mistake has an extent")
	}
}

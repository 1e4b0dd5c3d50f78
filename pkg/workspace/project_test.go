package workspace

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
)

// TestPublishes shows names of tasks that make something known, and others.
func TestPublishes(t *testing.T) {
	for want, words := range map[bool]string{
		true:  "deploy deploy:prod prod-deploy deployProd publish publishToMavenLocal publishAllPublicationsToX artifactoryPublish uploadArchives wagon:uploadSingle release release:prepare build,deploy",
		false: "build test published deployment assembleRelease bundleRelease testReleaseUnitTest Released releases uploader install redeployed",
	} {
		for word := range strings.FieldsSeq(words) {
			if publishes(word) != want {
				t.Errorf("%s: %v, want %v", word, !want, want)
			}
		}
	}
}

// TestChecks looks up the checks that rows name: an unknown one panics.
func TestChecks(t *testing.T) {
	var walk func(list []*program.Program)
	walk = func(list []*program.Program) {
		for _, p := range list {
			if is := p.InsideOf(strings.Fields(p.Names)[0]); is != nil {
				if check := checkOf(is.Check); (check == nil) != (is.Check == "") || is.Manner != "" && is.Manner != "creates" && mannerOf(is.Manner) == creates {
					t.Errorf("%s: check %q, manner %q", p.Names, is.Check, is.Manner)
				}
			}
			walk(p.Subs)
		}
	}
	walk(program.All())
}

// TestLookup says which names of a row, and which sub-commands, may stay inside.
func TestLookup(t *testing.T) {
	for line, want := range map[string]bool{
		"sed -i s/a/b/ f": true, "gsed -i s/a/b/ f": true, "/usr/bin/gsed -i s/a/b/ f": true, "sed p f": false, "tar xf a.tar": true, "bsdtar xf a.tar": false, "git add f": true, "git stage f": false,
		"git push": false, "git fetch": false, "git merge x": false, "git checkout -b x": true, "git switch x": true, "apply_patch x": true, "applypatch x": false, "sponge f": true, "ls": false,
	} {
		l := eval.Read(line, eval.Env{Dir: "/p"})
		if got := lookup(&l.Commands[0]) != nil; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

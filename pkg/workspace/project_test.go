package workspace

import (
	"strings"
	"testing"
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

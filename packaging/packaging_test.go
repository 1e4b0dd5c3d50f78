package packaging_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestManifests reads the manifests of a release: they are YAML, the files of the
// repository that they name are there, and one version of nfpm makes the packages.
func TestManifests(t *testing.T) {
	version := ""
	for _, name := range []string{"../.goreleaser.yaml", "nfpm.yaml", "../.github/workflows/release.yml", "../.github/workflows/ci.yml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := yaml.Unmarshal(data, &manifest); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, path := range regexp.MustCompile(`\b(?:packaging|cmd/policyctl)[-\w./]*`).FindAllString(string(data), -1) {
			if _, err := os.Stat(filepath.Join("..", path)); err != nil {
				t.Errorf("%s names %s, which is not there", name, path)
			}
		}
	}
	for _, name := range []string{"../.github/workflows/release.yml", "../.ci/run"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := regexp.MustCompile(`nfpm/v2/cmd/nfpm@(v[\d.]+)`).FindStringSubmatch(string(data))
		if len(got) == 0 || version != "" && got[1] != version {
			t.Errorf("%s: nfpm %v, elsewhere %s", name, got, version)
		} else {
			version = got[1]
		}
	}
}

// TestOnePlaceForVersions checks that goreleaser and packaging/build set the same
// variable.
func TestOnePlaceForVersions(t *testing.T) {
	const variable = "-X github.com/policyctl/policyctl/internal/support/release.Version="
	for _, name := range []string{"../.goreleaser.yaml", "build"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), variable) {
			t.Errorf("%s does not set %s", name, variable)
		}
	}
	source, err := os.ReadFile("../internal/support/release/release.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), "\nvar Version string\n") {
		t.Error("internal/support/release has no variable Version")
	}
}

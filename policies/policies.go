// Package policies holds ready packs for teams to start from, one folder a pack:
// policy.yaml, the policy; policy_test.yaml, calls with the verdicts that it
// gives them; and README.md, which explains it. They are meant to be copied and
// changed. README.md here says which pack is for whom.
//
// The package applies no policy, and nothing of it applies unless it is loaded.
package policies

import "embed"

//go:embed */policy.yaml */README.md
var packs embed.FS

// Names returns the names of the packs in the order of their README.
func Names() []string {
	return []string{"developer", "baseline", "strict", "ci", "airgapped", "team-git-safety", "data-protection", "kubernetes-prod"}
}

// Lookup returns a copy of the policy of a pack, as YAML; ok is false where
// there is no such pack.
func Lookup(name string) (text []byte, ok bool) { return read(name, "policy.yaml") }

// Readme returns a copy of what explains a pack, as Markdown; ok is false where
// there is no such pack.
func Readme(name string) (text []byte, ok bool) { return read(name, "README.md") }

// Baseline returns a copy of the policy for a team that lets agents work on
// its repositories.
func Baseline() []byte {
	text, _ := Lookup("baseline")
	return text
}

func read(name, file string) (text []byte, ok bool) {
	text, err := packs.ReadFile(name + "/" + file)
	return text, err == nil
}

package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// plainLooks are the arguments of a tool that searches in files with which it shows nothing
// but lines that match, or names of files.
var plainLooks = []string{"path", "paths", "glob", "glob_pattern", "include", "includes", "include_pattern", "includePattern", "include_globs", "file_pattern", "filePattern", "file_glob",
	"pattern", "query", "regex", "output_mode", "outputMode", "-n", "-i", "head_limit", "offset", "limit", "max_results", "case_sensitive", "caseSensitive", "description", "explanation"}

// lookLine returns the line that does what the call of a tool that searches in files
// does among the files that its picks choose, nil for other calls.
func (r reader) lookLine(picks []string) *eval.Line {
	if r.tool.Kind != KindSearch || len(r.tool.Picks) == 0 || r.tool.undeclared || r.call.Dir == "" || len(r.view.Subjects) != 1 {
		return nil
	}
	argv := []string{"rg", "--hidden", "-e", r.view.Subjects[0]}
	for _, list := range picks {
		for _, pick := range readonly.SplitPicks(list) {
			argv = append(argv, "-g", pick)
		}
	}
	for _, key := range sortedKeys(r.call.Input) {
		if v := r.call.Input[key]; !slices.Contains(plainLooks, key) && !isEmpty(v) && v != false {
			argv = append(argv, "-U") // it may show other lines
		}
	}
	for _, look := range r.view.Looks {
		argv = append(argv, shell.Abs(r.call.Dir, permission.ExpandHome(look, r.call.Home)))
	}
	line := eval.Argv(argv, eval.Env{Dir: r.call.Dir, Home: r.call.Home})
	if line.Problem != nil || len(line.Commands) != 1 {
		return nil
	}
	return line
}

// lookProver is the prover of what a search reads.
func (f *facts) lookProver() *readonly.Prover {
	p := &readonly.Prover{Home: f.home(), Reasons: true}
	if w := f.e.options.World; w != nil {
		p.Below, p.Real, p.Links = w.Below, f.view.RealPath, w.Links
		if t, ok := w.(TextWorld); ok {
			p.Holds = t.Holds
		}
	}
	return p
}

// ofSearch says why what a search would read is of high risk.
func (k risks) ofSearch() string {
	if k.view.Search == nil {
		return ""
	}
	proof := k.lookProver().Prove(k.view.Search, 0)
	if proof.Secret == "" {
		return ""
	}
	return proof.Why
}

// withoutSecrets says how a search leaves out the secrets that it would read, and some
// further files.
func (f *facts) withoutSecrets(files []string) string {
	if f.view.Search == nil || len(f.view.Picks) > 0 || len(f.tool.Picks) == 0 {
		return ""
	}
	options := f.lookProver().LeaveOut(f.view.Search, 0, files)
	if options == "" {
		return ""
	}
	names := strings.Split(strings.TrimSuffix(strings.ReplaceAll(options, "-g '!", ""), "'"), "' ")
	glob := "!" + names[0]
	if len(names) > 1 {
		glob = "!{" + strings.Join(names, ",") + "}"
	}
	return `Set "` + f.tool.Picks[0] + `" to "` + glob + `" to leave it out.`
}

package grant

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// tool judges a call of a tool other than the shell: only those that name
// files can be approved.
func (j *callJudge) tool() (s subject, why string) {
	t := j.in.Tool
	switch {
	case t.Kind != policy.KindWrite && t.Kind != policy.KindRead:
		return s, "only shell commands and tools that read or write files can be approved for longer"
	case !isVerb(t.Name):
		return s, "the name of the tool is not plain"
	case len(j.in.Subjects) == 0:
		return s, "it has no file"
	}
	s.verb = t.Name
	p := places{callJudge: j, bases: []string{j.real}}
	if t.Kind == policy.KindWrite {
		p.touches = program.NamedFiles
	}
	for _, file := range j.in.Subjects {
		if strings.HasPrefix(file, "$") {
			return s, "it names an unknown file"
		}
		if why := p.path(file, false); why != "" {
			return s, why
		}
	}
	s.places, s.narrow, s.dir = p.list, p.narrow, j.real
	return s, ""
}

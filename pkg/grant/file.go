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
	case t.Kind == policy.KindFetch || t.Kind == policy.KindMCP || t.Kind == policy.KindOther:
		return j.sender()
	case t.Kind != policy.KindWrite && t.Kind != policy.KindRead:
		return s, "only shell commands, and tools that read or write files or that send to known recipients, can be approved for longer"
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

// sender judges a call of a tool that sends: all that it sends must be known, and whom it
// reaches.
func (j *callJudge) sender() (s subject, why string) {
	s.verb = j.in.Tool.Name
	switch s.sent = sentByTool(j.in); {
	case !isVerb(s.verb):
		return s, "the name of the tool is not plain"
	case s.sent == nil:
		return s, "whom it reaches, or what it sends, is not known"
	}
	s.places, s.narrow, s.dir = []string{j.real}, j.real, j.real
	return s, ""
}

package layers

import "fmt"

// The budget of the policies of projects, of all that apply to a call: their files and
// their bytes. Each hook reads them, whatever a repository holds. What their rules may
// cost is in [config].
const (
	maxProjects = 8
	maxProject  = 64 << 10
)

// errBudget says that the policy of a project is not read, nor are those further in: so
// nothing is allowed there.
var errBudget = fmt.Errorf("the policies of projects may have %d bytes in %d files altogether, since every hook reads them, and this one exceeds that: shorten it, or move its rules to your own policy", maxProject, maxProjects)

// A budget is what the policies of projects have used of theirs.
type budget struct {
	files, bytes int
	exceeded     bool
}

// spend takes a policy that was read off the budget.
func (b *budget) spend(s *Source) {
	if s.Err == ErrAbsent {
		return
	}
	b.files, b.bytes = b.files+1, b.bytes+len(s.data)
	if b.files > maxProjects || b.bytes > maxProject {
		s.data, s.Digest, s.Err = nil, "", errBudget
	}
	b.exceeded = s.Err == errBudget
}

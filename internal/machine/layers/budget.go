package layers

import "fmt"

// The budget of the policies of projects, of all that apply to a call: their files and
// their bytes. Each hook reads them, whatever a repository holds. What their rules may
// cost is in [config].
const (
	maxProjects = 8
	maxProject  = 64 << 10
)

// errBudget says that the policy of a project does not count, so that nothing is
// allowed there.
var errBudget = fmt.Errorf("the policies of projects may have %d bytes in %d files altogether, since every hook reads them, and this one exceeds that: shorten it, or move its rules to your own policy", maxProject, maxProjects)

// A budget is what the policies of projects have used of theirs.
type budget struct {
	files, bytes int
	exceeded     bool // there are too many files: no further one is read
}

// spend takes a policy that was read off the budget. One that does not fit takes nothing
// from the others: what they deny stays denied.
func (b *budget) spend(s *Source) {
	if s.Err == ErrAbsent {
		return
	}
	b.files++
	b.exceeded = b.files > maxProjects
	if b.exceeded || b.bytes+len(s.data) > maxProject {
		s.data, s.Digest, s.Err = nil, "", errBudget
	}
	b.bytes += len(s.data)
}

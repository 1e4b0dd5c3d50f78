package policy

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/permission"
)

// The facts of a call are what its text says, before anybody judges it. A
// [reader] finds them once, and every stage asks them.
type facts struct {
	e      *Engine
	call   *Call
	tool   *Tool
	line   *eval.Line // nil for tools other than the shell
	view   permission.View
	parts  parts    // what is known of the commands of line
	in     Input    // what sources and grants see
	unread error    // why not all of the call can be read
	doubts []string // arguments that cannot be understood
	told   string   // the shell that an argument names, where it cannot be read
	guises []*guise // the lines that a shell may make of its arguments
	said   opinion  // room for what a stage says
	location
}

// A location is where and as what the call is judged.
type location struct {
	moved     Call     // a copy of the call, where its arguments say more than it
	given     string   // the directory that the caller gave
	otherDirs []string // directories in which it may run as well
	leaves    bool     // it leaves the agent's sandbox
	guise     bool     // it is a line that a shell may make of arguments
	explained bool     // every reason is wanted
	counting  *run     // that of the call as it was given, nil where nothing is counted
}

// What the call's arguments hold, which risk it has, and which auto-approve
// patterns match it, has a type of its own each.
func (f *facts) args() arguments              { return arguments{f} }
func (f *facts) risks() risks                 { return risks{f} }
func (f *facts) autoApprovals() autoApprovals { return autoApprovals{f} }

// home returns the home directory of the call, or what stands for one that is
// not known.
func (f *facts) home() string { return cmp.Or(f.call.Home, eval.UnknownHome) }

// callIn returns the call as it is in another directory, without the arguments
// that name one.
func (f *facts) callIn(dir string) Call {
	c := *f.call
	c.Dir, c.Input = dir, maps.Clone(f.call.Input)
	for _, field := range f.tool.Runs.Dirs {
		delete(c.Input, field)
	}
	return c
}

// movedDir returns the directory of the call, "" if it is the one that the
// caller gave.
func (f *facts) movedDir() string {
	if f.call.Dir == f.given {
		return ""
	}
	return f.call.Dir
}

// doubt notes that an argument of the call cannot be understood: nothing allows
// it then.
func (f *facts) doubt(format string, args ...any) {
	f.doubts = append(f.doubts, fmt.Sprintf(format, args...))
}

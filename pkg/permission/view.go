package permission

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"io/fs"
	"strings"
)

// A View is a call as patterns see it. It is made for one call, and not safe for
// concurrent use.
type View struct {
	Tool Tool
	// Line is the line of a shell call, nil for other tools.
	Line *eval.Line
	// Subjects are what the patterns of another tool match, Looks where a search
	// looks, and Picks the patterns of names in which it does.
	Subjects, Looks, Picks []string
	// Input are the arguments of the call, by name.
	Input map[string]any
	// Arguments returns the canonical JSON of a call of a tool without subjects.
	Arguments func() string
	// Texts returns the texts in the arguments of such a call.
	Texts func() []string
	// Dir is where the call runs, Stands where the agent stood before its
	// arguments moved the call. Project and Session are the directories of the
	// call, Home that of the user; "" where one is unknown.
	Dir, Stands, Project, Session, Home string
	// OS is the system, "" where it is unknown.
	OS string
	// World follows links; nil where nothing is known of them.
	World World
	// Astray says that the line leaves a directory that is behind a link.
	Astray bool

	// Search is the line that does what the call of a searching tool does; nil for others.
	Search *eval.Line
	// Spares reports whether command i of a line shows nothing of a file below a
	// directory that it reads; nil where none does.
	Spares func(line *eval.Line, i int, path string) bool

	// Ran are the lines that texts on the line run, as the floor reads them.
	Ran []*eval.Line

	// Among is the file because of which the last deny or ask hit that a command reads
	// with all that lies in a directory, "" where it hit by something else.
	Among string

	roots    []root // directories of the call with another name
	texts    [8]text
	contents contents
	held     map[string]*holding // by directory
	// showings are what the line shows of repositories, once they were asked for.
	showings []showing
	isShown  bool
	// scripted are the lines that code on the line runs, once they were asked for.
	scripted   []*eval.Line
	isScripted bool
}

// lines returns what code and other texts on the line run.
func (in *View) lines() []*eval.Line {
	if !in.isScripted {
		in.isScripted = true
		for i := range in.Line.Commands {
			in.scripted = append(in.scripted, eval.Scripted(&in.Line.Commands[i], eval.Env{Dir: in.Dir, Home: in.Home})...)
		}
		in.scripted = append(in.scripted, in.Ran...)
	}
	return in.scripted
}

// A World tells where links lead.
type World interface {
	// RealPath returns a path with every symbolic link followed.
	RealPath(path string) (real string, ok bool)
	// Links returns where the links lead that a pattern of the shell can match.
	Links(pattern string) (reals []string, ok bool)
	// Below calls visit for what lies below a directory.
	Below(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)
}

// Resolved returns a command with its paths where they lead, as an allow sees
// them from the project; c itself if nothing changes. An allow must cover the
// command in both forms.
func (in *View) Resolved(c *command.Command) *command.Command { return in.resolved(c, forAllow) }

// atBase reports whether a line means the same paths as in the project's
// directory.
func (in *View) atBase() bool {
	if in.Base() == strings.TrimSuffix(in.Dir, "/") {
		return true
	}
	for i := range in.Line.Commands {
		if c := &in.Line.Commands[i]; in.Resolved(c) != c {
			return false
		}
	}
	return true
}

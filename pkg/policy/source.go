package policy

import (
	"context"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/workspace"
	"io/fs"
	"time"
)

// A Source answers calls from rules of its own kind. It is asked once for
// each call that the floor does not deny; the chain reads its denies at
// [StagePermissionDeny] and the rest at [StageRules]. It must be safe for
// concurrent use.
//
// An error counts as an ask that nothing discharges: under yolo or skip the
// call is denied. A [Refusal] denies it in any case.
type Source interface {
	Judge(ctx context.Context, in *Input) (Answer, error)
}

// A Refusal is an error of a source that denies the call.
type Refusal struct{ Err error }

// Error returns the text of the error.
func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the error.
func (r *Refusal) Unwrap() error { return r.Err }

// An Input is what a source judges. It must not be changed or kept.
type Input struct {
	Call *Call
	Tool *Tool
	// Line is the line of a shell call as it was read, nil for other tools.
	Line *eval.Line
	// Subjects are what the patterns of the tool match: paths, run ids, …;
	// empty for a shell call.
	Subjects []string
	// Audience says who sees what the call reads: the wider of what the call
	// and the settings say.
	Audience Audience
	// Explain says that [Answer.Others] is wanted.
	Explain bool
	// Deadline is how long a source that evaluates a program may take, as in
	// [Settings]; 0 leaves it to the source.
	Deadline time.Duration
	// Derived is room for what sources of one kind share about the call: the
	// first that needs it fills it in.
	Derived any

	facts *facts
}

// An Answer is what a source says about a call. The zero value is an uncertain
// deny, which asks; [Answer.Silent] means no opinion.
type Answer struct {
	// Silent says that the source has no opinion; all else is ignored.
	Silent   bool
	Decision Decision
	// Certain says that the source knew all it needed. An uncertain allow is
	// no opinion, and an uncertain deny asks.
	Certain bool
	Rule    string
	Why     string
	Span    *shell.Span
	Origin  Origin
	// Ask holds the terms of an ask; what they leave open comes from the defaults
	// in [Engine.Terms].
	Ask *AskTerms
	// Binding says that the ask survives yolo.
	Binding bool
	// Whole says that the answer is about the call as a whole, though it stands among
	// Parts: to answer its ask answers for every command of the line.
	Whole bool
	// Beside says that the ask stands beside one that nothing answers, of the same source:
	// its terms count, and the other is named.
	Beside bool
	// More holds further answers about the same call; each counts on its own.
	More []Answer
	// Others are rules of the source that matched too, for explanations, even if
	// the answer is Silent.
	Others []Match
	// Parts, if not nil, answers each of [eval.Line.Commands] on its own,
	// and the fields above are ignored.
	Parts []Answer
}

// A World tells what the engine must know of its surroundings. It must be
// safe for concurrent use. Directories and paths are absolute; they are not
// cleaned, because behind a symbolic link ".." is the parent of what the link
// leads to. What is unknown for certain has ok false, and is never allowed.
//
// Without a World, nothing is known about links: paths count as they are
// written, for embedders without a file system. With one, the target of a link
// counts: for commands that only read, the risk of file tools, permissions,
// auto-approve patterns and safe spaces.
type World interface {
	// GitPrograms returns the settings that name programs in the configuration
	// of the git repository of a directory, such as "core.fsmonitor"; empty if
	// there are none.
	GitPrograms(dir string) (settings []string, ok bool)
	// GitDirs returns the directories that git reads for a command in a
	// directory; empty if there is no repository.
	GitDirs(dir string) (dirs []string, ok bool)
	// RealPath returns a path with every symbolic link followed. What does not
	// exist is kept as it is.
	RealPath(path string) (real string, ok bool)
	// Below calls visit for everything that lies below a directory, without
	// following the links there, in bounded time; the paths begin with the
	// directory. visit may return [fs.SkipDir] to leave a directory out, and
	// another error to end the walk. ok is false if not everything could be
	// visited, as in a directory that is too large. It is asked only for calls that
	// mean a whole directory, such as grep -r: a secret that it finds keeps them from
	// being proved, and a file that a deny or an ask is about denies or asks. Where it
	// does not know, they are judged by the paths that they name, as they are without
	// a World.
	Below(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)
	// Links returns where the symbolic links lead that a pattern of the shell
	// can match, on the way or at its end; empty if there are none. In a pattern
	// * ? and [ are special unless a backslash quotes them.
	Links(pattern string) (reals []string, ok bool)
}

// A TextWorld is a [World] that also tells whether a word stands in a file. Without one a
// search in a whole directory reads every secret below.
type TextWorld interface {
	World
	// Holds reports whether a word of letters stands in the file at a path, in whatever
	// case; ok is false where that is not known, as of a file that is no plain text.
	Holds(path, word string) (found, ok bool)
}

// A ProcessWorld is a [World] that also tells which program a process runs. Without one
// the files of a process count by the path alone.
type ProcessWorld interface {
	World
	// Process returns the base name of the program that the process with a number runs;
	// "" if there is no such process.
	Process(id string) (program string, ok bool)
}

// A RepositoryWorld is a [World] that also tells which files a git repository holds.
// Without one a command that shows what is in a repository may show any of its files.
type RepositoryWorld interface {
	World
	// Held calls visit for each file that the index of the repository of a directory
	// holds, by its path below the root of the work tree and the name of its object, until
	// visit returns false. root is that root, "" where there is no repository.
	Held(dir string, visit func(path, object string) bool) (root string, ok bool)
}

// A WorkspaceWorld is a [World] that also tells what is lost where a file is
// written or removed. Without one nothing is proved to stay inside the project.
type WorkspaceWorld interface {
	World
	// GitHooks returns the hooks of the git repository of a directory; empty if
	// there are none.
	GitHooks(dir string) (hooks []string, ok bool)
	// File returns what lies at an absolute path.
	File(path string) (f workspace.File, ok bool)
	// Kept reports whether git holds the file at a path, and whether as it is on
	// the disk; of a directory whether it holds a file below.
	Kept(path string) (held, unmodified bool)
}

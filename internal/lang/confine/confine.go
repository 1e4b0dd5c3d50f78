// Package confine proves of short scripts in Python and JavaScript that they do
// no more than print, compute, and open files whose paths they spell out. What it
// returns is which files those are.
//
// It is a closed world: every name, attribute and option of a call is one of
// those in its tables, or the script is refused. Nothing in the tables reaches
// what evaluates text, starts a program, connects, or opens a file in a way that
// the script does not show. Where two versions of a language read a text
// differently, the script is refused too.
//
// The package looks at no file and runs nothing. Its functions are safe for
// concurrent use.
package confine

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// An Act is what a script does with a file.
type Act uint8

// The acts. Reads is the zero value.
const (
	Reads    Act = iota // reads its content
	Loads               // reads it as JSON if it is a regular file, and else loads another
	Creates             // makes a file or directory, or leaves one that is there as it is
	Appends             // adds to it
	Replaces            // writes it anew
	Removes             // removes the file
	Runs                // loads it as code of the script's language: a module of the project
	Searches            // looks in the directory for such modules, too
)

// An Access is a file that a script opens.
type Access struct {
	// Path is as the script has it: absolute, or relative to its directory. If
	// Each, it is a pattern of which the script opens what matches: * stands for any
	// text in an element, and an element ** for any number of them.
	Path string
	Each bool
	Act  Act
	// At is the offset in the text.
	At int
}

// A Refusal says why a script is not confined. Why is a clause; From and To are
// the part of the text that it is about.
type Refusal struct {
	Why      string
	From, To int
}

func (r *Refusal) Error() string { return r.Why }

// maxText bounds a script, in bytes.
const maxText = 16 << 10

// Read returns the files that a script opens. The refusal is nil if it is
// confined. Modules that it imports are the language's own if no file in its
// directory has the name of one: see [Shadows].
func Read(text string, language program.Language) ([]Access, *Refusal) {
	return read(text, language, false)
}

// ReadOwn is Read for a script that may load modules which are none of the language's
// own. Of these it returns where they lie, as far as the script names it, and nothing is
// known of what they do with what they are given; the script takes nothing out of them
// that has the name of a module of the language's own.
func ReadOwn(text string, language program.Language) ([]Access, *Refusal) {
	return read(text, language, true)
}

func read(text string, language program.Language, own bool) ([]Access, *Refusal) {
	if len(text) > maxText {
		return nil, &Refusal{Why: "the script is too long"}
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return nil, &Refusal{Why: "the script has a control character", From: i, To: i + 1}
		}
	}
	switch language {
	case program.Python:
		return readPython(text, own)
	case program.JavaScript:
		return readJavaScript(text, own)
	}
	return nil, &Refusal{Why: "scripts in this language are not checked", To: len(text)}
}

// Shadows reports whether a file or directory with a name, in the directory in
// which Python runs a script, may be loaded in place of a module of Python's own,
// also by one of these.
func Shadows(name string) bool {
	stem := stemOf(name)
	return strings.HasPrefix(stem, "_") || pythonLibrary()[stem] || pythonLacks(stem) != ""
}

// MakesPackage reports whether a file or directory with a name makes the directory
// in which it lies one from which Python loads code, where [Shadows] holds of it.
func MakesPackage(dir, name string) bool {
	stem := stemOf(name)
	return stem == "__init__" || stem != "" && stem == pythonLacks(stemOf(dir))
}

func stemOf(name string) string {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	return stem
}

package program

import (
	"slices"
	"strings"
)

// A Language is one other than that of a shell in which a program evaluates
// code.
type Language uint8

// The languages.
const (
	NoLanguage Language = iota
	Python
	JavaScript
	Perl
	Ruby
	PHP
	Lua
	AppleScript
	AWK
	Sed
	powerShell
	Prompt // that of cmd
)

// LanguageOf returns the language that the program of a base name evaluates.
func LanguageOf(name string) Language {
	if p := Find(name); p != nil {
		return p.Language
	}
	return NoLanguage
}

// Evaluates reports whether the program evaluates code in a language of its own,
// unless it is a shell.
func Evaluates(p *Program) bool { return p.Language != NoLanguage && !IsForeign(p) }

// EvaluatesUnder reports whether the program does so, or a sub-command of it.
func EvaluatesUnder(p *Program) bool {
	return Evaluates(p) || slices.ContainsFunc(p.Verbs, Evaluates) || slices.ContainsFunc(p.Subs, Evaluates)
}

// IsForeign reports whether the program is a shell of Windows.
func IsForeign(p *Program) bool { return p.Language >= powerShell }

// SpeaksPowerShell reports whether the program evaluates PowerShell.
func SpeaksPowerShell(p *Program) bool { return p.Language == powerShell }

// IsInterpreter reports whether the program evaluates code in a language for
// more than text.
func IsInterpreter(p *Program) bool { return Evaluates(p) && p.Language < AWK }

// Bare returns a name without a version at its end, as python3.11 and gcc-12 have
// one, whatever the program is.
func Bare(name string) string {
	end := len(name)
	for end > 0 && (name[end-1] >= '0' && name[end-1] <= '9' || name[end-1] == '.') {
		end--
	}
	if end == len(name) {
		return name
	}
	return strings.TrimSuffix(name[:end], "-")
}

// interpreter returns the row of a name that may bear a version.
func interpreter(name string) *Program {
	if p := row(name); p != nil && Evaluates(p) {
		return p
	}
	return nil
}

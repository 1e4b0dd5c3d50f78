package siblings_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/program"
)

// plain returns the index of a word that is written as what it means, -1 where
// there is none. The program itself is one, but for words of the shell's language.
func (s *site) plain(r *rand.Rand, first int) int {
	if s.backquoted {
		return -1
	}
	for _, i := range r.Perm(len(s.words)) {
		if i >= first && s.known[i] && s.words[i] == s.values[i] && (i > 0 || !isSyntax(s.words[0])) {
			return i
		}
	}
	return -1
}

// isSyntax reports whether a word in the first place is no program: quoted, it is
// another.
func isSyntax(word string) bool {
	return syntax.IsKeyword(word) || word == "time" || word == "coproc"
}

func quoted(mark string) func(*site, *rand.Rand) string {
	return func(s *site, r *rand.Rand) string {
		i := s.plain(r, 0)
		if i < 0 {
			return ""
		}
		return s.with(replaced(s.words, i, mark+s.words[i]+mark))
	}
}

func halfQuoted(s *site, r *rand.Rand) string {
	i := s.plain(r, 0)
	if i < 0 {
		return ""
	}
	w := s.words[i]
	at := 1 + r.IntN(len(w))
	mark := []string{"'", `"`}[r.IntN(2)]
	return s.with(replaced(s.words, i, w[:at]+mark+w[at:]+mark))
}

// backslash quotes a sign: before a letter, fish and others have escapes.
func backslash(s *site, r *rand.Rand) string {
	for _, i := range r.Perm(len(s.words)) {
		if at := strings.IndexAny(s.words[i], "-./"); at >= 0 && !s.backquoted && s.known[i] && s.words[i] == s.values[i] {
			return s.with(replaced(s.words, i, s.words[i][:at]+`\`+s.words[i][at:]))
		}
	}
	return ""
}

func continued(s *site, r *rand.Rand) string {
	if len(s.words) < 2 || s.backquoted {
		return ""
	}
	at := 1 + r.IntN(len(s.words)-1)
	return s.with(slices.Insert(slices.Clone(s.words), at, "\\\n"))
}

func moreBlanks(s *site, _ *rand.Rand) string {
	if len(s.words) < 2 {
		return ""
	}
	return s.before + strings.Join(s.words, "  ") + s.after
}

// wholly returns a text as one word, in single quotes where it needs some.
func wholly(text string) string {
	quoted, err := syntax.Quote(text, syntax.LangPOSIX)
	if err != nil {
		return "''"
	}
	return quoted
}

func inVariable(s *site, r *rand.Rand) string {
	if s.backquoted {
		return ""
	}
	for _, i := range r.Perm(len(s.words)) {
		if i > 0 && s.known[i] {
			return "Zq=" + wholly(s.values[i]) + "; " + s.with(replaced(s.words, i, `"$Zq"`))
		}
	}
	return ""
}

func programInVariable(s *site, _ *rand.Rand) string {
	return "Zq=" + s.words[0] + "; " + s.with(replaced(s.words, 0, "$Zq"))
}

// inArray writes all words as one array, in which none is expanded earlier than it was.
func inArray(s *site, _ *rand.Rand) string {
	if slices.Contains(s.known, false) || isSyntax(s.name) || s.backquoted {
		return ""
	}
	return "Zq=(" + strings.Join(s.words, " ") + "); " + s.with([]string{`"${Zq[@]}"`})
}

// byXargs lets xargs run a command that begins the line: another one may have an input. What
// is redirected to xargs are words for it to append, and a shell that it starts reads nothing.
func byXargs(s *site, r *rand.Rand) string {
	if s.before != "" || s.fed || s.converses {
		return ""
	}
	return wrapped("true | xargs ")(s, r)
}

func wrapped(wrapper string) func(*site, *rand.Rand) string {
	return func(s *site, _ *rand.Rand) string {
		if s.row == nil || s.row.InShell || isSyntax(s.name) {
			return ""
		}
		if program.HasWord(builtins, s.name) || s.defines() || strings.HasSuffix(strings.TrimRight(s.before, " "), "=") {
			return ""
		}
		return s.before + wrapper + strings.Join(s.words, " ") + s.after
	}
}

// bySudo writes sudo, which clears variables, before a command for which none is set.
func bySudo(s *site, r *rand.Rand) string {
	if s.sets {
		return ""
	}
	return wrapped("sudo -n ")(s, r)
}

// around writes a line within another one; not one that a backslash goes on.
func around(form string) func(*site, *rand.Rand) string {
	return func(s *site, _ *rand.Rand) string {
		line := s.with(s.words)
		if strings.HasSuffix(line, `\`) {
			return ""
		}
		return strings.Replace(form, "%s", line, 1)
	}
}

// inFunction writes a line as a function, which has parameters of its own.
func inFunction(s *site, r *rand.Rand) string {
	if line := s.with(s.words); strings.Contains(line, "$@") || strings.Contains(line, "$*") || strings.Contains(line, "$#") {
		return ""
	}
	return around("zq() { %s\n}; zq")(s, r)
}

// inText writes a line as a text that a shell evaluates.
func inText(form string) func(*site, *rand.Rand) string {
	return func(s *site, _ *rand.Rand) string {
		return strings.Replace(form, "%s", wholly(s.with(s.words)), 1)
	}
}

// echoed writes what echo passes on as a here-string.
func echoed(s *site, _ *rand.Rand) string {
	rest, ok := strings.CutPrefix(s.after, " | ")
	if s.name != "echo" || !ok || s.before != "" || len(s.words) != 2 || !s.known[1] || strings.Contains(s.words[1], `\`) || strings.ContainsAny(rest, "|;&<>") {
		return ""
	}
	return rest + " <<< " + s.words[1]
}

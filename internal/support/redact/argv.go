package redact

import (
	"path"
	"strings"
)

// arguments are the words of a command in a list: one of them may say that the
// next is a secret.
type arguments struct {
	words   []string
	program *holder
}

// argumentsOf reads a list as the words of a command; words that are no
// strings are empty.
func argumentsOf(items []any) arguments {
	a := arguments{words: make([]string, len(items))}
	for i, item := range items {
		a.words[i], _ = item.(string)
	}
	return a
}

// secret returns from which byte on the word at i is a secret, and its kind,
// "" if it is none.
func (a *arguments) secret(i int) (from int, kind string) {
	if p := programOf(a.words, i); p != nil {
		a.program = p
	}
	if i == 0 {
		return 0, ""
	}
	text, option := a.words[i], a.words[i-1]
	if from, kind = a.joined(text); kind != "" {
		return from, kind
	}
	if isPlaceholder(text) || text[0] == '-' || len(option) < 2 || option[0] != '-' {
		return 0, ""
	}
	name := strings.TrimLeft(option, "-")
	if kind = kindOfName(name); kind != "" && len(name) >= 4 && !strings.HasPrefix(name, "no-") && isSecretText(kind, name, text) && !isMeta(name, text) {
		return 0, kind
	}
	if a.program == nil || name == "" {
		return 0, ""
	}
	last := name[len(name)-1]
	short := len(option)-len(name) == 1 && len(name) <= 6
	if short && strings.IndexByte(a.program.whole, last) >= 0 && strings.IndexByte(a.program.join, last) < 0 {
		return 0, "password"
	}
	if user := name == "user" || name == "proxy-user"; user || short && strings.IndexByte(a.program.pair, last) >= 0 {
		return pairIn(text, a.program)
	}
	return 0, ""
}

// joined finds the secret in an option with its letter: "-px", "-uann:x".
func (a *arguments) joined(text string) (from int, kind string) {
	if a.program == nil || len(text) < 3 || text[0] != '-' || text[1] == '-' || isPlaceholder(text[2:]) {
		return 0, ""
	}
	switch letter := text[1]; {
	case strings.IndexByte(a.program.whole, letter) >= 0:
		return 2, "password"
	case strings.IndexByte(a.program.pair, letter) >= 0:
		if at := strings.IndexByte(text, a.program.sep); at > 2 && !isPlaceholder(text[at+1:]) {
			return at + 1, "basic-auth"
		}
	}
	return 0, ""
}

// pairIn finds the secret in "user:secret".
func pairIn(text string, p *holder) (from int, kind string) {
	if p.pair == "" {
		return 0, ""
	}
	_, secret, ok := strings.Cut(text, string(p.sep))
	if !ok || isPlaceholder(secret) || strings.HasPrefix(secret, "//") {
		return 0, ""
	}
	return len(text) - len(secret), "basic-auth"
}

// programOf returns the program with secret options that the word at i names,
// alone or with the word before ("docker login").
func programOf(words []string, i int) *holder {
	const longest = 96
	if len(words[i]) > longest {
		return nil
	}
	base := path.Base(words[i])
	if p := programNamed(base); p != nil || i == 0 || len(words[i-1]) > longest {
		return p
	}
	return programNamed(path.Base(words[i-1]) + " " + base)
}

// programNamed returns the program with this name, nil if none has it.
func programNamed(name string) *holder {
	for _, e := range index().entries[name[0]] {
		if e.holder != nil && e.literal == name {
			return e.holder
		}
	}
	return nil
}

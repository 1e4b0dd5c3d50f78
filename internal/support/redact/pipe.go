package redact

import "strings"

// readers are what reads a password from its standard input.
var readers = []string{"--password-stdin", "--with-token", "chpasswd", "passwd --stdin", "passwd -s", "sudo -S", "sudo -kS", "--passphrase-fd 0"}

// findPiped finds the words behind a command that prints, where what reads a
// password stands behind the pipe: "echo x | docker login --password-stdin".
func findPiped(command string) func(string, int) (int, int) {
	return func(s string, i int) (int, int) {
		const reach = 400
		from := i + len(command)
		rest := s[from:min(len(s), from+reach)]
		printed, reader, ok := cutPipe(rest)
		if !ok || !readsPassword(segment(reader)) {
			return 0, 0
		}
		printed = strings.TrimRight(printed, " \t")
		to := from + len(printed)
		words := strings.TrimLeft(printed, " \t")
		for strings.HasPrefix(words, "-") { // options of echo
			words = strings.TrimLeft(words[wordDash.run(words, 0):], " \t")
		}
		return secretWords(s, to-len(words), to)
	}
}

// cutPipe returns what stands before and behind the pipe that ends a simple
// command; ok is false if something else ends it.
func cutPipe(s string) (before, behind string, ok bool) {
	quote := byte(0)
	for i := range len(s) {
		switch b := s[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '\'' || b == '"':
			quote = b
		case b == ';', b == '&', b == '\n', b == '<', b == '>':
			return "", "", false
		case b == '|':
			return s[:i], s[i+1:], true
		}
	}
	return "", "", false
}

// segment returns the text up to the end of a simple command.
func segment(s string) string {
	if end := strings.IndexAny(s, "|;&\n"); end >= 0 {
		return s[:end]
	}
	return s
}

func readsPassword(command string) bool {
	for _, r := range readers {
		if strings.Contains(command, r) {
			return true
		}
	}
	return false
}

// secretWords returns words without the quotes around them; nothing where they
// are a variable.
func secretWords(s string, from, to int) (int, int) {
	if to-from >= 2 && isQuote(s[from]) && s[to-1] == s[from] {
		from, to = from+1, to-1
	}
	if isPlaceholder(s[from:to]) {
		return 0, 0
	}
	return from, to
}

// findHereString finds the word behind "<<<" of a command that reads a
// password.
func findHereString(s string, i int) (int, int) {
	const reach = 200
	before := s[max(0, i-reach):i]
	before = before[strings.LastIndexAny(before, "|;&\n")+1:]
	if !readsPassword(before) {
		return 0, 0
	}
	v := readLiteral(s, blank.run(s, i+len("<<<")))
	if isPlaceholder(v.of(s)) {
		return 0, 0
	}
	return v.from, v.to
}

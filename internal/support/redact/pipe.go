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
		pipe := pipeIn(rest)
		if pipe < 0 || !readsPassword(segment(rest[pipe+1:])) {
			return 0, 0
		}
		to := from + len(strings.TrimRight(rest[:pipe], " \t"))
		for from < to && (s[from] == '-' || blank[s[from]]) { // options of echo
			if s[from] == '-' {
				from = wordDash.run(s, from)
				continue
			}
			from++
		}
		return secretWords(s, from, to)
	}
}

// pipeIn returns the place of the pipe that ends a simple command, -1 if
// something else does.
func pipeIn(s string) int {
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
			return -1
		case b == '|':
			return i
		}
	}
	return -1
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
	if from >= to || isPlaceholder(s[from:to]) {
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

package policy

import (
	"slices"
	"strconv"
	"strings"
)

// typedArguments are the arguments in which tools take what they type into a terminal.
var typedArguments = []string{"chars", "input", "text", "data", "keys", "stdin", "command", "cmd", "literal", "line", "lines", "string", "content"}

// A tool types into a terminal if its name has one of typingVerbs beside one of
// typingPlaces, or, in the name without that of its server, one of typedThings.
var (
	typingVerbs  = []string{"send", "write", "type", "input", "keys", "keystrokes", "feed", "interact", "paste", "stuff", "press", "put"}
	typingPlaces = []string{"terminal", "term", "tty", "pty", "console", "tmux", "zellij", "iterm", "kitty", "wezterm", "shell", "bash", "zsh", "sh", "powershell", "ssh", "repl"}
	typedThings  = []string{"stdin", "keys", "keystrokes", "input", "process", "command", "screen", "exec"}
)

// types reports whether the name of a tool says that it types into a terminal.
func types(tool string) bool {
	return besideVerb(wordsIn(tool), typingPlaces) || besideVerb(nameWords(tool), typedThings)
}

// besideVerb reports whether one of several things is among words beside a verb of
// typing.
func besideVerb(words, things []string) bool {
	return slices.ContainsFunc(words, func(thing string) bool {
		return slices.Contains(things, thing) && slices.ContainsFunc(words, func(verb string) bool { return verb != thing && slices.Contains(typingVerbs, verb) })
	})
}

// asKeys returns arguments as those whose text is typed.
func asKeys(arguments []string) (fields []string) {
	for _, name := range arguments {
		fields = append(fields, name+"|keys")
	}
	return fields
}

// typings returns the lines that a text becomes that is typed, in each way in which
// tools write keys: as characters, by their names, and as escapes.
func typings(text string) []string {
	out := []string{keystrokes(text)}
	add := func(lines string) {
		if !slices.Contains(out, lines) {
			out = append(out, lines)
		}
	}
	add(keystrokes(spelledKeys(text)))
	if !strings.ContainsAny(text, `'"`) { // between quotes a program reads them
		add(keystrokes(spelledKeys(unescaped(text))))
	}
	return out
}

// typedList returns the lines that a list of keys becomes: its texts follow one another,
// or are words.
func typedList(list []string) []string {
	var b strings.Builder
	for _, item := range list {
		if key, ok := keyText(item); ok {
			item = key
		}
		b.WriteString(item)
	}
	return append(typings(b.String()), typings(strings.Join(list, " "))...)
}

// keystrokes returns what is typed on a terminal as lines: every control
// character, and every sequence of them for a key, ends one.
func keystrokes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0x1b:
			i += sequence(text[i+1:])
			b.WriteByte('\n')
		case c < ' ' && c != '\t' || c == 0x7f:
			b.WriteByte('\n')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// sequence returns the length of what follows an escape character for one key
// (ECMA-48): [ or O, parameters, and a last byte.
func sequence(text string) int {
	if text == "" || text[0] != '[' && text[0] != 'O' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] >= 0x40 && text[i] <= 0x7e {
			return i + 1
		}
	}
	return len(text)
}

// spelledKeys returns a text with the characters of the keys that it names: in braces,
// brackets or angles, with a caret, and as words as tmux has them.
func spelledKeys(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		key, size := keyAt(text[i:], i == 0 || text[i-1] <= ' ')
		if size == 0 {
			key, size = text[i:i+1], 1
		}
		b.WriteString(key)
		i += size
	}
	return b.String()
}

// maxKeyName is longer than any name of a key.
const maxKeyName = 14

// keyAt returns the characters of the key that a text names at its beginning, and the
// length of that name. begins says that a word may begin here.
func keyAt(text string, begins bool) (key string, size int) {
	if at := strings.IndexByte("{<[", text[0]); at >= 0 {
		if end := strings.IndexByte(text[:min(len(text), maxKeyName)], "}>]"[at]); end > 0 {
			if key, ok := keyText(text[1:end]); ok {
				return key, end + 1
			}
		}
		return "", 0
	}
	if text[0] == '^' && len(text) > 1 && text[1] >= '@' && text[1] <= '_' {
		return "\n", 2
	}
	if c := text[0]; !begins || c < 'A' || c > 'Z' {
		return "", 0
	}
	word, rest, _ := strings.Cut(text[:min(len(text), maxKeyName)], " ")
	word = strings.TrimRight(word, "\r\n")
	if key, ok := keyText(word); ok && (rest != "" || len(word) < maxKeyName) {
		return key, len(word)
	}
	return "", 0
}

// keyNames are the names of keys that end a line or make it another one.
var keyNames = []string{"enter", "return", "cr", "lf", "nl", "kpenter", "up", "down", "left", "right", "backspace", "bspace", "bs", "escape", "esc", "tab", "btab",
	"delete", "del", "dc", "home", "end", "pageup", "pagedown", "ppage", "npage", "pgup", "pgdn", "insert"}

// keyText returns the characters of a key with a name.
func keyText(name string) (text string, ok bool) {
	name = strings.ToLower(name)
	if name == "space" || name == "spc" {
		return " ", true
	}
	for _, modifier := range [...]string{"c", "ctrl", "control", "m", "alt", "meta"} {
		if rest, held := strings.CutPrefix(name, modifier); held && len(rest) == 2 && (rest[0] == '-' || rest[0] == '+') {
			return "\n", true
		}
	}
	return "\n", slices.Contains(keyNames, name) || len(name) == 2 && name[0] == '^'
}

// unescaped returns a text with the characters that escapes stand for, which tools take
// for keys: \n, \r, \x03.
func unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		c, _, tail, err := strconv.UnquoteChar(text[i:], 0)
		if err != nil {
			b.WriteByte(text[i])
			continue
		}
		b.WriteRune(c)
		i = len(text) - len(tail) - 1
	}
	return b.String()
}

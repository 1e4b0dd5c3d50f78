package redact

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A holder is a program, or a sub-command, that takes secrets as options.
type holder struct {
	whole string // the letters whose value is the secret
	pair  string // the letters whose value is "user:secret"
	host  string // the letters whose value is "user:secret@host"
	jar   string // the letters whose value is a cookie, or a file of cookies
	long  string // an option whose value is the secret, though its name does not say so
	join  string // the letters whose value must stand in the same word
	sep   byte   // what separates a pair
}

// holders calls add for each name of a program with secret options, and that of its
// sub-command behind it, by the table of programs.
func holders(add func(name string, h *holder)) {
	for _, p := range program.All() {
		if p.Secrets == "" {
			continue
		}
		bySub := map[string]*holder{}
		for option := range strings.FieldsSeq(p.Secrets) {
			sub, rest, ok := strings.Cut(option, "/")
			if !ok {
				sub, rest = "", option
			}
			if bySub[sub] == nil {
				bySub[sub] = &holder{}
			}
			bySub[sub].takes(rest)
		}
		for sub, h := range bySub {
			for name := range strings.FieldsSeq(p.Names) {
				add(strings.TrimSpace(name+" "+strings.ReplaceAll(sub, ",", " ")), h)
			}
		}
	}
}

// takes notes an option as [program.Program.Secrets] has it.
func (h *holder) takes(option string) {
	letter, mark := option[:1], option[1:]
	switch mark {
	case "":
		h.whole += letter
	case "+":
		h.whole, h.join = h.whole+letter, h.join+letter
	case ":", "%":
		h.pair, h.sep = h.pair+letter, mark[0]
	case "@":
		h.host += letter
	case ";":
		h.jar += letter
	default:
		h.long = option
	}
}

// enter notes that the simple command runs a program.
func (c *scan) enter(e entry) {
	end := c.i + len(e.literal)
	if end < len(c.s) && (wordDash[c.s[end]] || c.s[end] == ':' || c.s[end] == '/') {
		return
	}
	c.program, c.quote = e.holder, 0
}

// shellByte follows quotes and the end of the simple command since its program
// was named.
func (c *scan) shellByte(b byte) {
	if c.program == nil || c.s[c.i-1] == '\\' {
		return
	}
	rest := c.s[c.i+1:]
	switch {
	case isQuote(b) && c.quote == 0:
		c.quote = b
	case isQuote(b) && c.quote == b:
		c.quote = 0
	case isQuote(b) || c.quote != 0:
	case b == '&' && rest != "" && !space[rest[0]] && rest[0] != '&': // in a URL
	default:
		c.program = nil
	}
}

// option looks for the value of the option at which the scan stands.
func (c *scan) option() bool {
	s, i := c.s, c.i
	if i > 0 && !space[s[i-1]] && strings.IndexByte("\"'`([{,", s[i-1]) < 0 && !escapeEnds(s, i) {
		return false
	}
	from := i + 1
	if from < len(s) && s[from] == '-' {
		from++
	}
	end := wordDash.run(s, from)
	if end == from || s[from] == '-' {
		return false
	}
	if from == i+1 && c.program != nil && c.short(from, end) {
		return true
	}
	return c.long(s[from:end], end)
}

// long looks for a secret behind an option such as "--password".
func (c *scan) long(name string, end int) bool {
	if len(name) < 4 || strings.HasPrefix(name, "no-") {
		return false
	}
	if p := c.program; p != nil {
		switch {
		case p.pair != "" && (name == "user" || name == "proxy-user"):
			return c.pair(c.attachedValue(end))
		case p.host != "" && name == "proxy":
			return c.atHost(c.attachedValue(end))
		case name == p.long:
			return c.whole(c.attachedValue(end))
		}
	}
	kind := kindOfName(name)
	if kind == "" {
		return false
	}
	v := c.optionValue(end)
	text := v.of(c.s)
	if !isSecretText(kind, name, text) || !v.quoted && (text[0] == '-' || isMeta(name, text)) {
		return false
	}
	c.add(kind, v.from, v.to)
	c.more(kind, v)
	return true
}

// isMeta reports whether the text behind an option describes its value, or goes
// on with a sentence.
func isMeta(name, text string) bool {
	if text = strings.TrimRight(text, ".,:"); isTypeWord(text) || strings.EqualFold(text, name) || strings.EqualFold(text, lastWord(name)) || strings.HasPrefix(text, "id=") {
		return true
	}
	switch text {
	case "to", "is", "for", "and", "or", "the", "in", "with", "flag", "option", "when", "as", "if", "from", "must", "PASS", "TOKEN":
		return true
	}
	return strings.HasPrefix(text, "type=") || strings.HasPrefix(text, "name=")
}

// attachedValue reads the value of an option that ends at i, also behind "=".
func (c *scan) attachedValue(i int) literal {
	if i < len(c.s) && c.s[i] == '=' {
		return readLiteral(c.s, i+1)
	}
	return c.optionValue(i)
}

// optionValue reads the value of an option that ends at i: behind blanks, an
// escaped line end, or as the next item of a list.
func (c *scan) optionValue(i int) literal {
	s := c.s
	if rest := s[i:]; len(rest) > 1 && isQuote(rest[0]) && rest[1] == ',' { // "--password", "x"
		if j := space.run(s, i+2); j < len(s) && s[j] == rest[0] {
			return readLiteral(s, j)
		}
		return literal{}
	}
	j := blank.run(s, i)
	if strings.HasPrefix(s[j:], "\\\n") {
		j = blank.run(s, j+2)
	}
	if j == i || j == len(s) {
		return literal{}
	}
	return readLiteral(s, j)
}

// short looks for a secret behind the letters of an option word that stands
// from from to end: "-p x", "-px", "-su user:x".
func (c *scan) short(from, end int) bool {
	s, p := c.s, c.program
	letters := p.whole + p.pair + p.host + p.jar
	if first := s[from]; strings.IndexByte(letters, first) >= 0 && (end > from+1 || end < len(s) && !space[s[end]]) {
		return c.joined(first, from+1)
	}
	const bundle = 6 // letters of one word
	last := s[end-1]
	if end-from > bundle || strings.IndexByte(letters, last) < 0 || strings.IndexByte(p.join, last) >= 0 && p.join != "" {
		return false
	}
	return c.behind(last, c.optionValue(end))
}

// joined looks for a secret behind an option letter in the same word.
func (c *scan) joined(letter byte, i int) bool {
	return c.behind(letter, readLiteral(c.s, i))
}

// behind looks for a secret in the value of an option letter.
func (c *scan) behind(letter byte, v literal) bool {
	p := c.program
	switch {
	case strings.IndexByte(p.pair, letter) >= 0:
		return c.pair(v)
	case strings.IndexByte(p.host, letter) >= 0:
		return c.atHost(v)
	case strings.IndexByte(p.jar, letter) >= 0:
		return c.cookie(v)
	}
	return c.whole(v)
}

// cookie adds a value that is a cookie and no file.
func (c *scan) cookie(v literal) bool {
	if text := v.of(c.s); !strings.Contains(text, "=") || isPlaceholder(text) {
		return false
	}
	c.add("cookie", v.from, v.to)
	return true
}

// atHost adds the secret of "user:secret@host"; with a scheme it is a URL, which
// is found as such.
func (c *scan) atHost(v literal) bool {
	text := v.of(c.s)
	if strings.Contains(text, "://") {
		return false
	}
	return c.pair(literal{from: v.from, to: v.from + max(0, strings.LastIndexByte(text, '@'))})
}

// whole adds a value that is a password as it is.
func (c *scan) whole(v literal) bool {
	text := v.of(c.s)
	if isPlaceholder(text) || !v.quoted && text[0] == '-' {
		return false
	}
	c.add("password", v.from, v.to)
	c.more("password", v)
	return true
}

// pair adds the secret of "user:secret".
func (c *scan) pair(v literal) bool {
	_, secret, ok := strings.Cut(v.of(c.s), string(c.program.sep))
	if !ok || isPlaceholder(secret) || strings.HasPrefix(secret, "//") {
		return false
	}
	c.add("basic-auth", v.to-len(secret), v.to)
	return true
}

// element looks for the content of an XML element whose start tag ends where
// the scan stands.
func (c *scan) element() bool {
	s := c.s
	k := c.nameStart(c.i)
	if k == c.i || k == 0 || s[k-1] != '<' {
		return false
	}
	name := s[k:c.i]
	kind := kindOfName(name)
	if kind == "" {
		return false
	}
	from := c.i + 1
	text, rest, _ := strings.Cut(s[from:], "<")
	if !strings.HasPrefix(rest, "/") || !isSecretText(kind, name, strings.TrimSpace(text)) {
		return false
	}
	c.add(kind, from, from+len(text))
	return true
}

// literalAfter finds the literal in quotes behind a key word of SQL.
func literalAfter(word string) func(string, int) (int, int) {
	return func(s string, i int) (int, int) {
		j := blank.run(s, i+len(word))
		if j == len(s) || !isQuote(s[j]) {
			return 0, 0
		}
		v := readLiteral(s, j)
		if isPlaceholder(v.of(s)) || v.of(s) == "?" {
			return 0, 0
		}
		return v.from, v.to
	}
}

// findNetrc finds the word behind "password" in the form of a .netrc file, and
// a literal as SQL has it.
func findNetrc(s string, i int) (int, int) {
	const reach = 160
	if from, to := literalAfter("password ")(s, i); from < to && s[from-1] == '\'' {
		return from, to
	}
	if before := s[max(0, i-reach):i]; !strings.Contains(before, "login ") && !strings.Contains(before, "machine ") {
		return 0, 0
	}
	j := blank.run(s, i+len("password "))
	if j == len(s) {
		return 0, 0
	}
	v := readLiteral(s, j)
	if isPlaceholder(v.of(s)) || isMeta("password", v.of(s)) {
		return 0, 0
	}
	return v.from, v.to
}

// findSetting finds the value behind "config set NAME" whose name says secret.
func findSetting(command string) func(string, int) (int, int) {
	return func(s string, i int) (int, int) {
		from := blank.run(s, i+len(command))
		end := from
		for end < len(s) && end-from < 2*maxName && !space[s[end]] && !isQuote(s[end]) && s[end] != '=' {
			end++
		}
		j := blank.run(s, end)
		name := s[from:end]
		name = name[strings.LastIndexAny(name, ":/.")+1:]
		kind := kindOfName(name)
		if kind == "" || j == end || j == len(s) {
			return 0, 0
		}
		v := readLiteral(s, j)
		if !isSecretText(kind, name, v.of(s)) {
			return 0, 0
		}
		return v.from, v.to
	}
}

// findSetPassword finds the literal in "SET PASSWORD FOR ann = 'x'".
func findSetPassword(s string, i int) (int, int) {
	const reach = 120
	from := i + len("SET PASSWORD ")
	at := strings.IndexByte(s[from:min(len(s), from+reach)], '=')
	if at < 0 {
		return 0, 0
	}
	return literalAfter("=")(s, from+at)
}

// findLogin finds the token that is the last word of a login.
func findLogin(command string) func(string, int) (int, int) {
	return func(s string, i int) (int, int) {
		v := readLiteral(s, blank.run(s, i+len(command)))
		text := v.of(s)
		if len(text) < 8 || text[0] == '-' || !hasDigit(text) || strings.Contains(text, "=") || isPlaceholder(text) {
			return 0, 0
		}
		return v.from, v.to
	}
}

// findFromLiteral finds the value in "--from-literal=KEY=VALUE" of kubectl.
func findFromLiteral(s string, i int) (int, int) {
	j := i + len("--from-literal")
	if j == len(s) || s[j] != '=' && !blank[s[j]] {
		return 0, 0
	}
	v := readLiteral(s, blank.run(s, j+1))
	key, value, ok := strings.Cut(v.of(s), "=")
	if !ok || key == "" || kindOfName(key) != "" { // whose name says more
		return 0, 0
	}
	if from := v.to - len(value); value != "" {
		return secretWords(s, from, v.to)
	}
	v = readLiteral(s, v.to) // KEY='VALUE'
	return secretWords(s, v.from, v.to)
}

// findAuthPair finds the password in auth=("ann", "x") of Python.
func findAuthPair(s string, i int) (int, int) {
	j := blank.run(s, i+len("auth=("))
	if j == len(s) || !isQuote(s[j]) && s[j] != '\\' {
		return 0, 0
	}
	j = blank.run(s, readLiteral(s, j).end)
	if j == len(s) || s[j] != ',' {
		return 0, 0
	}
	if j = blank.run(s, j+1); j == len(s) || !isQuote(s[j]) && s[j] != '\\' {
		return 0, 0
	}
	v := readLiteral(s, j)
	return secretWords(s, v.from, v.to)
}

package redact

import "strings"

// shortest is the length from which on a value of a kind is a secret.
func shortest(kind, name string) int {
	if isWeak(name) {
		return 4
	}
	switch kind {
	case "password":
		return 1
	case "secret":
		return 4
	}
	return 6
}

// isSecret reports whether the value of an assignment is one: no placeholder, no
// number that counts, no code and no prose.
func (c *scan) isSecret(a assignment, v literal) bool {
	text := v.of(c.s)
	if !isSecretText(a.kind, a.text, text) && !isQuotedDollar(c.s, v) {
		return false
	}
	if v.quoted {
		return !c.isEndOfQuote(a, v) && !c.isSubstitution(a, v)
	}
	next := byte('\n')
	if v.to < len(c.s) {
		next = c.s[v.to]
	}
	if next == '(' || isCall(text) {
		return false
	}
	if a.quick && a.sign == '=' && !a.apart {
		return true
	}
	return !c.isCode(a, v, next) && !c.isProse(a, v, next)
}

// isEndOfQuote reports whether the quote behind a name closes one that holds the
// name: `input("Password: ")`.
func (c *scan) isEndOfQuote(a assignment, v literal) bool {
	text := v.of(c.s)
	return a.apart && a.name.quote == "" && strings.IndexByte("),]}; +.", text[0]) >= 0
}

// isSubstitution reports whether a value in backquotes is a command.
func (c *scan) isSubstitution(a assignment, v literal) bool {
	return !a.apart && c.s[v.from-1] == '`'
}

// isSecretText judges a value by itself.
func isSecretText(kind, name, text string) bool {
	if len(text) < shortest(kind, name) || isPlaceholder(text) || has(harmlessValues, strings.Trim(text, "*_- .,")) {
		return false
	}
	if !isNumber(text) {
		return true
	}
	const longNumber = 8 // longer than what counts
	return kind == "password" && !isWeak(name) || len(text) >= longNumber && !isWeak(name)
}

// isQuotedDollar reports whether a value in single quotes begins with a dollar
// that no shell reads as a variable in capitals.
func isQuotedDollar(s string, v literal) bool {
	text := v.of(s)
	if !v.quoted || v.from == 0 || s[v.from-1] != '\'' || len(text) < 4 || text[0] != '$' {
		return false
	}
	return alnum[text[1]] && text != strings.ToUpper(text) && hasDigit(text) && !strings.ContainsAny(text, "({")
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, digits+".,%") == "" }

// isCall reports whether a value is an element or a call in a program.
func isCall(text string) bool {
	at := strings.IndexAny(text, "[({")
	if strings.HasPrefix(text, "[]") || strings.HasSuffix(text, "{") && at == len(text)-1 {
		return true
	}
	return wordDashDot.run(text, 0) == at && isLetter(text[0])
}

// isCode reports whether a value without quotes is a name in a program.
func (c *scan) isCode(a assignment, v literal, next byte) bool {
	text := strings.TrimLeft(v.of(c.s), "&*!")
	if _, field, ok := strings.Cut(text, "."); ok && a.apart && a.sign == '=' && field != "" && isUpper(field[0]) && wordDashDot.run(text, 0) == len(text) {
		return true
	}
	if text == "" || strings.Trim(text, upper+lower+"_.?") != "" {
		return false
	}
	if strings.Contains(strings.Trim(text, "."), ".") || strings.EqualFold(text, a.text) || strings.EqualFold(text, lastWord(a.text)) {
		return true
	}
	if next != ',' && next != ';' && next != ')' {
		return false
	}
	if a.apart || a.from == 0 {
		return a.apart
	}
	listed := c.s[a.from-1] // "Server=db;Password=x;", "db:6379,password=x,ssl=True"
	return next == ')' || listed != ';' && listed != ',' && !isQuote(listed) && !(isUpper(a.text[0]) && next == ';')
}

// isProse reports whether a value without quotes is a word of a sentence: more
// words follow in its line.
func (c *scan) isProse(a assignment, v literal, next byte) bool {
	text := v.of(c.s)
	last := c.lineEnds(v.to)
	if isWeak(a.text) && a.sign == ':' && a.apart && (!last || a.quick) {
		return true
	}
	letters := strings.Trim(text, upper+lower+".!?-") == ""
	return a.apart && letters && !last && next != '\\'
}

// lineEnds reports whether nothing but blanks, an end of a quote or a comment
// follows in the line.
func (c *scan) lineEnds(i int) bool {
	at := i
	if i = blank.run(c.s, i); i == len(c.s) {
		return true
	}
	switch b := c.s[i]; b {
	case '\n', '\r', '\\', '#', '}', ']':
		return true
	case '"', '`':
		return i == at
	case '\'':
		return i+1 == len(c.s) || !alnum[c.s[i+1]]
	}
	return false
}

// harmlessValues are values of names that sound secret and hold none.
var harmlessValues = words(`true false yes no on off null nil none undefined required optional string str int number bool
	boolean text bytes any object hidden redacted masked inherit include omit same-origin plain plaintext basic bearer
	default empty unset disabled enabled auto manual write read admin user username env file stdin prompt ask never always
	void unknown invalid missing expired changed updated todo -- …`)

// isTypeWord reports whether a word is a type in a program.
func isTypeWord(s string) bool {
	switch strings.TrimRight(s, ",;)?") {
	case "string", "str", "String", "int", "number", "bool", "boolean", "any", "bytes", "Any", "char", "const", "SecretStr", "Optional",
		"text", "varchar", "object", "unknown", "QString", "NSString", "&str", "byte", "None", "Buffer", "float", "String?":
		return true
	}
	return false
}

package exchange

import (
	"strings"
)

// A regexpDifference is what JavaScript and RE2 read differently in a regular
// expression without flags.
type regexpDifference struct {
	text string
	// class says that it counts within brackets, plain that it does outside.
	class, plain bool
	there, here  string
}

// readings are looked for at each place, the first that fits counts. What RE2
// refuses altogether is not among them: it does not compile. Nor are the flags
// (?i), (?m) and (?s): the document of the dialect tells people to write them,
// and they mean here what they were written for.
var readings = []regexpDifference{
	{`\s`, true, true, "is every blank of Unicode", "five blanks of ASCII"},
	{`\S`, true, true, "is all but the blanks of Unicode", "all but five blanks of ASCII"},
	{`\a`, true, true, "is the letter a", "a bell"},
	{`\A`, false, true, "is the letter A", "the beginning of the text"},
	{`\z`, false, true, "is the letter z", "the end of the text"},
	{`\C`, false, true, "is the letter C", "one byte"},
	{`\Q`, false, true, "is the letter Q", "the beginning of a literal text"},
	{`\p`, true, true, "is the letter p", "a class of Unicode"},
	{`\P`, true, true, "is the letter P", "a class of Unicode"},
	{`\x{`, true, true, "is a repeated letter x", "a character by its number"},
	{`[[:`, false, true, "is a class of single characters", "a class such as [[:alpha:]]"},
	{`(?P<`, false, true, refused, "a named group"},
	{`(?U`, false, true, refused, "a flag"},
	{`(?-`, false, true, refused, "a flag"},
	{`.`, false, true, lineBreaks, ""},
}

// refused says that a rule with it never matches there.
const refused = "is refused by most versions of JavaScript, so that nothing matches"

// lineBreaks marks what differs at carriage returns and the like alone.
const lineBreaks = "line breaks"

// foreign returns what in a regular expression means one thing in JavaScript
// and another here, each once.
func foreign(text string) []regexpDifference {
	var found []regexpDifference
	seen := make(map[string]bool)
	class := false
	for at := 0; at < len(text); {
		s, ok := readingAt(text[at:], class)
		if ok && !seen[s.text] {
			seen[s.text] = true
			found = append(found, s)
		}
		switch {
		case text[at] == '\\':
			at++ // what is escaped is no bracket
		case text[at] == '[' && !class:
			class = true
			if rest := strings.TrimPrefix(text[at+1:], "^"); strings.HasPrefix(rest, "]") {
				at += len(text[at+1:]) - len(rest) + 1
			}
		case text[at] == ']':
			class = false
		}
		at++
	}
	return found
}

func readingAt(text string, class bool) (regexpDifference, bool) {
	for _, s := range readings {
		if (class && s.class || !class && s.plain) && strings.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return regexpDifference{}, false
}

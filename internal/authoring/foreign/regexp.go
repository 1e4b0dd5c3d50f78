package foreign

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// fromRegexp returns the patterns of commands that say what an expression says
// which a command begins with, and whether there are such. In the patterns of an
// allow nothing is added; those of a deny may be a little wider.
//
// It reads texts, alternatives, blanks and any characters: what people write.
func fromRegexp(expr string, narrow bool) (patterns []string, exact bool) {
	body, ends := strings.CutSuffix(expr, `"`)
	bounded := false
	for _, bound := range []string{`\b`, `[\s"]`, `(?:[\s"]|\\")`} {
		if cut, ok := strings.CutSuffix(expr, bound); ok {
			body, ends, bounded = cut, false, true
		}
	}
	if strings.ContainsAny(strings.ReplaceAll(body, `[^"]`, ""), "\"^$") || body == "" {
		return nil, false
	}
	texts, ok := textsOf(body)
	if !ok {
		return nil, false
	}
	for _, t := range texts {
		switch {
		case strings.Trim(t, "* ") == "":
			return nil, false // it means every command
		case ends, strings.HasSuffix(t, "*"):
		case bounded:
			t += " *"
		case strings.HasSuffix(t, " ") && narrow:
			t += "?*"
		default:
			t += "*"
		}
		if narrow && strings.Contains(strings.TrimSuffix(t, " ?*"), "?") {
			return nil, false // an allow has no question marks
		}
		patterns = append(patterns, t)
	}
	return patterns, true
}

// spelled returns the texts that an expression matches, with stars for any
// characters, or that it is none of those which can be written so.
func spelled(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil, false
		}
		return []string{escapedStars(string(re.Rune))}, true
	case syntax.OpEmptyMatch:
		return []string{""}, true
	case syntax.OpCapture:
		return spelled(re.Sub[0])
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			texts, ok := spelled(sub)
			if !ok || len(out)+len(texts) > 200 {
				return nil, false
			}
			out = append(out, texts...)
		}
		return out, true
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			texts, ok := spelled(sub)
			if !ok || len(out)*len(texts) > 200 {
				return nil, false
			}
			out = combinedTexts(out, texts)
		}
		return out, true
	case syntax.OpQuest:
		texts, ok := spelled(re.Sub[0])
		return append(texts, ""), ok
	case syntax.OpCharClass:
		return class(re)
	case syntax.OpPlus, syntax.OpStar:
		return repeated(re)
	}
	return nil, false
}

// class returns the characters of a short class, and a blank for all kinds of
// blanks.
func class(re *syntax.Regexp) ([]string, bool) {
	if isBlanks(re) {
		return []string{" "}, true
	}
	var out []string
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for c := re.Rune[i]; c <= re.Rune[i+1]; c++ {
			if out = append(out, escapedStars(string(c))); len(out) > 20 {
				return nil, false
			}
		}
	}
	return out, true
}

// isBlanks reports whether a class is that of blanks.
func isBlanks(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCharClass && len(re.Rune) > 0 && re.Rune[0] == '\t' && re.Rune[len(re.Rune)-1] == ' '
}

// isNoQuote reports whether a class is that of all characters but a quote.
func isNoQuote(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCharClass && slices.Equal(re.Rune, []rune{0, '"' - 1, '"' + 1, unicode.MaxRune})
}

// textsOf returns the texts that an expression means, with a star for any characters.
func textsOf(expr string) (texts []string, ok bool) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, false
	}
	return spelled(re)
}

// fromPathRegexp returns the patterns of paths that an expression means which
// compares the JSON of the arguments of a tool for files; false where it does
// not begin where a path or a part of it begins.
func fromPathRegexp(expr string) (patterns []string, ok bool) {
	texts, ok := textsOf(expr)
	if !ok {
		return nil, false
	}
	for _, t := range texts {
		for _, field := range []string{"file_path", "absolute_path", "path"} {
			t = strings.TrimPrefix(t, `"`+field+`":`)
		}
		body, begins := strings.CutPrefix(t, `"`)
		body, ends := strings.CutSuffix(body, `"`)
		switch {
		case strings.Contains(body, `"`), strings.Trim(body, "*/") == "":
			return nil, false
		case !begins && !strings.HasPrefix(body, "/"):
			return nil, false
		case !begins:
			body = "*" + body
		}
		if !ends && !strings.HasSuffix(body, "*") {
			body += "*"
		}
		patterns = append(patterns, body)
	}
	return patterns, true
}

// fromURLRegexp returns the patterns of URLs that mention what an expression
// matches.
func fromURLRegexp(expr string) (patterns []string, ok bool) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, false
	}
	texts, ok := spelled(re)
	for _, t := range texts {
		if t = strings.TrimLeft(t, "/.@\" \t\n\f\r*"); t == "" || strings.Contains(t, `"`) {
			return nil, false
		}
		if t = "*" + strings.TrimRight(t, "*") + "*"; !slices.Contains(patterns, t) {
			patterns = append(patterns, t)
		}
	}
	return patterns, ok
}

// repeated returns a star for any characters, and one blank for several.
func repeated(re *syntax.Regexp) ([]string, bool) {
	switch sub := re.Sub[0]; {
	case isBlanks(sub) && re.Op == syntax.OpPlus:
		return []string{" "}, true
	case sub.Op == syntax.OpAnyChar, sub.Op == syntax.OpAnyCharNotNL, isNoQuote(sub):
		if re.Op == syntax.OpPlus {
			return []string{"?*"}, true
		}
		return []string{"*"}, true
	}
	return nil, false
}

// combinedTexts returns each text of one list followed by each of the other.
func combinedTexts(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// lineRegexp returns an expression for the line of a command that has what
// another one matches at the beginning of a command, "" where it cannot.
func lineRegexp(expr string) string {
	body := strings.TrimSuffix(expr, `"`)
	if strings.ContainsAny(body, "\"\n") || len(body) > 300 || strings.Contains(body, "{") || strings.HasPrefix(body, "^") {
		return ""
	}
	out := `(^|[\s;&|("'])(` + body + `)`
	if _, err := regexp.Compile(out); err != nil {
		return ""
	}
	return out
}

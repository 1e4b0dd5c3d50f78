package config

import (
	"bytes"
	"strconv"
	"strings"
)

var errorPrefix = lazily(`^(?:yaml: )?(?:line (\d+): )?`)

func syntaxText(err error) string {
	return "not YAML: " + errorPrefix().ReplaceAllString(err.Error(), "")
}

// maxSearch bounds the text that is searched for a syntax error: each of the
// up to 16 steps parses it.
const maxSearch = 1 << 16

// errorLine returns the line that brings about a syntax error: the lines
// before it do not have the error, and with it they do. The line that the YAML
// package names is the start of the construct, less one for some errors.
func errorLine(data []byte, err error) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if len(data) > maxSearch {
		named, _ := strconv.Atoi(errorPrefix().FindStringSubmatch(err.Error())[1])
		return min(max(named, 1), len(lines))
	}
	text := syntaxText(err)
	good, bad := 0, len(lines)
	for bad-good > 1 {
		mid := (good + bad) / 2
		_, _, err := parse(bytes.Join(lines[:mid], nil))
		if err != nil && syntaxText(err) == text {
			bad = mid
			continue
		}
		good = mid
	}
	return bad
}

// firstColumn returns the column of the first character of a line that is not
// blank.
func firstColumn(data []byte, line int) int {
	lines := bytes.Split(data, []byte("\n"))
	text := lines[min(line, len(lines))-1]
	return len(text) - len(bytes.TrimLeft(text, " ")) + 1
}

// syntaxAdvice gives the next step for what the packages of YAML and TOML complain of.
var syntaxAdvice = []struct{ text, advice string }{
	{"invalid Unicode character escape", `write the character itself: pairs of escapes such as \ud83d\ude00 are those of JSON`},
	{"alphabetic or numeric character", "a text that begins with * or & needs quotes"},
	{"unknown anchor", "a text that begins with * needs quotes"},
	{"cannot start any token", "a text that begins with @, % or ` needs quotes"},
	{"mapping values are not allowed", "look for a colon in a text without quotes, a quote that is not closed, or uneven indentation"},
	{"unknown escape", "use single quotes, in which a backslash is a backslash"},
	{"unexpected end of stream", "a quote is not closed"},
	{"expected ':'", "a key needs a colon"},
	{"did not find expected key", "the indentation is wrong, or text follows a closing quote"},
	{"'-' indicator", "the indentation is wrong"},
	{"',' or '", "a bracket is not closed"},
	{"<document start>", "something follows the end of the policy"},
	{"at start of value", "a text needs quotes"},
	{"incompatible YAML document", "leave the %YAML line out"},
	{"exceeded max depth", "a policy needs no such nesting"},
}

func advice(text string) string {
	for _, a := range syntaxAdvice {
		if strings.Contains(text, a.text) {
			return ": " + a.advice
		}
	}
	return ""
}

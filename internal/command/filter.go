package command

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// FilterText returns what a filter makes of text.
func FilterText(c *Command, text string) (string, bool) {
	switch c.How("turns") {
	case "reversed":
		return reversed(text), true
	case "base64":
		if !c.Args.Has("d", "decode", "D") {
			return base64.StdEncoding.EncodeToString([]byte(text)) + "\n", true
		}
		return decode64(text)
	case "base32", "bases", "openssl":
		return decodedText(c, text)
	case "hex":
		if !c.Args.Has("r") || !c.Args.Has("p") {
			return "", false
		}
		return decode16(text)
	case "letters":
		return translated(c, text)
	case "gzip", "gunzip", "bunzip2":
		return packed(c, text)
	}
	return linesOf(c, text)
}

// decodedText returns what further decoders make of text.
func decodedText(c *Command, text string) (string, bool) {
	words, ok := Literals(c.Words[1:])
	line, form := strings.Join(words, " "), c.How("turns")
	switch {
	case !ok:
	case form == "base32" && (line == "-d" || line == "--decode"), form == "bases" && (line == "--base32 -d" || line == "-d --base32"):
		b, err := base32.StdEncoding.DecodeString(strings.Map(dropBlanks, text))
		return string(b), err == nil
	case form == "bases" && (line == "--base64 -d" || line == "-d --base64"):
		return decode64(text)
	case form == "bases" && (line == "--base16 -d" || line == "-d --base16"):
		return decode16(text)
	case form == "openssl" && (slices.Contains(words, "base64") || slices.Contains(words, "-base64") || slices.Contains(words, "-a")) && slices.Contains(words, "-d"):
		if strings.Trim(strings.NewReplacer("base64", "", "enc", "", "-a", "", "-A", "", "-d", "").Replace(line), " -") == "" {
			return decode64(text)
		}
	}
	return "", false
}

func decode64(text string) (string, bool) {
	clean := strings.Map(dropBlanks, text)
	b, err := base64.StdEncoding.DecodeString(clean)
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(clean, "="))
	}
	return string(b), err == nil
}

func decode16(text string) (string, bool) {
	b, err := hex.DecodeString(strings.Map(dropBlanks, text))
	return string(b), err == nil
}

func dropBlanks(r rune) rune {
	if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
		return -1
	}
	return r
}

func reversed(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		rs := []rune(l)
		for a, b := 0, len(rs)-1; a < b; a, b = a+1, b-1 {
			rs[a], rs[b] = rs[b], rs[a]
		}
		lines[i] = string(rs)
	}
	return strings.Join(lines, "\n") + "\n"
}

// translated returns what tr makes of text for sets of plain characters and
// ranges.
func translated(c *Command, text string) (string, bool) {
	var sets []string
	for _, o := range c.Args.Operands {
		v, ok := c.Words[o.At].Literal()
		set, fine := trSet(v)
		if !ok || !fine {
			return "", false
		}
		sets = append(sets, set)
	}
	if c.Args.Unlisted || c.Args.Has("c", "t") {
		return "", false
	}
	if c.Args.Has("s") {
		return squeezed(text, sets), len(sets) == 1 && !c.Args.Has("d")
	}
	if c.Args.Has("d") && len(sets) == 1 {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(sets[0], r) {
				return -1
			}
			return r
		}, text), true
	}
	if len(sets) != 2 || sets[1] == "" {
		return "", false
	}
	from, to := []rune(sets[0]), []rune(sets[1])
	return strings.Map(func(r rune) rune {
		for i := len(from) - 1; i >= 0; i-- {
			if from[i] == r {
				return to[min(i, len(to)-1)]
			}
		}
		return r
	}, text), true
}

// squeezed returns text with one of each run of a character of the only set.
func squeezed(text string, sets []string) string {
	var b strings.Builder
	last := rune(-1)
	for _, c := range text {
		if c != last || len(sets) == 0 || !strings.ContainsRune(sets[0], c) {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}

// trClasses are the classes of tr that have an order.
var trClasses = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9", "[:space:]", " \t\n", "[:blank:]", " \t")
})

func trSet(s string) (string, bool) {
	s = trClasses().Replace(s)
	if strings.ContainsAny(s, "[]") || !PlainEscapes(s, true) {
		return "", false
	}
	rs := []rune(shell.ANSIC(s))
	var b strings.Builder
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' {
			if rs[i+2] < rs[i] || rs[i+2]-rs[i] > 255 {
				return "", false
			}
			for c := rs[i]; c <= rs[i+2]; c++ {
				b.WriteRune(c)
			}
			i += 2
			continue
		}
		b.WriteRune(rs[i])
	}
	return b.String(), true
}

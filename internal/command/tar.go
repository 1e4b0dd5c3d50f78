package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// maxLetters bounds how many letters the first word of tar may have.
const maxLetters = 64

// Dashed returns the words of a command as its grammar takes them: tar also
// takes its first word as options without a dash, with their arguments after
// it (tar(1), traditional usage).
func Dashed(c *Command) []shell.Word {
	if !c.Of("members") || len(c.Words) < 2 {
		return c.Words
	}
	v, ok := c.Words[1].Literal()
	if !ok || v == "" || strings.HasPrefix(v, "-") || strings.Trim(v, "AcdrtuxfCzjJZvkOpPhmWaTIFXbNK") != "" {
		return c.Words
	}
	if len(v) > maxLetters {
		c.Opaque = "it has too many options to read"
		return c.Words
	}
	plain, takes := "", ""
	for _, letter := range v {
		if strings.ContainsRune("fCTIFXbNK", letter) {
			takes += string(letter)
		} else {
			plain += string(letter)
		}
	}
	if len(takes) > 1 {
		c.Doubt = "has options whose arguments are told apart by their order alone"
		c.Words = spelledOut(c.Words, plain, takes)
		return c.Words
	}
	words := append([]shell.Word(nil), c.Words...)
	words[1].Set = shell.Set{Values: []string{"-" + plain + takes}}
	return words
}

// spelledOut returns the words of tar with each of several letters that take
// an argument before it.
func spelledOut(words []shell.Word, plain, takes string) []shell.Word {
	out := append(make([]shell.Word, 0, len(words)+len(takes)), words[0])
	option := func(name string) {
		w := words[1]
		w.Set, w.Quoted = shell.Set{Values: []string{"-" + name}}, true
		out = append(out, w)
	}
	if plain != "" {
		option(plain)
	}
	rest := words[2:]
	for _, letter := range takes {
		option(string(letter))
		if len(rest) > 0 {
			out, rest = append(out, rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

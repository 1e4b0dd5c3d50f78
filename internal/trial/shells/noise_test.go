//go:build linux

package shells_test

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// bits are what noise puts into lines: whatever means something to a shell, or
// looks as if it did.
var bits = strings.Split("#¦ #¦ # ¦ # x\\\n¦#\\\n¦\\¦\\\\¦\\\n¦ \\\n¦\r¦\r\n¦\\\r\n¦\\\r¦\n¦\n\n¦\t¦ ¦  ¦\f¦\v¦\x01¦\x02¦\x1b¦\x7f¦\x08¦\u00a0¦\u2003¦\u3000¦\u0085¦\u200b¦\u2028¦\ufeff¦\xff¦\xc2¦'¦''¦\"¦\"\"¦`¦$¦$'¦$\"¦${¦}¦{¦{ ¦; }¦(¦)¦((¦))¦$(¦$((¦[¦]¦[[ ¦ ]]¦"+
	";¦;;¦;&¦;;&¦&¦&&¦|¦||¦|&¦<¦>¦>>¦<<E\n¦\nE\n¦<<'E'\nx\nE\n¦<<-E\n\tx\n\tE\n¦<<<¦&>¦>&¦<&¦>|¦<>¦2>&1¦ 2>&1¦ >/dev/null¦ <f¦ >out¦ 2¦1>&2¦<(ls)¦>(ls)¦=(ls)¦=(¦=¦=ls¦!¦ ! ¦!!¦!$¦*¦?¦~¦^¦%¦@¦:¦,¦-¦--¦+¦"+
	" if ¦ then ¦; then ¦ else ¦; fi¦ fi ¦ do ¦; do ¦; done¦ done ¦ case x in x) ¦;; esac¦ in ¦ while ¦ until ¦ for x in a; do ¦ select ¦ function ¦ time ¦ coproc ¦ always ¦ repeat 2 ¦ noglob ¦ nocorrect ¦ end ¦ exec ¦ eval ¦ command ¦ builtin ¦"+
	"x=(a)¦x=(a)#¦x=a ¦x=a;¦$x¦${x}¦$=x¦$~x¦${x:-'}¦${x:-}¦$((1+1))¦$(ls)¦`ls`¦\"$(ls)\"¦$'a'¦$'\\''¦$\"a\"¦{a,b}¦; ls¦\nls\n¦; p x¦ && ./p¦ | cat¦ & ls¦;ls;¦(ls)¦{ ls; }¦()¦(){ ls; }¦alias ls=p\n¦cd src;¦0¦1¦a¦x¦_", "¦")

// noise changes one place of a line.
func (g *generator) noise(line string) string {
	tokens := split(line)
	if len(tokens) == 0 {
		return g.pick(bits)
	}
	i := g.IntN(len(tokens))
	switch g.IntN(12) {
	case 0, 1, 2, 3, 4: // at the border of tokens
		tokens = slices.Insert(tokens, g.IntN(len(tokens)+1), g.pick(bits))
	case 5: // anywhere
		at := g.IntN(len(line) + 1)
		return line[:at] + g.pick(bits) + line[at:]
	case 6:
		tokens = slices.Delete(tokens, i, i+1)
	case 7:
		tokens = slices.Insert(tokens, g.IntN(len(tokens)+1), tokens[i])
	case 8:
		k := g.IntN(len(tokens))
		tokens[i], tokens[k] = tokens[k], tokens[i]
	case 9:
		at := g.IntN(len(line))
		_, size := utf8.DecodeRuneInString(line[at:])
		return line[:at] + line[at+size:]
	case 10:
		tokens[i] = g.pick(oddWords)
	case 11:
		if k := strings.IndexAny(line, " \n;"); k >= 0 {
			return line[:k] + g.pick(bits) + line[k:]
		}
		return line + g.pick(bits)
	}
	return strings.Join(tokens, "")
}

// split cuts a line into words, blanks, and single characters.
func split(line string) []string {
	kind := func(c byte) int {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-./:,@%+=", c) >= 0 || c >= utf8.RuneSelf:
			return 1
		case c == ' ' || c == '\t':
			return 2
		}
		return 0
	}
	var list []string
	for i := 0; i < len(line); {
		k := i + 1
		for of := kind(line[i]); of != 0 && k < len(line) && kind(line[k]) == of; k++ {
		}
		list = append(list, line[i:k])
		i = k
	}
	return list
}

// tame replaces the programs of a line of a corpus that do more than read by a
// recorder with a name of its own, and places outside of the playground.
func tame(line string) string {
	tokens := split(line)
	for i, token := range tokens {
		name := shell.Base(token)
		switch {
		case strings.HasPrefix(token, project), strings.HasPrefix(token, "/dev/null"):
		case program.Has(name, func(p *program.Program) bool { return p.Reads == nil }) && !slices.Contains(languages, name) && !slices.Contains(ours, name):
			tokens[i] = "p"
		case strings.HasPrefix(token, "/"):
			tokens[i] = "f"
		}
	}
	return strings.Join(tokens, "")
}

// languages are programs that are a part of the shells.
var languages = strings.Fields("alias bg break builtin cd command compgen coproc declare dirs echo enable eval exec exit export fc fg getopts hash history jobs let local mapfile popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait time")

// ours are programs that the engine that covers has permissions for.
var ours = strings.Fields("go make npm p")

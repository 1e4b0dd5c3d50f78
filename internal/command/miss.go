package command

import (
	"fmt"
	"strings"
)

// A Miss is the first reason why the pattern of an allow does not mean a command. The zero value says that it
// does.
type Miss struct {
	Kind MissKind
	// Word is the index of the word of the command at which they part, for the kinds
	// [OtherWord], [OpenWord], [TooShort] and [TooLong]; 0 for others.
	Word int
	// Text is the exception that means the command, for [Excepted], or the option that it does
	// not have, for [NoOption].
	Text string
}

// A MissKind is a kind of reason.
type MissKind uint8

// The kinds, by how near the pattern comes to the command: Covered is no miss.
const (
	Covered      MissKind = iota
	OtherTool             // it is about another tool, or about files
	Unnamed               // the command has no program, or one that the line defines or does not show
	OtherProgram          // it names another program
	OtherName             // it names the program by another name, or one of that name elsewhere
	OtherWord             // a word is another one
	OpenWord              // a word is unknown, or may be several
	NoOption              // the command does not have an option of the pattern
	TooShort              // the pattern has more words
	TooLong               // the command has more words
	Elsewhere             // the words match, and not the paths that they lead to
	Excepted              // an exception means it
)

// Why says the reason about a command, as a clause; "" for [Covered].
func (m Miss) Why(c *Command) string {
	word := ""
	if m.Word > 0 && m.Word < len(c.Words) {
		if v, ok := c.Words[m.Word].Literal(); ok {
			word = ", `" + strings.ToValidUTF8(v, "?") + "`,"
		}
	}
	switch m.Kind {
	case OtherTool:
		return "it is about something else than commands"
	case Unnamed:
		return "the line does not show which program runs"
	case OtherProgram:
		return "it names another program"
	case OtherName:
		if c.Path != "" && strings.Contains(c.Path, "/") {
			return "`" + c.Path + "` may be another program than its name says"
		}
		return "an allow covers the name that it spells, and no other"
	case OtherWord:
		return fmt.Sprintf("word %d%s is not what the pattern has there", m.Word+1, word)
	case OpenWord:
		if m.Word == 0 {
			return "a word may be too many things"
		}
		return fmt.Sprintf("word %d may be anything, or several words", m.Word+1)
	case NoOption:
		return "the command does not have " + m.Text
	case TooShort:
		return "the pattern has more words, or longer ones"
	case TooLong:
		return fmt.Sprintf("word %d%s is one more than the pattern has", m.Word+1, word)
	case Elsewhere:
		return "its words match, but its paths lead elsewhere, by a link or after a cd"
	case Excepted:
		return "its exception `" + m.Text + "` means the command"
	}
	return ""
}

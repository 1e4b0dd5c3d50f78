package script

import "github.com/policyctl/policyctl/internal/program"

// A grammar is what the reader has to know of how a language is written.
type grammar struct {
	// line and block begin comments, blockEnd ends the latter.
	line            []string
	block, blockEnd string
	// interpolates are what begins an expression in double quotes, blanks
	// between; embeds, in backquotes.
	interpolates, embeds string
	// backquote is what text in backquotes is.
	backquote tokenKind
	// single says that a backslash means in single quotes what it does in double
	// ones.
	single bool
	// triple, heredocs, percent, operators: texts in three quotes, behind <<,
	// behind % as in Ruby, behind q and its like as in Perl.
	triple, heredocs, percent, operators bool
	// regexps says that / where a value may stand begins a regular expression.
	regexps bool
	// commands says that a call needs no parentheses; adjacent, that values
	// behind one another are joined; indents, that blocks are indented; ends, that
	// they go up to a word; lines, that a statement ends with its line.
	commands, adjacent, indents, ends, lines bool
	// tuples says that a comma binds closer than =: a, b = 1, 2.
	tuples bool
	// joins are the signs that join texts.
	joins []mark
	// tags says that what is outside of <?php and ?> is no program.
	tags bool
	// dashes and dollars say that names may hold them.
	dashes, dollars bool
}

// grammars are the languages that are read as themselves.
var grammars = [...]grammar{
	program.NoLanguage:  {backquote: textToken, embeds: "$ $(", single: true, commands: true, lines: true, dashes: true, joins: []mark{plus, dot, dots, unequal, doublePlus, ampersand}},
	program.Python:      {line: []string{"#"}, backquote: textToken, single: true, triple: true, adjacent: true, indents: true, lines: true, tuples: true, joins: []mark{plus}},
	program.JavaScript:  {line: []string{"//", "#!"}, block: "/*", blockEnd: "*/", embeds: "${", backquote: textToken, single: true, regexps: true, dollars: true, joins: []mark{plus}},
	program.Perl:        {line: []string{"#"}, interpolates: "$ @{", embeds: "$ @{", backquote: commandToken, heredocs: true, operators: true, regexps: true, commands: true, joins: []mark{dot}},
	program.Ruby:        {line: []string{"#"}, block: "=begin", blockEnd: "=end", interpolates: "#{", embeds: "#{", backquote: commandToken, heredocs: true, percent: true, regexps: true, commands: true, adjacent: true, ends: true, lines: true, tuples: true, joins: []mark{plus}},
	program.PHP:         {line: []string{"#", "//"}, block: "/*", blockEnd: "*/", interpolates: "$ {$", embeds: "$ {$", backquote: commandToken, heredocs: true, tags: true, joins: []mark{dot}},
	program.Lua:         {line: []string{"--"}, block: "--[[", blockEnd: "]]", backquote: textToken, single: true, commands: true, ends: true, tuples: true, joins: []mark{dots}},
	program.AppleScript: {line: []string{"--", "#"}, block: "(*", blockEnd: "*)", backquote: textToken, commands: true, lines: true, joins: []mark{ampersand}},
	program.AWK:         {line: []string{"#"}, backquote: textToken, regexps: true, commands: true, adjacent: true, lines: true},
	program.Sed:         {},
}

package draft

import "github.com/policyctl/policyctl/pkg/policy"

// An Agent is what entries of one agent have in common.
type Agent struct {
	// Name is what commands call the agent, and Title what people do.
	Name, Title string
	// Shell is what people call its tool for commands.
	Shell string
	// EveryTime says that no earlier approval answers an ask.
	EveryTime bool
	// AsksAlways are programs about which the agent asks whatever is allowed,
	// each between blanks.
	AsksAlways string
	// Beside are commands, with their program, that no allow with a star covers.
	Beside []string
	// Protected are paths about which the agent asks whatever is allowed.
	Protected []string
	// Searches says that a refused path also concerns tools that search.
	Searches bool
	// PathsOfEdit says that an allow of a path belongs to Edit alone, as in
	// Claude Code.
	PathsOfEdit bool
	// WritesApart says that an allow of Write or MultiEdit does not hold for Edit,
	// which policyctl does not tell apart where a path is meant.
	WritesApart bool
	// ToolAlone says that an entry for all pages is about the agent's tool, and
	// not about commands that request a URL.
	ToolAlone bool
	// OptionalEnd says that a blank and a star at the end of a command may be
	// missing behind another star too.
	OptionalEnd bool
	// ToolGlobs says that an allow may name several tools by a star.
	ToolGlobs bool
	// Commands says how its commands differ from others, at the end of the note
	// on all of them.
	Commands string
}

// An Entry is one permission of another program.
type Entry struct {
	Action policy.Decision
	// Text is the entry as its file has it.
	Text string
	// Tool is a tool as agents name it: Bash, PowerShell, Read, Edit, WebFetch
	// and their siblings, mcp__server__tool, or another one.
	Tool string
	// Spec is the pattern, "" for all calls of the tool. Of Bash, a star stands
	// for any text; of files, patterns are those of gitignore; of WebFetch,
	// domain:HOST.
	Spec string
	// All says that a star was written for all calls.
	All bool
	// More says that a blank and a star at the end of a command are not there for
	// nothing: something has to follow.
	More bool
	// Flat says that stars of a path match slashes too, and that a pattern of
	// WebFetch is one of whole URLs.
	Flat bool
	// Line is an expression that matches the line of a command, for a deny or an
	// ask that no pattern says.
	Line string
	// Rough says that this deny or ask means more than the entry of the file: it
	// is no exception to another one, and replaces only what is looser.
	Rough bool
	// Rank says which entries win: one of a higher rank over one of a lower,
	// and a deny over an ask over an allow where it is the same.
	Rank int
	// Except are looser entries that win over this deny or ask; Build finds them.
	Except []Entry
}

// Package program is the table of what is known of programs: their names,
// options, operands and sub-commands, and the facts that a judge asks for.
// There is one row a program, and nothing else knows of one by its name what
// its row says.
package program

import (
	"slices"
	"strings"
	"sync"
)

// A Program is one row: a program or a sub-command.
//
// Options and Operands are lists in a small notation. An option is its names,
// comma between them, then what it takes and changes:
//
//	=ROLE  an argument      ?ROLE  an optional, attached argument
//	!      one operand fewer is expected (grep -e)
//	@ROLE  the first operand has this role (bash -c)
//	*ROLE  the repeated operands have this role (sed -i)
//	~      no payload is run (command -v)
//	+ROLE  a second argument follows the first (bwrap --bind)
//
// The name # stands for -NUMBER. Operands are roles in order, of which one
// may repeat: "data read*", "read* write".
type Program struct {
	Names    string
	Options  string
	Operands string
	Subs     []*Program
	// Verbs are sub-commands of one or more words, commas between them in Names,
	// that are operands all the same: those behind the words are its own.
	Verbs []*Program
	Style Style
	parsing
	// Opaque says that nothing is known of the arguments: there is no grammar.
	Opaque bool
	// Same are those of its names that mean the program of the first one: other
	// names of it, its versions, and what a project starts it by.
	Same string
	// Aliases are further names of sub-commands, commas between them: i=install,
	// "image rm=rmi", and container= for a word that may be left out. pu~publish says
	// that the name may be cut short from there on.
	Aliases string
	// Tells are the words, blanks between them, with one of which alone the program
	// prints its version or its help and does nothing else, beside options that run
	// no payload. Behind a bar it may first load what the directory or the network
	// offers. NAMES:WORDS, with commas in both, says so of those names alone.
	Tells string
	// Kinds are what a judge asks for and no other field says, blanks between them, in
	// the notation of kinds.go.
	Kinds string

	// Reads is what of it only reads, nil where nothing is known to; Options are
	// then the options with which it may do more. An option stands in one of the
	// two; in both it may do more.
	Reads *Reading
	// Inside is how it changes files; nil where that is not known.
	Inside *Inside
	// Touches is what the program reaches beside what its arguments name.
	Touches Extent
	filling
	listing
	copying
	// Output is what the program prints of the files, or of the input, that it reads.
	Output Output
	showing
	// Packages are those that the program installs.
	Packages Packages

	// Input is the role of the standard input where there is no operand:
	// RoleText for shells, RoleCode for interpreters, RoleEnv for what xargs
	// appends.
	Input Role
	evaluating
	commanding
	handing
	enclosing
	raising
	starting
	// Startup are the files of the home directory that it runs as it starts.
	Startup Startup
	// Variables are those of the environment that it reads, blanks between them:
	//
	//	NAME       makes it choose among what its user has set up, and runs nothing
	//	NAME~      makes it act as somebody else there, and runs nothing
	//	NAME=      so an empty value, and the program cat
	//	NAME-      changes nothing of what it reads and runs while it only reads; NAME may
	//	           have a * for any text
	//	NAME!      is text that it runs, but for one that begins with an option
	//	NAME!FORM  is such text in another form:
	//
	//	filter         a command behind | and -
	//	prompt         a prompt, of which only the substitutions are run
	//	file           the name of a file, which a shell expands and whose lines it runs
	//	options:WORD   options of the program, which it takes behind the word
	//	word           options, in which the program expands what it then parts
	//	python         what an interpreter of that name runs as it starts; so node, ruby,
	//	               perl and lua
	//	path:FILES     directories, in which it runs files of these names as it starts
	Variables string

	asking
	// Secrets are the options, blanks between them, whose argument is a secret; behind a
	// letter, : and % say that it stands behind that sign there, @ that it stands before
	// one as well, ; that it is a cookie or a file of cookies, and + that it must be
	// attached. SUB/ before an option says that it is one of that sub-command, of which
	// the words have commas between them.
	Secrets string
	// NoGrant are the sub-commands that no stored approval covers, as in Network:
	// they run, or arrange, what neither they nor a directory show.
	NoGrant string
	// Loads are the arguments by which the program runs, or is ruled by, what
	// neither its sub-command nor a directory shows, or goes elsewhere: options with
	// their dashes, which may be cut short, and other words. A sub-command has those of
	// its program too. Those of all are [LoadsOfAll].
	Loads string
	working

	once    sync.Once
	grammar *Grammar
}

// parsing is what the arguments of a program mean otherwise than those of most.
type parsing struct {
	// StopAt is the number of operands that end the options under [Stop], 0
	// for one.
	StopAt int
	// Equals says that -n=x gives the option n the argument x, as for programs
	// in Go, and not =x.
	Equals bool
	// Dashed is the role of operands after --, as for git checkout.
	Dashed Role
}

// asking is what a program asks of another program or host, and how.
type asking struct {
	// Service is what the program asks elsewhere, with what only reads it; nil where none
	// can be declared harmless.
	Service *Service
	// Network are the sub-commands with which the program talks to other hosts,
	// commas between them, "*" for whatever it is told to do.
	Network string
	// Client is that of which the program is a client; unless that may be on this
	// machine alone, it talks to other hosts whatever it is told to do.
	Client Client
	// Channel is the way on which what the program is given reaches another host.
	Channel Channel
	// Away says that operands for files may name those of another host or of a
	// store, as HOST:PATH or a URL.
	Away bool
	// Engine says that the program asks a container engine, which may do
	// anything on this machine.
	Engine bool
}

// evaluating is the code that a program evaluates.
type evaluating struct {
	// Shell says that the program is a shell, and of which family: it evaluates
	// the text behind -c, that of a script, or that of its input.
	Shell Shell
	// Language is that of the code.
	Language Language
}

// working is what an agent does with a program all day.
type working struct {
	// Plain are the sub-commands, as in Network, that do what their words and the files of
	// the project say.
	Plain string
	// Within are options of Loads, with their dashes, that name a directory: of the
	// project that the program works on, where that is one of them.
	Within string
}

// filling is a directory that a program fills with files of other names than its arguments.
type filling struct {
	// Fills lists the options that name a directory below which the program
	// writes files that its arguments do not name, "." for none; without one it
	// is the working directory. FillsIf are options of which it needs one for
	// that, FillsNot those with which it does not.
	Fills, FillsIf, FillsNot string
}

// listing is which files a program lists, reads or changes below a directory.
type listing struct {
	// Recursive says that the program means all below the directories which its
	// operands name, whatever its options.
	Recursive bool
	// Paths lists the options with which the program prints paths that lie below its
	// operands, "." where it needs none; PathsNot those with which it does not, or
	// prints a few.
	Paths, PathsNot string
	// Walk says which files it reads below a directory; where it is zero, all.
	Walk Walk
}

// showing is what a program shows of a git repository, or of the files that it writes.
type showing struct {
	// Edits says that it shows the files that its operands let it write.
	Edits bool
	// Shows lists the options with which the program shows what is in those files of
	// a git repository that its operands choose, in all where they choose none: "."
	// where it needs none of them and ShowsNot has none, and "*" where it then reads
	// all, and not only what has changed.
	Shows, ShowsNot string
}

// raising is with whose rights the payload of a program runs, and how it asks for them.
type raising struct {
	// Rights says with whose rights the payload runs. RightsIf are options of
	// which the program needs one to change them, RightsNot those with which it
	// does not.
	Rights              Rights
	RightsIf, RightsNot string
	// Starts lists the options with which the program, given no command, starts
	// a shell that reads the standard input; "." where it needs none.
	Starts string
	// Self is the name of this machine as an operand of the role host, before
	// which a user and @ may stand: Context is then not meant, nor where the
	// operand is missing.
	Self string
	// Password lists the options with which it reads a password from the
	// standard input.
	Password string
}

// enclosing is where the payload of a program runs.
type enclosing struct {
	// Transparent says that what the program runs as its payload may do no
	// more and no less than it could alone.
	Transparent bool
	// InShell says that the payload runs in the same shell.
	InShell bool
	// Context is where the payload runs.
	Context Context
	// Shares says that what runs in the container has the devices, the processes and
	// the power of this machine.
	Shares bool
	// Roots are options that name the root of the container, if the program
	// makes one only then; its operands of the role dir count too. The payload
	// runs on this machine where one of them is the root itself.
	Roots string
}

// commanding is the language of a program's own commands.
type commanding struct {
	// Saves are the phrases of the program's own commands behind which the path of a
	// file stands that it writes, bars between them: ^ is the beginning of a line, *
	// any word, ... any number of them, and ' at the end says that the path is
	// quoted. A phrase that begins with attach counts where data is changed.
	Saves string
	// Commands is the language of the program's own commands, if some of them leave to
	// the shell; nil for others.
	Commands *Commands
	// Behind are words of the program behind which a command stands, commas between
	// them; * is any word. -o=X is an option whose argument, behind X, is a command.
	Behind string
	// Rough says that it evaluates code in a language that is read only roughly, and
	// has no grammar here.
	Rough bool
}

// handing is what a program runs of a package or of the project, with words of its own.
type handing struct {
	// Runner are the words behind which the program runs a program that a package
	// or the project has, "." where it needs none.
	Runner string
	// Hands are words behind which it runs another with the words that follow, blanks
	// between them: the first operand there names that program, unless they stand
	// behind --. "." is any word that is no sub-command.
	Hands string
}

// copying is what a program makes, or deletes, beside what it names.
type copying struct {
	// Into says that the last operand, or the argument of an option
	// target-directory, may be a directory: the other operands are then written
	// into it under their own names.
	Into bool
	// Suffix is what the program adds to the names of the operands that it
	// writes, or takes away from them.
	Suffix string
	// Mirrors lists the options with which the program deletes what it has not
	// written below the directory that it writes, "." where it needs none;
	// MirrorsNot those with which it does not.
	Mirrors, MirrorsNot string
	// Inward lists the options with which it reads what its option f names and
	// does not write it, "." where it needs none; InwardNot those with which it
	// writes it all the same.
	Inward, InwardNot string
	// Links lists the options with which the program gives the files that it reads
	// a second name, "." where it needs none; LinksNot those with which it does
	// not.
	Links, LinksNot string
}

// starting is what the payload of a program starts with.
type starting struct {
	// Clears lists the options with which what it runs inherits no variables, "."
	// where it needs none; ClearsNot those with which it does all the same. Unsets
	// is an option whose argument names a variable that is not inherited.
	Clears, ClearsNot, Unsets string
	// Homes lists the options with which what it runs starts in the home directory of
	// its user, "." where it needs none, HomesNot those with which it does not; Slash
	// and SlashNot say the same of the root directory.
	Homes, HomesNot, Slash, SlashNot string
}

// LoadsOfAll are the options of [Program].Loads that any program may have.
const LoadsOfAll = "-exec -toolexec -vettool -overlay -modfile --script-shell --node-options --userconfig --globalconfig --registry --init-script --rulesdir --resolve-plugins-relative-to --plugin --plugin-search-dir --eval --config-env"

// A Shell is a family of shells by their language.
type Shell uint8

// The families.
const (
	noShell Shell = iota
	Bourne        // that of sh, which is read here
	Other         // a language of its own, of which plain commands are the same
)

// A Client is what a program asks something of.
type Client uint8

// The kinds of clients.
const (
	NoClient Client = iota
	HTTP            // web servers
	HTTPie          // web servers, in the words of HTTPie
	SSH             // hosts on which it runs commands
	SQL             // databases, which may be files
	Host            // something else on another host
)

// Remote reports whether what the client asks is on another host.
func (c Client) Remote() bool { return c != NoClient && c != SQL }

// A Channel is a way on which data leaves for another host.
type Channel uint8

// The channels.
const (
	NoChannel Channel = iota
	lookups           // names that are looked up
	Files             // what the arguments name or hold
	Input             // that, and the standard input
)

// An Output is what a program prints.
type Output uint8

// The outputs.
const (
	NoOutput Output = iota // nothing, or what only tells of it
	Contents               // what it reads, or a part of it
	encoded                // what it reads in another form: encoded, packed or dumped
)

// Packages are what a manager installs.
type Packages uint8

// The packages.
const (
	noPackages Packages = iota
	Library             // those of a language, for a project or a user
	System              // those of the machine
)

// An Extent is what a program reaches of the file system.
type Extent uint8

// The extents.
const (
	Anything   Extent = iota
	Named             // what its arguments name, and the working directory where none does
	NamedFiles        // files that its arguments name, which cannot be directories
)

// Startup are files of the home directory, blanks between them, that a program
// runs as it starts or leaves: always, if it is interactive, or if it is for a
// login, as it is under the options LoginIf.
type Startup struct{ Always, Interactive, Login, LoginIf string }

// Grammar returns the grammar of the arguments, compiled at first use.
func (p *Program) Grammar() *Grammar {
	p.once.Do(func() { p.grammar = compile(p) })
	return p.grammar
}

// Usual returns a sub-command by the name that [Program.Aliases] gives it, "" where that
// is its own.
func (p *Program) Usual(sub string) string {
	for entry := range strings.SplitSeq(p.Aliases, ",") {
		from, to, _ := strings.Cut(entry, "=")
		if short, full, cut := strings.Cut(entry, "~"); cut {
			if from, _, _ = strings.Cut(sub, " "); from == full || !strings.HasPrefix(from, short) || !strings.HasPrefix(full, from) {
				continue
			}
			to = full
		}
		if rest, ok := strings.CutPrefix(sub+" ", from+" "); ok {
			return strings.TrimSpace(to + " " + rest)
		}
	}
	return ""
}

// HasName reports whether the program has the name.
func (p *Program) HasName(name string) bool { return HasWord(p.Names, name) }

// Sub returns the sub-command of that name, nil if the table has none.
func (p *Program) Sub(name string) *Program {
	for _, s := range p.Subs {
		if s.HasName(name) {
			return s
		}
	}
	return nil
}

// Packaged returns the name of the program that a package is named after, as a runner
// takes it: without the registry before it, and without the version behind it.
func Packaged(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "npm:"), "jsr:")
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	return name
}

// HasWord reports whether a word is among those of a list.
func HasWord(list, word string) bool {
	if word == "" || len(list) < len(word) || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	if len(list) < shortList {
		return hasWordInShort(list, word)
	}
	for from := 0; ; {
		at := strings.Index(list[from:], word)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		if (at == 0 || list[at-1] == ' ') && (from == len(list) || list[from] == ' ') {
			return true
		}
	}
}

// shortList is the length from which it is quicker to search a list for a word than
// to go from word to word.
const shortList = 64

func hasWordInShort(list, word string) bool {
	for n := len(word); len(list) >= n; {
		if list[0] == word[0] && list[:n] == word && (len(list) == n || list[n] == ' ') {
			return true
		}
		end := strings.IndexByte(list, ' ')
		if end < 0 {
			return false
		}
		list = list[end+1:]
	}
	return false
}

// HasVerb reports whether one of a list of sub-commands, commas between them, is
// a verb or the beginning of one; "*" is that of all.
func HasVerb(list, verb string) bool {
	if first, _, _ := strings.Cut(verb, " "); !strings.Contains(list, first) && !strings.Contains(list, "*") {
		return false
	}
	for more := true; more; {
		var v string
		if v, list, more = strings.Cut(list, ","); v == "*" || v == verb && v != "" || v != "" && strings.HasPrefix(verb, v) && verb[len(v)] == ' ' {
			return true
		}
	}
	return false
}

// Changes reports whether the program may write, remove, move or alter what an
// argument names.
func (p *Program) Changes() bool { return p.Grammar().Changes }

// Verb returns the verb of the program that some words are, nil if they are none.
func (p *Program) Verb(words string) *Program {
	for _, v := range p.Verbs {
		if HasVerb(v.Names, words) {
			return v
		}
	}
	return nil
}

// Deletes reports whether the program removes, or moves away, what its operands
// name, under a verb or without. It compiles no grammar, so that all rows may be
// asked.
func Deletes(p *Program) bool {
	return strings.Contains(p.Operands, "delete") || strings.Contains(p.Operands, "move") || slices.ContainsFunc(p.Verbs, Deletes) || slices.ContainsFunc(p.Subs, Deletes)
}

// DeletesRest reports whether the program, or a sub-command, may make a directory
// equal to another.
func DeletesRest(p *Program) bool {
	return p.Mirrors != "" || slices.ContainsFunc(p.Verbs, DeletesRest) || slices.ContainsFunc(p.Subs, DeletesRest)
}

// Appends reports whether the program appends what it reads to the words of what it
// runs, as xargs does.
func Appends(p *Program) bool { return p.Input == RoleEnv }

// ListsBelow reports whether the program lists what lies in its operands.
func ListsBelow(p *Program) bool {
	return Finds(p) || p.Reads != nil && p.Reads.Lists == "*" && p.Walk != (Walk{})
}

// Finds reports whether the program finds files by an expression.
func Finds(p *Program) bool { return p.Style == Expression }

// NamesAway reports whether operands of the program may name files elsewhere.
func NamesAway(p *Program) bool { return p.Away }

// Overwrites reports whether the program writes what its operands name, without a
// grammar as [Deletes].
func Overwrites(p *Program) bool { return strings.Contains(p.Operands, "write") }

// ChangesRights reports whether the program may run a command or a shell with
// other rights than those of who starts it.
func (p *Program) ChangesRights() bool {
	changes := func(p *Program) bool { return p.Rights == Raised || p.Rights == Switched }
	return changes(p) || slices.ContainsFunc(p.Subs, changes)
}

// WithRights returns the fact that a program, or one of its sub-commands, may
// run a command or a shell with such rights.
func WithRights(want Rights) func(*Program) bool {
	gives := func(p *Program) bool { return p.Rights == want }
	return func(p *Program) bool { return gives(p) || slices.ContainsFunc(p.Subs, gives) }
}

// IsShell reports whether the program is a shell.
func IsShell(p *Program) bool { return p.Shell != noShell }

// IsEngine reports whether the program asks a container engine.
func IsEngine(p *Program) bool { return p.Engine }

// Connects reports whether the program talks to other hosts under a sub-command,
// "" for whichever.
func (p *Program) Connects(sub string) bool { return p.Client.Remote() || HasVerb(p.Network, sub) }

// IsHTTPie reports whether the program asks web servers in the words of HTTPie.
func IsHTTPie(p *Program) bool { return p.Client == HTTPie }

// Sends reports whether the program may take what it is given to another host.
func Sends(p *Program) bool { return p.Channel != NoChannel }

// SendsInput reports whether the program sends its standard input to another host.
func SendsInput(p *Program) bool { return p.Channel == Input }

// LooksUp reports whether the program sends the names that it looks up.
func LooksUp(p *Program) bool { return p.Channel == lookups }

// GoesDown reports whether the program means all below its operands.
func GoesDown(p *Program) bool { return p.Recursive }

// Prints reports whether the program prints what it reads, in whatever form.
func Prints(p *Program) bool { return p.Output != NoOutput }

// Copies reports whether the program may write what it reads under another name, or
// give it one.
func Copies(p *Program) bool { return p.Into || p.Output == Contents }

// Encodes reports whether the program prints what it reads in another form.
func Encodes(p *Program) bool { return p.Output == encoded }

// Fetches reports whether the program may get files from other hosts.
func Fetches(p *Program) bool { return p.Client.Remote() && p.Client != SSH }

// Installs reports whether the program installs packages.
func Installs(p *Program) bool { return p.Packages != noPackages }

// InstallsPrograms reports whether the program installs packages of the machine.
func InstallsPrograms(p *Program) bool { return p.Packages == System }

// IsTransparent reports whether what the program runs may do no more, and no less,
// than it could alone.
func IsTransparent(p *Program) bool { return p.Transparent && !p.InShell }

// InShell reports whether what the program runs runs in the same shell.
func InShell(p *Program) bool { return p.InShell }

// Tell reports whether a word makes the program of that name print its version or its
// help and do nothing else, as in [Program.Tells]; pure says that it loads nothing first.
func (p *Program) Tell(name, word string) (tells, pure bool) {
	pure = true
	for field := range strings.FieldsSeq(p.Tells) {
		names, words, some := strings.Cut(field, ":")
		switch {
		case field == "|":
			pure = false
		case !some && field == word, some && inCommas(words, word) && (inCommas(names, name) || inCommas(names, Resolve(name))):
			return true, pure
		}
	}
	return false, false
}

// inCommas reports whether a word is among those of a list with commas between them.
func inCommas(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// Quotes reports whether the words of the program are text for it: that it prints, keeps
// or searches for.
func Quotes(p *Program) bool {
	return slices.ContainsFunc([]string{"prints", "cites", "searches"}, func(kind string) bool {
		return slices.ContainsFunc(strings.Fields(p.Names), func(name string) bool { return p.Is(name, kind) })
	})
}

// IsRunner reports whether the program runs one that a package has.
func IsRunner(p *Program) bool { return p.Runner != "" }

// IsCluster reports whether the program asks a cluster, as kubectl does.
func IsCluster(p *Program) bool { return p.Service != nil && p.Service.Cluster }

// ReadsPassword reports whether the program may read a password from its input.
func ReadsPassword(p *Program) bool { return p.Password != "" }

// Interprets reports whether the program evaluates its standard input, as a
// shell or in a language of its own.
func Interprets(p *Program) bool { return p.Input == RoleText || p.Input == RoleCode }

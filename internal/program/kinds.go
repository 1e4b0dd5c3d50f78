package program

import "strings"

// The kinds of [Program.Kinds]. An entry is a kind; KIND=VALUE, which says how; or
// KIND?CLAUSE, which says when, and several of which are alternatives. NAMES: before it,
// with commas between the names, says so of those alone.
//
// A clause has parts with & between them, which must all hold, and a part alternatives
// with commas between them, of which ! before them denies all:
//
//	WORD  an argument      %WORD  in any case, %^TEXT one that begins so
//	~TEXT a part of one    .WORD  one, or its beginning before a blank
//	:NAME an option        :NAME=VALUE one with that argument
//	@SUB  the sub-command, in which _ is a blank
//	1=WORD the first argument, $=WORD the last; #N there are at least N
//	*     an operand, *N so many of them
//	+L/E  a bundle of options has the letter L before E
//	-O^TEXT the value of the option -O begins so
//	<     it has an input of its own
//
// These are the kinds:
//
//	accounts=named   it prints accounts of the machine, those that its operands name
//	alias            it makes a second way to a file: a name, a copy that is a link, a mount, a device or a node
//	aliased          its words name stores elsewhere by names that it was told before
//	alters           it changes the mode, the owner, the attributes, the flags or the label of files
//	bare             it takes names of devices without /dev
//	blind            it reads nothing but what its words name
//	blocks           it writes an image, or a device, that it is given
//	builds           it runs what the files of a directory say
//	cites            its words are text that it shows or keeps
//	clones           it makes a directory of what it fetches
//	closes           its last word only closes what the first opens
//	cmd              a shell of Windows hands on a command behind it: its words, quoted, or behind /c or /tr
//	columns=OPTION   the option names columns, which it leaves of each line
//	compares         it does nothing with its words but compare them
//	compiles         it makes a program of what its operands name
//	completes        it runs a program with words that it adds
//	conducts         it hands on most of the lines that it reads
//	config=FORM      its settings may be commands: the keys, commas between them, or how they are read
//	contents         it shows what is in the files, or the objects, that it is given
//	copies           it copies to a host, to a URL, or to any place that its words name
//	counts           it prints numbers in a row, up to its last operand
//	decodes          it prints what encoded text stands for
//	deep             it means all below directories
//	delegates        it hands these options to another program
//	deletes          it removes files, and is what a line starts for that
//	deletes0         it deletes what its words name; so deletes1 and deletes2, behind so many others
//	devices          it prints devices: those that are attached or mounted, with their space, or all blocks
//	dir=OPTION       it works in the directory that the option names
//	downloads        it gets what others keep
//	drops            it removes volumes and pools: data sets, subvolumes or disks
//	dumps            it prints what a database, an image or a repository holds
//	edits            it changes the files that it is given, of which no grammar says so
//	empties          it leaves nothing of what is in a file
//	encrypts         it prints what it reads so that only some can read it
//	ends             it signals processes: of numbers, names, patterns, owners, users of files, sessions, units, tasks, objects, or everything
//	enters           it enters the name spaces of a process
//	environ          it prints the environment without operands: bare with options, alone without words, none without assignments
//	erases           it erases what is no device of /dev
//	evaluates        it reads text in the shell that runs it
//	expands          it expands patterns in its operands, as a shell does
//	fetched          its last operand is fetched where it names no file
//	finds            it prints processes: by names or patterns, a table, tasks, objects, or lines that have them
//	first            it changes to its directory before all else
//	flat             it lists a directory and nothing below
//	flow             it ends a script or a function, leaves or repeats a loop, replaces the shell, or perhaps does so
//	follows=OPTIONS  with these it follows links
//	forges           an operand such as owner/name is a repository to install from
//	forks            it leaves what it starts behind; =option where an option asks for that
//	formats          it makes file systems, or the labels of volumes
//	given            it prints the paths that it is given
//	globs            it may change what patterns match; =letters by the letters of its options
//	goals            each operand is a sub-command of its own
//	hands=HOW        it runs words of its own as a command
//	hashes           it remembers where programs are
//	host             it prints the name of the machine
//	index            it finds paths of the whole machine that contain an operand
//	inserts          it takes lines to insert, up to a dot
//	internal         it is a part of a shell, which no program can run
//	inverts          its option v leaves out what matches
//	itself           it removes a link, and not what that leads to
//	keeps            it keeps the files that it packs
//	lands            what it fetches lands in its directory under a name of its own
//	limits           it ends what it runs after a time
//	looks            it only looks, or shows what it would do
//	loud             its option V makes it say more, and does not ask for its version
//	magics           lines of its code may be commands for a shell
//	members          its operands are members of an archive, and its first word may be options without a dash
//	modules          it runs programs that the modules of the project have
//	moves            it changes the directory of the shell: there, push and pop; perhaps in some shells
//	names            it reads names of files from its input
//	obtains          what it prints or makes comes from elsewhere: the output of a command there, or by its verbs
//	operand=WHAT     its first operand must be known
//	output           how what it prints follows from its words, from its input or from the machine
//	overwrites       it writes over what it deletes
//	packs-away       it removes what it has packed
//	pages            it takes commands of its own behind +
//	passes           it prints of what it reads all lines, words of each, some, those at the beginning or the end
//	patches          it changes the files that a patch names, in its words or on its input
//	path             it prints a path, or a variable that may hold one
//	pauses           it waits for something
//	places           it prints where programs are
//	pointed          its operands are all the places where it looks
//	port=OPTION      the option is the port of a host
//	powers           it ends or restarts the machine, by words or in a way that pkg/hardline reads
//	prints           it does nothing with its words but print them: as words, by a format, or not at all
//	probes           it only looks whether a port is open
//	project          it writes the file that describes a project
//	queries          its words may be text in a language that opens files
//	quiet            it prints nothing where it succeeds
//	recalls          it shows what was decided about the calls of all projects
//	rehearses        it shows what it would copy
//	relays           it joins two ends that its words name; =addresses each with its kind
//	repeats          it prints its words without end
//	replaces         it puts another file in the place of one that it writes
//	resolves         it prints where links lead
//	restores         it writes what the repository holds over the files that its operands name
//	rewrites         it changes source files on its own
//	ruins            it destroys what Windows needs
//	searches         its first operand is what it searches for
//	second           it changes only its second path
//	seeks            it finds files, and runs what an option says on each
//	sets             a builtin that sets variables, or what the shell does next
//	shells           it takes a line for a shell as an argument or as its input
//	shows            it prints a secret: a setting, an entry or a vault
//	sizes            it prints sizes with paths behind them
//	slashes          / behind a directory that it reads means what lies in it
//	spares           it removes only what is empty
//	speaks           git, fish or zsh: its words, or its code, are in that language
//	special          a special builtin of POSIX
//	splits           it parts an option's text into the words of a command
//	spoils           it deletes, or opens to all, a place of Windows among its words
//	sql=VERB         it is a client of a database under that verb
//	stores           it takes what lies elsewhere for a URL alone
//	streams          it prints as it reads; =some not all
//	strews           it makes files in its directory that its words do not name
//	strips           it strips types from the code that it runs
//	subs             its first word is a sub-command, of which there is no grammar
//	succeeds         it always succeeds
//	sums             a builtin whose words the shell may evaluate as arithmetic
//	takes            it sends its standard input elsewhere
//	tallies          it prints numbers of what it reads
//	tapes            the file of its option f may be that of another host
//	tasks            a file of recipes or of commands says what it runs
//	tees             it writes its input to its operands
//	tells            it tells where programs are only under these options
//	tests            its status says whether something holds
//	timed            its first operand is when
//	tongues          its option l names the language of its code
//	transfers        it is told to put a file by commands of its own; =batch of its option b
//	trees            it can print whole paths of what lies below a directory
//	trims            it prints a part of each path that it is given
//	turns=HOW        what it makes of the text that it reads
//	unfed            it reads no commands from its input
//	unixy            its paths may be those of Unix on Windows
//	unread           nothing is known of its words, which it may run
//	unstages         it changes the index of a repository alone
//	user             it prints the name of the user
//	uses             it prints processes that use files or mounts, or those on the screen
//	versions         its first operand may be NAME@VERSION, which it fetches
//	waits            it waits for a job, or for so many seconds
//	web              its words ask a web server, as those of curl, wget or both do
//	whole            it keeps the path of what it copies
//	wipes            it removes what makes a device readable

// kindOf yields what stands behind a kind in the entries of [Program.Kinds] that hold
// for a name of the program: nothing, = and a value, or ? and a clause.
func (p *Program) kindOf(name, kind string, yield func(rest string) bool) {
	if !strings.Contains(p.Kinds, kind) {
		return
	}
	for entry := range strings.FieldsSeq(p.Kinds) {
		rest := ""
		if at := strings.IndexAny(entry, "=?"); at >= 0 {
			entry, rest = entry[:at], entry[at:]
		}
		names := ""
		if at := strings.LastIndexByte(entry, ':'); at >= 0 {
			names, entry = entry[:at], entry[at+1:]
		}
		if entry == kind && (names == "" || inCommas(names, name)) && !yield(rest) {
			return
		}
	}
}

// Is reports whether the program is of a kind under one of its names.
func (p *Program) Is(name, kind string) (is bool) {
	p.kindOf(name, kind, func(string) bool { is = true; return false })
	return is
}

// How returns the value of a kind under a name of the program, "" where it has none.
func (p *Program) How(name, kind string) (value string) {
	p.kindOf(name, kind, func(rest string) bool { value = strings.TrimPrefix(rest, "="); return false })
	return value
}

// When yields the clauses under which the program, by one of its names, does what a kind
// says; an empty one always holds.
func (p *Program) When(name, kind string, yield func(clause string) bool) {
	p.kindOf(name, kind, func(rest string) bool { return yield(strings.TrimPrefix(rest, "?")) })
}

// OfKind reports whether the program of a base name is of a kind.
func OfKind(name, kind string) bool {
	name = Resolve(name)
	p := row(name)
	return p != nil && p.Is(name, kind)
}

// KindOf returns the value that a kind has for the program of a base name.
func KindOf(name, kind string) string {
	name = Resolve(name)
	if p := row(name); p != nil {
		return p.How(name, kind)
	}
	return ""
}

// NamesOf returns the names that are of one of some kinds, blanks between them, in the
// order of the table.
func NamesOf(kinds ...string) string {
	var out []string
	for _, p := range programs {
		for name := range strings.FieldsSeq(p.Names) {
			for _, kind := range kinds {
				if p.Is(name, kind) {
					out = append(out, name)
					break
				}
			}
		}
	}
	return strings.Join(out, " ")
}

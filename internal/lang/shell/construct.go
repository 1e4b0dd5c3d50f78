package shell

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A Construct is a piece of the shell's language, and what is known of the
// shells that read it. Syntax for which there is no construct is relied upon in
// no shell.
type Construct struct {
	// ID is stable and in kebab-case.
	ID string
	// Example uses the construct.
	Example string
	// Shells are the shells in which reading the construct is checked.
	Shells Shells
	// Why is a clause that says why it is read alike there, or what happens
	// elsewhere.
	Why string
	// Instead is what every shell reads alike and does the same, "" where
	// nothing does.
	Instead string
}

// Constructs returns what lines are made of, in the order of the manual. A line
// for a shell that is not named may be allowed only where all shells read it
// alike, or refuse it as a whole.
func Constructs() []Construct {
	list := make([]Construct, len(constructs))
	copy(list, constructs[:])
	return list
}

// A Divergence is a place of a line that the shells that may run it read
// differently, so that nothing that is said of the line holds in all of them.
type Divergence struct {
	Construct *Construct
	Span      Span
}

// Shells is a set of the shells in which constructs are checked.
type Shells uint8

const (
	InBash Shells = 1 << iota
	InDash
	InZsh
	InAsh // of busybox
	InMksh
	InKsh93

	EveryShell = InBash | InDash | InZsh | InAsh | InMksh | InKsh93
)

var shellNames = []struct {
	name string
	set  Shells
}{
	{"bash", InBash}, {"dash", InDash}, {"zsh", InZsh}, {"ash", InAsh}, {"busybox", InAsh}, {"mksh", InMksh}, {"ksh93", InKsh93},
	{"ksh", InMksh | InKsh93}, {"sh", EveryShell &^ InZsh}, {"all", EveryShell},
}

// withArrays are the shells with the grammar of ksh.
const withArrays = InBash | InZsh | InMksh | InKsh93

// String returns their names, blanks between them; "all" for all of them.
func (s Shells) String() string {
	if s == EveryShell {
		return "all"
	}
	var names []string
	for _, n := range shellNames {
		if n.set&s != 0 && n.set&(n.set-1) == 0 && n.name != "busybox" {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, " ")
}

// ShellsOf returns the shells that a name, or several with | between them, may
// stand for, none for one that is unknown.
func ShellsOf(name string) (set Shells) {
	if name == "" {
		return EveryShell
	}
	for one := range strings.SplitSeq(name, "|") {
		found := false
		for _, s := range shellNames {
			if s.name == one {
				set, found = set|s.set, true
			}
		}
		if !found {
			return 0
		}
	}
	return set
}

// ToldTo returns the words with which each of the shells that [eval.Env.Shell] names, and
// that cannot be read, is told to run a text.
func ToldTo(env, text string) (out [][]string) {
	for name := range strings.SplitSeq(env, "|") {
		switch {
		case ShellsOf(name) != 0:
		case program.LanguageOf(name) == program.Prompt:
			out = append(out, []string{name, "/c", text})
		default:
			out = append(out, []string{name, "-c", text})
		}
	}
	return out
}

// Readable reports whether lines for what [eval.Env.Shell] names can be read.
func Readable(env string) bool { return ShellsOf(env) != 0 }

// MayRun reports whether what [eval.Env.Shell] says may stand for a shell.
func MayRun(env, shell string) bool { return ShellsOf(env)&ShellsOf(shell) != 0 }

// A ConstructID is the index of a construct.
type ConstructID uint8

const (
	synPlainCommand ConstructID = iota
	synLists
	synBackground
	synGrouping
	synBranches
	synLoops
	synFunctions
	synRedirections
	synHereDocuments
	synQuoting
	synParameters
	synDefaults
	synTrimming
	synSubstitutions
	synArithmetics
	synTildes
	synPatterns
	synAssignments
	synExports
	synPlainTests
	synPlainTime
	synHereStrings
	synProcessSubsts

	// What is not read alike everywhere.
	synTestClauses
	synArithmeticCommands
	synForLoops
	synSelectLoops
	synFunctionWords
	synTimeWords
	synCoprocesses
	synLetWords
	synDeclarations
	synArrayWords
	synElements
	synAppending
	synListParameters
	synSlices
	synReplacements
	synIndirections
	synStrangeParameters
	synSubscripts
	synModifiers
	synNestedQuotes
	synOtherArithmetic
	synOtherTildes
	synBraces
	OtherBraces
	synLoneBraces
	synEqualsWords
	synStrangeDollars
	synAnsiQuotes
	synAnsiEscapes
	synLocaleQuotes
	synExtendedPatterns
	synBothOutputs
	synBothPipes
	synLongDescriptors
	synDuplications
	synOtherDelimiters
	synBareRedirections
	synNumericPatterns
	synStrangeTargets
	synPipedRedirections
	synFallThrough
	synCaretSets
	OtherBuiltins
	synForeignWords
	Splitting
	synOtherSyntax

	constructCount
)

// constructs are the rows of the table.
var constructs = [constructCount]Construct{
	synPlainCommand:  {"simple-command", "grep -n x f", EveryShell, "POSIX 2.9.1", ""},
	synLists:         {"list", "a; b && c || d | e; ! f", EveryShell, "POSIX 2.9.2 and 2.9.3; newlines and ! too", ""},
	synBackground:    {"background", "a & b", EveryShell, "POSIX 2.9.3", ""},
	synGrouping:      {"group", "{ a; b; }; (c)", EveryShell, "POSIX 2.9.4", ""},
	synBranches:      {"branch", "if a; then b; elif c; then d; else e; fi; case $x in a|b) c;; esac", EveryShell, "POSIX 2.9.4", ""},
	synLoops:         {"loop", "for x in a b; do c; done; while a; do b; done; until a; do b; done", EveryShell, "POSIX 2.9.4", ""},
	synFunctions:     {"function", "f() { a; }", EveryShell, "POSIX 2.9.5", ""},
	synRedirections:  {"redirection", "a <f >g 2>>h 2>&1 >|i <>j 2>&-", EveryShell, "POSIX 2.7, with one digit as the descriptor", ""},
	synHereDocuments: {"here-document", "cat <<'EOF'", EveryShell, "POSIX 2.7.4, with letters and digits as the delimiter, quoted as a whole or not at all", ""},
	synQuoting:       {"quoting", `'a' "b" \c`, EveryShell, "POSIX 2.2", ""},
	synParameters:    {"parameter", `$x "$x" ${x} $1 $? $@`, EveryShell, "POSIX 2.6.2", ""},
	synDefaults:      {"default", "${x:-y} ${x+y} ${x:?y}", EveryShell, "POSIX 2.6.2, without quotes or braces in the word", ""},
	synTrimming:      {"trimming", "${x#a} ${x%%.*} ${#x}", EveryShell, "POSIX 2.6.2, without quotes or braces in the pattern", ""},
	synSubstitutions: {"substitution", "$(a) `b`", EveryShell, "POSIX 2.6.3", ""},
	synArithmetics:   {"arithmetic", "$((x + 1))", EveryShell, "POSIX 2.6.4, of integers", ""},
	synTildes:        {"tilde", "~ ~/x", EveryShell, "POSIX 2.6.1", ""},
	synPatterns:      {"pattern", "*.go a?b [ab]*", EveryShell, "POSIX 2.13; what matches nothing stays, vanishes or ends the line, and is judged for each", ""},
	synAssignments:   {"assignment", "x=y", EveryShell, "POSIX 2.9.1", ""},
	synExports:       {"export", `export x="$y"`, EveryShell, "POSIX 2.14, where no expansion without quotes can be split", ""},
	synPlainTests:    {"test-clause", "[[ -f x ]]", EveryShell, "dash looks for a program of that name, which fails", ""},
	synPlainTime:     {"time", "time a", EveryShell, "a program of that name, where it is not a word of the shell, does the same", ""},
	synHereStrings:   {"here-string", "a <<<b", EveryShell, "dash and ash refuse it", ""},
	synProcessSubsts: {"process-substitution", "a <(b)", EveryShell, "as a separate word; dash and mksh refuse it", ""},

	synTestClauses:        {"test-operators", "[[ a < b && c ]]", withArrays, "dash and ash read its words and operators as those of a program: < opens a file and || runs a program", "use [ … ] with && between two of them"},
	synArithmeticCommands: {"arithmetic-command", "((x > 1))", withArrays, "dash runs the words in a subshell", `use [ "$x" -gt 1 ]`},
	synForLoops:           {"arithmetic-for", "for ((i=0; i<3; i++)); do a; done", InBash | InZsh | InKsh93, "others refuse it, after running what precedes it", "list the values: for i in 1 2 3"},
	synSelectLoops:        {"select", "select x in a; do b; done", withArrays, "dash runs a program of that name", "use for and read"},
	synFunctionWords:      {"function-word", "function f { a; }", withArrays, "dash runs a program of that name, and then the body", "write f() { …; }"},
	synTimeWords:          {"time-options", "time -p a; time { a; }", InBash, "others take what follows for a program's words", "put time before a plain command"},
	synCoprocesses:        {"coprocess", "coproc a", InBash, "others start them otherwise", "use a pipe"},
	synLetWords:           {"let", "let x=1", withArrays, "dash runs a program of that name", "write x=$((…))"},
	synDeclarations:       {"declaration", "declare -a x; local y=$z", InBash, "names, options and splitting differ", "assign without declare or local, with quotes"},
	synArrayWords:         {"array", "x=(a b)", InBash | InMksh, "zsh counts from 1 and takes $x for all; ksh93 reads assignments in it", "use a list of words in for, or set --"},
	synElements:           {"array-element", "${x[0]}", InBash | InMksh | InKsh93, "zsh counts from 1", `use "${x[@]}", or no array`},
	synAppending:          {"appending", "x+=y", withArrays, "dash runs a program of that name", `write x="${x}y"`},
	synListParameters:     {"array-list", `"${x[@]}"`, EveryShell, "where there are no arrays, the line ends there", ""},
	synSlices:             {"slice", "${x:1:2}", EveryShell &^ InDash, "dash refuses it only when it gets there", "use cut -c"},
	synReplacements:       {"replacement", "${x/a/b} ${x^^} ${x,,}", InBash, "patterns differ", "use sed or tr"},
	synIndirections:       {"indirection", "${!x} ${x@Q}", InBash, "ksh93 and mksh give the name", "write the variable itself"},
	synStrangeParameters:  {"strange-parameter", "$10 $#x ${#} ${x[*]:1}", InBash, "zsh takes more of it for the name", "write ${…} around the name"},
	synSubscripts:         {"subscript", "$x[1]", EveryShell &^ InZsh, "zsh evaluates the text in the brackets", "write ${x} before the bracket"},
	synModifiers:          {"modifier", "$x:h", EveryShell &^ InZsh, "zsh changes the value", "write ${x} before the colon"},
	synNestedQuotes:       {"nested-quotes", `"${x:-"a"}" ${x:-'}'} ${x:-a}`, InBash, "shells disagree about where the quotes end", "assign the default in a separate command"},
	synOtherArithmetic:    {"other-arithmetic", "$[1+1] $((x[1]))", InBash, "dash keeps $[…]; zsh and ksh93 have fractions", "use $((…)) with integers"},
	synOtherTildes:        {"other-tilde", "~+ ~user ~$x", InBash, "zsh has its own names for directories", "write the directory"},
	synBraces:             {"brace", "echo {a,b} {1..3}", EveryShell, "dash and ash keep the braces, mksh those of a range; the command is read each way", ""},
	OtherBraces:           {"other-brace", "{01..10..2} {a,'b c'}", InBash, "the elements differ, and mksh and ksh93 expand braces in values", "write each word"},
	synLoneBraces:         {"lone-brace", "echo }", InBash, "zsh ends a group at it", "put quotes around it"},
	synEqualsWords:        {"equals", "echo =ls", EveryShell &^ InZsh, "zsh puts the file of the program in its place", "put quotes around it"},
	synStrangeDollars:     {"dollar", "$=x $~x $^x $+x", InBash, "zsh expands it", "put single quotes around the dollar"},
	synAnsiQuotes:         {"ansi-quotes", `$'a\tb'`, EveryShell &^ InDash, "dash keeps the dollar and the escapes", "use printf, or a literal tab"},
	synAnsiEscapes:        {"ansi-escapes", `$'\x41'`, InBash, "the escapes differ, and dash ends it at another quote", "use printf"},
	synLocaleQuotes:       {"locale-quotes", `$"a"`, InBash, "others keep the dollar", "leave the dollar out"},
	synExtendedPatterns:   {"extended-pattern", "echo @(a|b) *(c)", InBash, "zsh runs programs from patterns", "use find, or write the names"},
	synBothOutputs:        {"both-outputs", "a &>f", InBash | InZsh, "dash starts a in the background and opens f for nothing", "write >f 2>&1"},
	synBothPipes:          {"both-pipes", "a |& b", InBash | InZsh, "mksh and ksh93 start a coprocess", "write 2>&1 |"},
	synLongDescriptors:    {"long-descriptor", "a 10>f {x}>g", InBash, "others take it for a word", "use one of 3 to 9"},
	synDuplications:       {"duplication", "a >&f <&3-", InBash, "a word behind >& is a file, a descriptor or an error", "write >f 2>&1"},
	synOtherDelimiters:    {"other-delimiter", "cat <<E'O'F\na\nEOF", InBash, "shells disagree about where the document ends", "write <<'EOF'"},
	synBareRedirections:   {"bare-redirection", "<f", EveryShell &^ InZsh, "zsh runs cat or a pager", "write cat before it, or : > f"},
	synNumericPatterns:    {"numeric-pattern", "cat <1-5>f", EveryShell &^ InZsh, "zsh takes it for a pattern", "put a blank before >"},
	synStrangeTargets:     {"strange-target", "a >!f >&!f", InBash, "zsh and ksh93 have more operators", "put quotes around the file"},
	synPipedRedirections:  {"piped-redirection", "a >f | b <g", EveryShell &^ InZsh, "zsh writes both to the file and to the pipe, and reads from both", "leave the pipe or the redirection out, or use tee"},
	synFallThrough:        {"fall-through", "case x in a) b;& c) d;;& esac", InBash, "others refuse it, or go on otherwise", "end each case with ;;"},
	synCaretSets:          {"caret-set", "[^a]*", InBash, "dash takes the ^ for one of the set", "write [!a]"},
	OtherBuiltins:         {"builtin", "command cd x; cd a b; pushd x; exec -a x y; printf -v x y", InBash, "the shell's own commands have other names and options, and zsh's command runs programs only", "use the plain command"},
	synForeignWords:       {"foreign-word", "always foreach repeat noglob -", EveryShell &^ InZsh, "zsh reads it as a word of its language", "write the command itself"},
	Splitting:             {"splitting", "x='a b'; ls $x", EveryShell &^ InZsh, "zsh does not split the value", "put quotes around it, or write the words"},
	synOtherSyntax:        {"other-syntax", "", 0, "how shells read it is unknown", ""},
}

// Construct returns what is known of it.
func (c ConstructID) Construct() *Construct { return &constructs[c] }

// Differ reports whether some of the shells read a construct differently.
func (s Shells) Differ(c ConstructID) bool { return s&^constructs[c].Shells != 0 }

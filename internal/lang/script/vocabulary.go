package script

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// A mark says which word or sign a token is. It is 0 for those of which the
// parser asks no more than to which sets they belong.
type mark uint8

const (
	_ mark = iota
	comma
	semicolon
	colon
	doubleColon
	dot
	dots
	arrow
	fatArrow
	equals
	question
	doubleQuestion
	bar
	barAnd
	doubleBar
	doubleAnd
	bang
	plus
	doublePlus
	minus
	star
	slash
	doubleSlash
	percent
	ampersand
	unequal
	atSign
	dollar
	less
	greater
	parenthesis
	bracket
	brace
	closeParenthesis
	closeBracket
	closeBrace

	andWord
	asWord
	classWord
	defWord
	doWord
	elseWord
	endWord
	fnWord
	forWord
	foreachWord
	fromWord
	getlineWord
	ifWord
	importWord
	inWord
	lambdaWord
	notWord
	ofWord
	orWord
	printWord
	putsWord
	redoWord
	returnWord
	scriptWord
	shellWord
	subWord
	thenWord
	unlessWord
	untilWord
	whileWord
	xWord
	yieldWord
)

// marked are the words and signs that have a mark of their own.
var marked = [...]string{
	comma: ",", semicolon: ";", colon: ":", doubleColon: "::", dot: ".", dots: "..", arrow: "->", fatArrow: "=>", equals: "=", question: "?",
	doubleQuestion: "??", bar: "|", barAnd: "|&", doubleBar: "||", doubleAnd: "&&", bang: "!", plus: "+", doublePlus: "++", minus: "-", star: "*",
	slash: "/", doubleSlash: "//", percent: "%", ampersand: "&", unequal: "<>", atSign: "@", dollar: "$", less: "<", greater: ">", parenthesis: "(", bracket: "[",
	brace: "{", closeParenthesis: ")", closeBracket: "]", closeBrace: "}",

	andWord: "and", asWord: "as", classWord: "class", defWord: "def", doWord: "do", elseWord: "else", endWord: "end", fnWord: "fn", forWord: "for", foreachWord: "foreach",
	fromWord: "from", getlineWord: "getline", ifWord: "if", importWord: "import", inWord: "in", lambdaWord: "lambda", notWord: "not", ofWord: "of",
	orWord: "or", printWord: "print", putsWord: "puts", redoWord: "redo", returnWord: "return", scriptWord: "script", shellWord: "shell", subWord: "sub", thenWord: "then",
	unlessWord: "unless", untilWord: "until", whileWord: "while", xWord: "x", yieldWord: "yield",
}

// traits are the sets to which a word or a sign belongs.
type traits uint64

const (
	// skipped are words that say something of what follows, and change nothing
	// here.
	skipped traits = 1 << iota
	// choosers are words by which a program leaves some of what it finds alone.
	choosers
	loopers
	definers
	closers
	// trailing are words that go on with a statement.
	trailing
	// notOperands are words behind which a value begins.
	notOperands
	// binaryWords are words between two values.
	binaryWords
	// pauses are names that say that a program waits for something, or stops.
	pauses
	// includes are words of PHP that need no parentheses, blockWords those of Perl
	// that take a block, actions those of AWK that begin one.
	includes
	blockWords
	actions
	// appending are the methods by which a list grows.
	appending
	// imports are the calls that return a module by its name.
	imports
	// homes are the calls that return the home directory, listings those that list
	// a directory.
	homes
	listings
	argumentParsers
	// modules are names before a call that are no value which it changes.
	modules
	// matchers are what regular expressions and databases are called, whose methods
	// have the names of calls that run programs; starters are the modules of those.
	matchers
	starters
	// prefixes are words and signs that stand before a value; passed are those of
	// them that change nothing here.
	prefixes
	passed
	// assigns are the signs that give a name a value: growing those that add to it,
	// changing those that make another of it.
	assigns
	growing
	changing
	// members lead to a member, joints join two values into one, redirects lead what
	// AWK prints to a file; binarySigns stand between two values.
	members
	joints
	redirects
	binarySigns
	// closing are the brackets that close.
	closing
	// kindTests are calls that ask what kind of thing a path or a text is, and leave
	// nothing else out of what a program finds.
	kindTests
	// schedulers are calls that run a function soon.
	schedulers
	// formats are calls that put what they are given by name into a text.
	formats
)

// sets are the words and signs of each, blanks between. Signs of several bytes
// that stand in none of them, and have no mark, are read one by one.
var sets = []struct {
	in    traits
	words string
}{
	{skipped, "const let var my local our global nonlocal static export default public private async await return yield then do begin BEGIN END throw raise new else try finally ensure pass"},
	{choosers, "if elif elsif unless when case filter grep select reject endswith startswith match stat lstat input next continue break last exit"},
	{loopers, "while until for foreach"},
	{definers, "def function sub fn func defp"},
	{closers, "end fi done"},
	{trailing, "if unless and or do then else end rescue"},
	{notOperands, "return my our local typeof case in of and or not if unless while until print puts when split grep map else elsif elif do then yield await new x eq ne lt gt le ge cmp throw delete void"},
	{binaryWords, "in is not eq ne lt gt le ge cmp x isa instanceof xor ishl"},
	{pauses, "sleep usleep nanosleep poll communicate accept input gets readline readlines break last get recv"},
	{includes, "include include_once require require_once echo print"},
	{blockWords, "sub grep map eval do sort first any all print system exec"},
	{actions, "BEGIN END"},
	{appending, "append push add unshift insert extend appendleft array_push"},
	{imports, "require import __import__ import_module"},
	{homes, "homedir home userhome my_home pw_dir path_home user_home user_home!"},
	{listings, "listdir walk walkdir scandir iterdir readdirSync readdir readdirp children entries foreach each_child opendir each_entry readDirSync readDir DirectoryIterator dir_ls dir_info directory-files directory-files-recursively eachFile eachFileRecurse eachDir eachDirRecurse RecursiveDirectoryIterator FilesystemIterator"},
	{argumentParsers, "parse_args parse_known_args parseArgs"},
	{modules, "os path posixpath shutil base64 codecs glob Path pathlib Base64 Dir File FileUtils Buffer bytes String shlex fs process require Array itertools builtins Kernel Process ENV environ urllib json math util fsp Deno Bun"},
	{matchers, "RegExp re regex regexp pattern db database conn connection cursor cur sql stmt tx session prepare"},
	{starters, "child_process subprocess os Kernel IO Process Open3 asyncio pty Bun Deno execa"},
	{prefixes, `new await yield return typeof my local do lambda not - ! \ & * ** ... ++ -- + @ ~ $`},
	{passed, `new await yield return typeof my local \ & * ** ... ++ -- + @ ~`},
	{assigns, "= := += .= ||= &&= ??= <<= *= -= /= |="},
	{growing, "+= .= <<="},
	{changing, "*= -= /= |="},
	{members, ". ?. &. -> ::"},
	{joints, "+ . .. <> ++ & / % *"},
	{redirects, "< > << >> <= >= <>"},
	{binarySigns, "< > = ! & | ^ ~ - * / % === !== **= <=> ||= &&= <<= >>= => -> && &. == != <= >= -= *= /= |= << >> -- =~ !~ |> |& || <> ** ~="},
	{closing, ") ] }"},
	{kindTests, "is_file is_dir is_symlink is_mount exists isfile isdir islink lexists isFile isDirectory isSymbolicLink"},
	{kindTests, "existsSync file? directory? exist? symlink? file_exists isDir isLink is_link isdigit isnumeric isdecimal is_readable is_writable"},
	{schedulers, "setImmediate nextTick queueMicrotask setTimeout requestAnimationFrame then"},
	{formats, "format sprintf format_map substitute safe_substitute"},
}

// A word is what is known of a name or a sign.
type word struct {
	text  string
	facts []*fact
	traits
	mark mark
	next uint16 // another with the same key
}

// A vocabulary holds all that are known. The first of its words is that of names
// which are not.
type vocabulary struct {
	words []word
	// heads are the first words of each key, signs those that begin with a byte,
	// the longest first.
	heads [1 << 11]uint16
	signs [256][]uint16
}

// keyOf keeps words apart without a look at each of their bytes.
func keyOf(name string) int {
	n := len(name)
	return (n*67 + int(name[0])*37 + int(name[n/2])*11 + int(name[n-1])*5) & (1<<11 - 1)
}

// find returns the word of a name, 0 for one that is not known.
func (v *vocabulary) find(name string) uint16 {
	if name == "" {
		return 0
	}
	for i := v.heads[keyOf(name)]; i != 0; i = v.words[i].next {
		if v.words[i].text == name {
			return i
		}
	}
	return 0
}

// enter returns the word of a name, which it adds where it is new.
func (v *vocabulary) enter(text string) *word {
	if i := v.find(text); i != 0 {
		return &v.words[i]
	}
	i, head := uint16(len(v.words)), &v.heads[keyOf(text)]
	v.words = append(v.words, word{text: text, next: *head})
	*head = i
	return &v.words[i]
}

// enterSign is enter for a sign, which is no name.
func (v *vocabulary) enterSign(text string) *word {
	for _, i := range v.signs[text[0]] {
		if v.words[i].text == text {
			return &v.words[i]
		}
	}
	i := uint16(len(v.words))
	v.words = append(v.words, word{text: text})
	signs := &v.signs[text[0]]
	*signs = append(*signs, i)
	slices.SortStableFunc(*signs, func(a, b uint16) int { return len(v.words[b].text) - len(v.words[a].text) })
	return &v.words[i]
}

// theVocabulary is made when the first program is read.
var theVocabulary = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{words: make([]word, 1)}
	token := func(text string) *word {
		if isNameByte(text[0]) {
			return v.enter(text)
		}
		return v.enterSign(text)
	}
	for m, text := range marked {
		if text != "" {
			token(text).mark = mark(m)
		}
	}
	for _, s := range sets {
		for text := range strings.FieldsSeq(s.words) {
			token(text).traits |= s.in
		}
	}
	for i := range facts {
		names := strings.Fields(facts[i].names)
		if facts[i].in == program.AppleScript {
			names = []string{facts[i].names}
		}
		for _, name := range names {
			w := v.enter(name)
			w.facts = append(w.facts, &facts[i])
		}
	}
	return v
})

// isOneOf reports whether a name is one of a set.
func isOneOf(name string, set traits) bool {
	v := theVocabulary()
	return v.words[v.find(name)].traits&set != 0
}

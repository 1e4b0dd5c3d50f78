package siblings_test

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/trial/calm"
)

// A law is what is demanded of a sibling.
type law uint8

// The laws.
const (
	// equal demands the same decision, and of a denial the same rule: it is the
	// same act in other words.
	equal law = iota
	// tighter demands nothing more permissive: what stands around the act may itself
	// be unproved, or does the same in some shells and on some systems only.
	tighter
	// denied demands that a denial stays one: the shell that is named, or the time that
	// is bounded, ends a doubt for which the base is asked about.
	denied
)

// A spelling writes the act of a site in another way, "" where it cannot.
type spelling struct {
	name  string
	law   law
	spell func(s *site, r *rand.Rand) string
}

var spellings = []spelling{
	{"a synonym", equal, named(synonymOf)},
	{"a name with g", tighter, named(gnuName)},
	{"its path", tighter, itsPath},
	{"letters apart", equal, lettersApart},
	{"letters in another order", equal, lettersReversed},
	{"letters together", equal, lettersTogether},
	{"another name of an option", equal, anotherOption},
	{"options in another order", equal, optionsSwapped},
	{"a value glued or apart", equal, valueMoved},
	{"an option behind the operands", tighter, optionBehind},
	{"-- before the operands", equal, dashes},
	{"a dot in a path", equal, dotInPath},
	{"two slashes in a path", equal, twoSlashes},
	{"a slash behind a directory", equal, slashBehind},
	{"a path from elsewhere", equal, pathFromElsewhere},
	{"a word in single quotes", equal, quoted("'")},
	{"a word in double quotes", equal, quoted(`"`)},
	{"a word half in quotes", equal, halfQuoted},
	{"a backslash before a sign", equal, backslash},
	{"a continued line", equal, continued},
	{"more blanks", equal, moreBlanks},
	{"a word in a variable", tighter, inVariable},
	{"the program in a variable", tighter, programInVariable},
	{"the words in an array", denied, inArray},
	{"env", tighter, wrapped("env ")},
	{"command", tighter, wrapped("command ")},
	{"nice", tighter, wrapped("nice -n 5 ")},
	{"timeout", denied, wrapped("timeout 5 ")},
	{"nohup", tighter, wrapped("nohup ")},
	{"setsid", tighter, wrapped("setsid -w ")},
	{"xargs", tighter, byXargs},
	{"sudo", tighter, bySudo},
	{"sudo -E", tighter, wrapped("sudo -nE ")},
	{"behind true", tighter, around("true && %s")},
	{"braces", tighter, around("{ %s\n}")},
	{"a subshell", tighter, around("( %s\n)")},
	{"if", tighter, around("if true; then %s\nfi")},
	{"a function", tighter, inFunction},
	{"sh -c", denied, inText("sh -c %s")},
	{"bash -c", denied, inText("bash -c %s")},
	{"eval", tighter, inText("eval %s")},
	{"a here-string", denied, inText("bash <<< %s")},
	{"echo to sh", denied, inText("echo %s | sh")},
	{"echo as a here-string", tighter, echoed},
}

// named writes one of the other names of the program.
func named(others func(name string) []string) func(*site, *rand.Rand) string {
	return func(s *site, r *rand.Rand) string {
		names := others(s.name)
		if len(names) == 0 || s.defines() {
			return ""
		}
		return s.with(replaced(s.words, 0, names[r.IntN(len(names))]))
	}
}

// defines reports whether the line may give the name of the program another meaning.
func (s *site) defines() bool {
	return strings.Contains(s.before, s.name) || strings.Contains(s.before, "hash")
}

// itsPath writes the program with its directory, where the shell has none of that
// name itself.
func itsPath(s *site, _ *rand.Rand) string {
	if s.row == nil || s.row.InShell || strings.Contains(s.name, "/") || syntax.IsKeyword(s.name) || program.HasWord(builtins, s.name) || s.defines() {
		return ""
	}
	return s.with(replaced(s.words, 0, "/usr/bin/"+s.name))
}

// builtins are what is another program, or none, where it has a path.
const builtins = ". : [ alias bg bind break builtin caller case cd command compgen complete continue declare dirs disown echo enable eval exec exit " +
	"export false fg float getln getopts hash help history integer jobs kill let local logout mapfile nameref nocorrect noglob popd " +
	"print printf pushd pwd read readarray readonly return set shift shopt source start strftime sysread test time times trap true type " +
	"typeset ulimit umask unalias unset vared wait zparseopts zstat zstyle"

// bundles returns the indexes of the words that are some options of one letter
// without values.
func (s *site) bundles() (out []int) {
	if s.name == "ulimit" {
		return nil // a limit may stand behind a letter
	}
	for i := range s.words {
		if w := s.words[i]; len(w) > 1 && w[0] == '-' && w[1] != '-' && s.flags(i) == len(w)-1 {
			out = append(out, i)
		}
	}
	return out
}

// flags returns how many options of one letter without a value stand in a word.
func (s *site) flags(at int) (n int) {
	for i := range s.args.Options {
		if o := &s.args.Options[i]; o.At == at && o.Spec != nil && o.Spec.Takes == program.Nothing && len(o.Name) == 1 && o.End == at+1 && o.Of != nil && !o.Of.Style.OfWords() {
			n++
		}
	}
	return n
}

func (s *site) bundle(r *rand.Rand, least int) int {
	all := slices.DeleteFunc(s.bundles(), func(i int) bool { return len(s.words[i]) < least })
	if len(all) == 0 {
		return -1
	}
	return all[r.IntN(len(all))]
}

func lettersApart(s *site, r *rand.Rand) string {
	i := s.bundle(r, len("-ab"))
	if i < 0 {
		return ""
	}
	var apart []string
	for _, letter := range s.words[i][1:] {
		apart = append(apart, "-"+string(letter))
	}
	return s.with(slices.Concat(s.words[:i], apart, s.words[i+1:]))
}

func lettersReversed(s *site, r *rand.Rand) string {
	i := s.bundle(r, len("-ab"))
	if i < 0 {
		return ""
	}
	letters := []byte(s.words[i][1:])
	slices.Reverse(letters)
	return s.with(replaced(s.words, i, "-"+string(letters)))
}

// inJava are programs in Java, of which a letter stands alone in its word.
const inJava = "mvn mvnw gradle gradlew"

// lettersTogether writes two options as one word, as programs in Java do not take them.
func lettersTogether(s *site, _ *rand.Rand) string {
	all := s.bundles()
	if program.HasWord(inJava, s.name) {
		return ""
	}
	for k := 1; k < len(all); k++ {
		if i := all[k]; all[k-1] == i-1 && !strings.ContainsAny(s.words[i-1]+s.words[i], "0123456789") { // -0f may be a signal
			return s.with(slices.Concat(s.words[:i-1], []string{s.words[i-1] + s.words[i][1:]}, s.words[i+1:]))
		}
	}
	return ""
}

// anotherOption writes another name of an option that stands alone in its word. Any program
// has --help and --version by these names; an abbreviation is no name, and behind a
// sub-command a letter may be an option of that.
func anotherOption(s *site, r *rand.Rand) string {
	for _, k := range r.Perm(len(s.args.Options)) {
		o := &s.args.Options[k]
		if o.Spec == nil || o.Of == nil || o.Of.Style.OfWords() || o.Of.Equals || len(o.Spec.Names) < 2 {
			continue
		}
		name := o.Spec.Names[r.IntN(len(o.Spec.Names))]
		if program.HasWord("help version", o.Name) || program.HasWord("help version", name) || !slices.Contains(o.Spec.Names, o.Name) || s.isBeforeVerb(o) {
			continue
		}
		rest, ok := strings.CutPrefix(s.words[o.At], dashed(o.Name))
		if name == o.Name || name == "#" || name == "-" || !ok || len(o.Name) == 1 && rest != "" || rest != "" && rest[0] != '=' || rest != "" && len(name) == 1 {
			continue
		}
		if o.Spec.Takes == program.Attached && rest != "" {
			continue
		}
		return s.with(replaced(s.words, o.At, dashed(name)+rest))
	}
	return ""
}

// isBeforeVerb reports whether an option that stands behind the sub-command is one of those
// before it.
func (s *site) isBeforeVerb(o *command.Option) bool {
	return s.args.Verb > 0 && o.At > s.args.Verb && (o.Of == s.row || o.Of.Grammar().Find(o.Name, true) != o.Spec)
}

// dashed returns an option of a name as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// optionsSwapped swaps two options that stand beside each other. Of two with the
// same name the last may count, so that these stay. An interpreter may take what stands
// behind its code, and a shell what stands behind -c, for something else.
func optionsSwapped(s *site, r *rand.Rand) string {
	if len(s.args.Options) < 2 || s.args.Unlisted || s.row != nil && (s.row.Input == program.RoleCode || program.IsShell(s.row)) {
		return ""
	}
	for _, k := range r.Perm(len(s.args.Options) - 1) {
		a, b := &s.args.Options[k], &s.args.Options[k+1]
		if a.Spec == nil || b.Spec == nil || a.Spec == b.Spec || a.Of != b.Of || a.Of == nil || a.Of.Style == program.Expression || a.End != b.At || b.End <= b.At || s.shared(a.At) || s.shared(b.At) {
			continue
		}
		return s.with(slices.Concat(s.words[:a.At], s.words[b.At:b.End], s.words[a.At:a.End], s.words[b.End:]))
	}
	return ""
}

// shared reports whether several options stand in a word.
func (s *site) shared(at int) bool {
	n := 0
	for i := range s.args.Options {
		if s.args.Options[i].At == at {
			n++
		}
	}
	return n > 1
}

// valueMoved writes --x=v as --x v, -xv as -x v, and the other way round. Behind an operand
// the value may be a file, where the operand ends the options; what begins with a dash may be
// an option, where the value is left out; zsh expands what begins with an equals sign; a word that is
// not known is looked at as a whole; a verb is none in all programs of a row; and a letter with more may be the name of a signal.
func valueMoved(s *site, r *rand.Rand) string {
	if s.row == nil {
		return ""
	}
	if s.row.Reads != nil && s.row.Reads.Detached || s.name == "set" || program.HasWord(inJava, s.name) { // set -oerrexit has seven options
		return ""
	}
	for _, k := range r.Perm(len(s.args.Options)) {
		o := &s.args.Options[k]
		if o.Spec == nil || o.Spec.Takes != program.Argument || o.Spec.Two || o.Of == nil || o.Of.Style.OfWords() || o.Of.Equals || s.shared(o.At) || o.Spec.TakesWords() {
			continue
		}
		if n := s.args.Operands; len(n) > 0 && n[0].At < o.At || strings.HasPrefix(o.Arg.Beginning(), "-") || strings.HasPrefix(o.Arg.Beginning(), "=") || !s.known[o.At] || program.HasWord(s.row.Runner, o.Arg.Text()) || len(o.Name) == 1 && o.Of.Grammar().Number() != nil {
			continue
		}
		name, glue := dashed(o.Name), "="
		if len(o.Name) == 1 {
			glue = ""
		}
		switch word := s.words[o.At]; {
		case o.End == o.At+2 && word == name && s.known[o.At+1] && s.values[o.At+1] != "":
			return s.with(slices.Concat(s.words[:o.At], []string{word + glue + s.words[o.At+1]}, s.words[o.End:]))
		case o.End == o.At+1 && strings.HasPrefix(word, name+glue) && len(word) > len(name+glue):
			return s.with(slices.Concat(s.words[:o.At], []string{name, word[len(name+glue):]}, s.words[o.End:]))
		}
	}
	return ""
}

// optionBehind writes the first option last, as GNU's programs let it stand. A directory
// holds for what follows it.
func optionBehind(s *site, _ *rand.Rand) string {
	if s.row == nil || s.row.Style != program.GNU || len(s.args.Options) == 0 || s.args.Dash > 0 || s.args.Payload > 0 {
		return ""
	}
	o := &s.args.Options[0]
	if o.Spec == nil || o.Spec.TakesWords() || o.Spec.Role == program.RoleDir || o.End == len(s.words) || s.shared(o.At) || s.args.Sub != "" && o.At < s.args.Verb || s.words[o.At][0] != '-' {
		return ""
	}
	return s.with(slices.Concat(s.words[:o.At], s.words[o.End:], s.words[o.At:o.End]))
}

// dashes ends the options, where -- means nothing more: a word that is unknown may be one.
func dashes(s *site, _ *rand.Rand) string {
	if slices.Contains(s.known, false) {
		return ""
	}
	if s.row == nil || s.row.Style != program.GNU || len(s.row.Subs)+len(s.row.Verbs) > 0 || s.row.Dashed != 0 || s.row.Behind != "" || s.args.Dash > 0 || s.args.Payload > 0 || s.args.Unlisted || !program.HasWord(gnu, s.name) {
		return ""
	}
	at := 1
	if n := len(s.args.Options); n > 0 {
		at = s.args.Options[n-1].End
	}
	if at == len(s.words) || len(s.args.Operands) == 0 || s.args.Operands[0].At < at {
		return ""
	}
	return s.with(slices.Insert(slices.Clone(s.words), at, "--"))
}

// paths returns the indexes of the words that are paths of files, not empty and
// not of another host. The arguments of code are what the code makes of them, and below
// /inet are the connections of awk; programs of Windows have other paths, and behind --
// may stand a command.
func (s *site) paths() (out []int) {
	if s.row != nil && s.row.Input == program.RoleCode || program.HasWord("robocopy xcopy", s.name) {
		return nil
	}
	for _, o := range s.args.Operands {
		switch o.Role {
		case program.RoleRead, program.RoleWrite, program.RoleDelete, program.RoleMove, program.RoleAlter, program.RoleDir:
			if s.known[o.At] && s.words[o.At] == s.values[o.At] && !strings.ContainsAny(s.words[o.At], ":@%,+") && s.words[o.At][0] != '-' && !strings.HasPrefix(s.words[o.At], "/inet") && (s.args.Dash == 0 || o.At < s.args.Dash) {
				out = append(out, o.At)
			}
		}
	}
	return out
}

// inPath rewrites one of the paths.
func inPath(s *site, r *rand.Rand, rewrite func(path string) string) string {
	all := s.paths()
	if len(all) == 0 {
		return ""
	}
	i := all[r.IntN(len(all))]
	if p := rewrite(s.words[i]); p != "" {
		return s.with(replaced(s.words, i, p))
	}
	return ""
}

func dotInPath(s *site, r *rand.Rand) string {
	return inPath(s, r, func(p string) string {
		if p[0] != '/' {
			return "./" + p
		}
		return "/." + p
	})
}

func twoSlashes(s *site, r *rand.Rand) string {
	return inPath(s, r, func(p string) string {
		if at := strings.LastIndexByte(p, '/'); at >= 0 {
			return p[:at] + "/" + p[at:]
		}
		return ".//" + p
	})
}

// slashBehind writes a directory with what may stand behind one; of what is none, as of what
// a program makes, a path with a slash names nothing. What stands before may change the
// directory, or make a link, through which the slash leads.
func slashBehind(s *site, r *rand.Rand) string {
	if s.before != "" || slices.ContainsFunc(s.args.Operands, func(o command.Operand) bool { return o.Role == program.RoleWrite }) {
		return ""
	}
	return inPath(s, r, func(p string) string {
		if base := path.Base(p); base == "" || strings.Contains(base, ".") || strings.HasSuffix(p, "/") || isOfKernel(p) || s.words[0] == "ln" || s.args.Payload > 0 {
			return ""
		}
		return p + []string{"/", "//", "/."}[r.IntN(3)]
	})
}

// isOfKernel reports whether a path is none of a disk.
func isOfKernel(p string) bool {
	p = path.Clean("/" + p)
	return strings.HasPrefix(p, "/dev") || strings.HasPrefix(p, "/proc") || strings.HasPrefix(p, "/sys")
}

// pathFromElsewhere writes a path of the project from its parent, or from the root.
func pathFromElsewhere(s *site, r *rand.Rand) string {
	inDir := func(o command.Option) bool { return o.Spec != nil && o.Spec.Role == program.RoleDir }
	if s.before != "" || slices.ContainsFunc(s.args.Options, inDir) { // the directory may be another
		return ""
	}
	return inPath(s, r, func(p string) string {
		if p[0] == '/' || p == "." || strings.HasPrefix(p, "..") {
			return ""
		}
		return []string{"../project/", calm.Project + "/"}[r.IntN(2)] + p
	})
}

// replaced returns words of which one is another.
func replaced(words []string, i int, word string) []string {
	out := slices.Clone(words)
	out[i] = word
	return out
}

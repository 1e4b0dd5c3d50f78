package extent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Doubt is what a permission says that its author may not have meant.
type Doubt struct {
	Permission policy.Permission
	// Note says that it is worth knowing, and no likely mistake.
	Note bool
	// Text is what it says, Next what to write instead.
	Text, Next string
	// Call shows it, "" for none.
	Call string
}

// Doubts returns what permissions say that their authors may not have meant, one doubt for
// each at most. Engines with the settings and options judge calls that are made up from
// their words and rows: a denial beside all permissions, an allow beside what is stricter.
func Doubts(s policy.Settings, o policy.Options) (out []Doubt, err error) {
	list, stricter := s.Permissions, []policy.Permission(nil)
	for _, p := range list {
		if p.Action != policy.Allow {
			stricter = append(stricter, p)
		}
	}
	all, err := policy.New(s, o)
	unknown := make(map[string]bool)
	for i := 0; i < len(list) && err == nil; i++ {
		j := judge{all}
		if list[i].Action == policy.Allow {
			s.Permissions = append(slices.Clip(stricter), list[i])
			j.engine, err = policy.New(s, o)
		}
		if err != nil {
			break
		}
		if d, ok := j.doubt(&list[i], unknown); ok {
			d.Permission = list[i]
			out = append(out, d)
		}
	}
	return out, err
}

// A judge has calls judged by the policy whose permissions are in doubt.
type judge struct{ engine *policy.Engine }

func (j judge) call(c *policy.Call) policy.Verdict {
	c.Home, c.Dir, c.ProjectDir = "/home/dev", dir, dir
	v, err := j.engine.Decide(context.Background(), nil, c)
	if err != nil {
		return policy.Verdict{}
	}
	return v
}

func (j judge) line(line string) policy.Verdict { return j.call(policy.Shell(line, dir)) }

// doubt returns the first doubt of a permission. unknown are the programs of which a note
// says that nothing is known.
func (j judge) doubt(p *policy.Permission, unknown map[string]bool) (Doubt, bool) {
	tool, subject, _ := strings.Cut(strings.TrimSpace(p.Match), " ")
	words := strings.Fields(subject)
	switch {
	case (tool == "read" || tool == "write") && len(words) == 1:
		return j.ofPath(p, tool, words[0])
	case tool != "shell":
		return Doubt{}, false
	case p.Action != policy.Allow:
		return j.missed(p, words)
	}
	if d, ok := j.opened(p, words); ok || len(words) == 0 {
		return d, ok
	}
	return j.noted(words, unknown)
}

// missed returns a call that the author of a denial or an ask meant as well, and that does
// without.
func (j judge) missed(p *policy.Permission, words []string) (Doubt, bool) {
	if len(words) == 0 || strings.ContainsAny(words[0], "*?") || len(p.Except) > 0 {
		return Doubt{}, false
	}
	base := filled(words, "x")
	if v := j.line(base); v.Decision != p.Action || v.Rule != p.Match {
		return Doubt{}, false // another one says more of it
	}
	for _, s := range siblings(words, base) {
		v := j.line(s.line)
		if v.Decision == policy.Deny || p.Action == policy.Ask && v.Decision == policy.Ask {
			continue
		}
		return Doubt{
			Text: fmt.Sprintf("means `%s`, and not `%s`, %s", base, s.line, s.why),
			Next: fmt.Sprintf("write `%s` too if you mean that", s.match), Call: s.line,
		}, true
	}
	return Doubt{}, false
}

// A sibling is a call that does the same as another one, with the permission that means it.
type sibling struct{ line, match, why string }

// siblings returns the calls that do what a pattern says in another way.
func siblings(words []string, base string) (out []sibling) {
	for _, line := range append(spelt(words), "sudo "+base, "env "+base, "bash -c '"+base+"'") {
		out = append(out, sibling{line, "shell " + line, "which does the same"})
	}
	p, named := row(words)
	main := program.Lookup(words[0])
	if main == nil {
		return out
	}
	for name := range strings.FieldsSeq(main.Names) {
		if name != words[0] && program.Resolve(name) == program.Resolve(words[0]) {
			match := "shell " + name + " " + strings.Join(words[1:], " ")
			out = append(out, sibling{name + base[len(words[0]):], match, "which is another name of the program"})
		}
	}
	for _, verb := range verbs(main, words[1:]) {
		list := append([]string{words[0], verb.is}, words[1+verb.words:]...)
		out = append(out, sibling{filled(list, "x"), "shell " + strings.Join(list, " "), "which is another name of the sub-command"})
	}
	if at := slices.IndexFunc(words[named:], isPath); at >= 0 && main == p && program.Prints(p) {
		path := words[named+at]
		out = append(out, sibling{"head -n 5 " + filled([]string{path}, "x"), "read " + path, "which reads the file as well"})
	}
	return out
}

// isPath reports whether a word of a pattern names a file, or files.
func isPath(word string) bool {
	return word[0] != '-' && strings.ContainsAny(word, "/.") && strings.Trim(word, "*./") != ""
}

// A verb is another name of a sub-command, and how many words of the pattern it replaces.
type verb struct {
	is    string
	words int
}

// verbs returns the other names that a row has for the sub-command that words begin with.
func verbs(p *program.Program, words []string) (out []verb) {
	if len(words) == 0 || strings.ContainsAny(words[0], "*?") {
		return nil
	}
	usual := cmp.Or(p.Usual(words[0]), words[0])
	for entry := range strings.SplitSeq(p.Aliases, ",") {
		from, to, _ := strings.Cut(entry, "=")
		if to == usual && from != words[0] && !strings.Contains(from, " ") {
			out = append(out, verb{from, 1})
		}
	}
	if usual != words[0] && !strings.Contains(usual, " ") {
		out = append(out, verb{usual, 1})
	}
	return out
}

// opened returns the door that an allow opens.
func (j judge) opened(p *policy.Permission, words []string) (Doubt, bool) {
	if len(words) == 0 || strings.ContainsAny(words[0], "*?") && !strings.Contains(words[0], "/") {
		call := strings.ReplaceAll(strings.Join(append([]string{"./x"}, words[min(1, len(words)):]...), " "), "*", "x")
		if j.by(p, call) {
			return Doubt{Text: "allows every program, such as `" + call + "`", Next: "name the programs that you mean", Call: call}, true
		}
		return Doubt{}, false
	}
	at, named := row(words)
	if at == nil {
		return Doubt{}, false
	}
	if option, call := opening(at, words, named); option != "" && j.by(p, call) {
		return Doubt{
			Text: "spells " + option + ", by which the program runs, or loads, what it is given, such as `" + call + "`",
			Next: "write what may stand behind it", Call: call,
		}, true
	}
	if named < len(words)-1 || words[len(words)-1] != "*" || len(p.Except) > 0 {
		return Doubt{}, false
	}
	w := wideness(at, words[:named])
	for _, call := range w.calls {
		if j.by(p, call) {
			return Doubt{Text: "allows " + w.what + ", such as `" + call + "`", Next: w.next, Call: call}, true
		}
	}
	return Doubt{}, false
}

// A wide is what a star behind a program, or a sub-command, stands for, and calls that show
// it, those that tell most first.
type wide struct {
	what, next string
	calls      []string
}

// wideness returns what a star behind words that a row is named by stands for; it has no calls
// where that is no more than the words of a program.
func wideness(p *program.Program, named []string) wide {
	main, head := program.Lookup(named[0]), strings.Join(named, " ")
	runs := main.Runner == "." || len(named) > 1 && program.HasWord(main.Runner, named[1])
	switch {
	case p.Language != program.NoLanguage && program.Interprets(p), program.IsShell(p):
		w := wide{what: "any code", next: "name the scripts that you mean, such as `shell " + head + " scripts/*`"}
		for _, o := range p.Grammar().Options {
			if o.Role == program.RoleCode && o.Takes == program.Argument {
				w.calls = append(w.calls, head+" "+program.Typed(o.Names[0])+" x")
			}
		}
		w.calls = append(w.calls, head+" ./x y")
		return w
	case main.Engine && p.Grammar().Find("volume", false) != nil:
		return wide{"every option", "write the image, and what may stand before it", []string{head + " -v /:/x x"}}
	case runs:
		return wide{
			"every program of the project and its packages", "name the programs that you mean, such as `shell " + head + " jest *`",
			[]string{head + " x", head + " ./x y"},
		}
	case !hasVerbs(p, named[0]):
		return wide{}
	}
	w := wide{what: "every sub-command and option", next: "name the sub-commands that you mean, such as `shell " + head + " SUB-COMMAND *`"}
	if p.Engine {
		w.calls = append(w.calls, head+" run -v /:/x x")
	}
	for verb := range strings.SplitSeq(p.NoGrant+","+p.Network, ",") {
		if verb != "" && verb != "*" {
			w.calls = append(w.calls, head+" "+verb+" x")
		}
	}
	w.calls = append(w.calls, doors(named, head)...)
	for _, sub := range p.Subs {
		name, _, _ := strings.Cut(sub.Names, " ")
		w.calls = append(w.calls, head+" "+name+" x")
	}
	w.calls = append(w.calls, head+" x")
	return w
}

// by reports whether a permission allows a line.
func (j judge) by(p *policy.Permission, line string) bool {
	v := j.line(line)
	return v.Decision == policy.Allow && v.Rule == p.Match
}

// hasVerbs reports whether the first operand of a program, or of a sub-command, is one.
func hasVerbs(p *program.Program, name string) bool {
	return len(p.Subs) > 0 || p.Plain != "" || p.Aliases != "" || p.Service != nil || program.OfKind(name, "subs")
}

// opening returns an option of a pattern whose argument is left open and is run or loaded, with
// a call that has it; "" for none.
func opening(p *program.Program, words []string, named int) (option, call string) {
	for i := named; i < len(words); i++ {
		w := words[i]
		name, value, has := strings.Cut(strings.TrimRight(w, "*"), "=")
		if len(name) < 2 || name[0] != '-' {
			continue
		}
		o := p.Grammar().Find(strings.TrimLeft(name, "-"), !strings.HasPrefix(name, "--"))
		if main := program.Lookup(words[0]); o == nil && main != nil {
			o = main.Grammar().Find(strings.TrimLeft(name, "-"), !strings.HasPrefix(name, "--"))
		}
		if o == nil || o.Takes != program.Argument {
			continue
		}
		before, rest := words[:i], words[i+1:]
		if !has && w == name && len(rest) > 0 {
			value, rest = strings.TrimRight(rest[0], "*"), rest[1:]
		}
		runs := o.Role == program.RoleExec || o.Role == program.RoleText || o.Role == program.RoleCode || o.Role == program.RoleConfig
		if value == "" && (runs || program.HasWord(p.Loads, name)) {
			return name, filled(slices.Concat(before, []string{given(name, "./x")}, rest), "")
		}
	}
	return "", ""
}

// noted returns what is worth knowing of an allow.
func (j judge) noted(words []string, unknown map[string]bool) (Doubt, bool) {
	last := words[len(words)-1]
	stem := strings.TrimSuffix(last, "*")
	head := strings.Join(words[:len(words)-1], " ")
	switch {
	case len(words) > 1 && stem != last && stem != "" && !strings.ContainsAny(stem, "/-=:.*?@"):
		call := head + " " + stem + "x"
		if v := j.line(call); v.Decision != policy.Allow {
			return Doubt{}, false
		}
		next := "write `shell " + head + " " + stem + " *` for " + stem + " alone, with arguments and without"
		return Doubt{Note: true, Text: "covers `" + call + "` too", Next: next, Call: call}, true
	case program.Find(program.Resolve(words[0])) == nil && last == "*" && !unknown[words[0]] && !strings.Contains(words[0], "/"):
		unknown[words[0]] = true
		return Doubt{
			Note: true, Text: "nothing is known of " + words[0] + ", so that its star covers every option",
			Next: "name the arguments that you mean if some of them run or load something",
		}, true
	}
	return Doubt{}, false
}

// ofPath returns a file beside those of a permission that its author meant as well.
func (j judge) ofPath(p *policy.Permission, tool, subject string) (Doubt, bool) {
	base := filled([]string{subject}, "x")
	name := subject[strings.LastIndexByte(subject, '/')+1:]
	verdict := func(path string) bool {
		return j.call(&policy.Call{Tool: tool, Input: map[string]any{"file_path": path}}).Decision == p.Action
	}
	if !verdict(base) || len(p.Except) > 0 {
		return Doubt{}, false
	}
	isDirectory := name != "" && !strings.ContainsAny(name, "*?.") && strings.ToLower(name) == name
	if below := base + "/x"; isDirectory && !verdict(below) {
		next := "write `" + tool + " " + subject + "/*` for what lies in the directory"
		return Doubt{Text: "means `" + base + "` alone, and nothing below it", Next: next, Call: tool + " " + below}, true
	}
	if rest, ok := strings.CutPrefix(subject, "**/"); ok {
		if top := filled([]string{rest}, "x"); !verdict(top) {
			text := "means `" + base + "`, and not `" + top + "` in the project's own directory"
			return Doubt{Text: text, Next: "write `" + tool + " " + rest + "` too", Call: tool + " " + top}, true
		}
	}
	return Doubt{}, false
}

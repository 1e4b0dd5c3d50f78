package policy

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// hardline is stage 1. It judges the call in every directory in which it may
// run, as a whole and as what a shell may make of its arguments.
func (r *run) hardline() (*opinion, error) {
	if o := (floor{&r.facts}).catastrophe(); o != nil {
		return o, nil
	}
	for _, other := range r.elsewhere {
		if o := (floor{&other.facts}).catastrophe(); o != nil {
			o.of = other
			return o, nil
		}
	}
	return nil, nil
}

// The floor under every call.
type floor struct{ *facts }

// catastrophe returns what the floor says of the call in its own directory.
func (l floor) catastrophe() *opinion {
	o := l.itself()
	for i := 0; i < len(l.guises) && o == nil; i++ {
		if o = (floor{&l.guises[i].facts}).itself(); o != nil {
			o.span = nil // it is none in the call
		}
	}
	if o == nil && l.unread != nil {
		o = l.ofArguments()
	}
	return o
}

func (l floor) itself() *opinion {
	if l.line == nil {
		return l.ofTool()
	}
	scene := &l.parts.scene
	f, ok := hardline.Match(scene)
	if links := l.linksOnDisk(ok); len(links) > 0 {
		l.parts.ran = nil // what was run is told anew
		scene = new(*scene)
		scene.Line = new(*l.line)
		scene.Line.OnDisk = links
		f, ok = hardline.Match(scene)
	}
	if !ok {
		for i := range l.parts.ran {
			l.view.Ran = append(l.view.Ran, l.parts.ran[i].Line)
		}
		return nil
	}
	return l.say(opinion{
		reason: ReasonHardline, rule: f.Rule.ID, why: f.Rule.Why, instead: hardline.Instead(scene, f), span: new(f.Span),
	})
}

// maxDiskLinks bounds how many links of the disk are followed.
const maxDiskLinks = 16

// linksOnDisk returns the links that lie on the disk where commands of the line
// change something; nil where the floor has spoken already.
func (l floor) linksOnDisk(spoken bool) []command.Link {
	if spoken || l.e.options.World == nil {
		return nil
	}
	var found *diskLinks
	for i := range l.line.Commands {
		c := &l.line.Commands[i]
		if !mayChange(c) {
			continue
		}
		if found == nil {
			found = &diskLinks{view: &l.view}
		}
		c.Effects(found.follow)
		c.CodeEffects(l.home(), found.follow)
	}
	if found == nil {
		return nil
	}
	return found.list
}

// The diskLinks are the links that effects lead through.
type diskLinks struct {
	view *permission.View
	list []command.Link
}

// follow adds the links on the way to what an effect changes.
func (d *diskLinks) follow(e command.Effect) (more bool) {
	if e.Kind == command.Reads || e.Kind == command.Runs || e.Kind == command.Connects {
		return true
	}
	for _, dir := range e.Dir.Values {
		d.add(dir, true) // who stands in it is in what it leads to
	}
	for _, path := range shell.Paths(e.Dir, e.Target) {
		if at := strings.IndexAny(path, "*?["); at >= 0 && e.Target.Glob {
			path = path[:strings.LastIndexByte(path[:at], '/')+1] + "x"
		}
		at := strings.LastIndexByte(path, '/')
		if at >= 0 && d.add(path, e.Kind == command.Alters) && at > 0 { // which goes through a link that it is given
			d.add(path[:at], false)
		}
	}
	return true
}

// add adds a path if links lead from it to another one.
func (d *diskLinks) add(path string, stands bool) (linked bool) {
	at := d.view.Place("", path)
	if linked = at.Sure && at.Real != at.Text; linked && len(d.list) < maxDiskLinks {
		d.list = append(d.list, command.Link{Path: at.Text, Target: at.Real, Mounted: stands})
	}
	return linked
}

func (l floor) ofTool() *opinion {
	for _, p := range l.args().written() {
		if o := l.ofPath(p); o != nil {
			return o
		}
	}
	for _, words := range l.args().resembled() {
		if o := l.ofText(func(env eval.Env) *eval.Line { return eval.Argv(words, env) }); o != nil {
			return o
		}
	}
	if l.e.own == nil {
		return nil
	}
	for _, u := range l.args().urls() {
		if rule, ok := hardline.MatchRequest(&hazard.Scene{Own: l.e.own}, u); ok {
			return l.say(opinion{reason: ReasonHardline, rule: rule.ID, why: rule.Why, instead: rule.Instead})
		}
	}
	return nil
}

func (l floor) ofPath(p string) *opinion {
	at := l.view.Subject(p)
	for _, path := range at.Readings() {
		if rule, ok := hardline.MatchWrite(&hazard.Scene{OS: l.call.OS, Protect: l.e.settings.Protect}, path); ok {
			return l.say(opinion{reason: ReasonHardline, rule: rule.ID, why: rule.Why, instead: rule.Instead})
		}
	}
	return nil
}

// ofArguments is stage 1 for a call that could not be prepared: what is wrong
// with one argument must not hide that another is catastrophic. Every argument
// that some decoder may take for the subject of the tool is looked at.
func (l floor) ofArguments() *opinion {
	for _, key := range sortedKeys(l.call.Input) {
		if !l.tool.mayMean(key) {
			continue
		}
		texts, ok := l.call.Input[key].([]string)
		if !ok {
			texts = leaves(l.call.Input[key], nil)
		}
		if o := l.ofTexts(texts); o != nil {
			return o
		}
	}
	return nil
}

// ofTexts is stage 1 for the texts of one argument.
func (l floor) ofTexts(texts []string) *opinion {
	for _, text := range texts {
		if l.tool.Kind == KindWrite {
			for _, p := range append(command.PatchPaths(text), text) {
				if o := l.ofPath(p); o != nil {
					return o
				}
			}
		}
		if l.tool.Kind == KindShell {
			if o := l.ofText(func(env eval.Env) *eval.Line { return eval.Read(text, env) }); o != nil {
				return o
			}
		}
	}
	if l.tool.Kind != KindShell || len(texts) < 2 {
		return nil
	}
	return l.ofText(func(env eval.Env) *eval.Line { return eval.Argv(texts, env) })
}

// ofText judges a line in the directory of the call and, since that may
// be what is wrong, anywhere.
func (l floor) ofText(read func(eval.Env) *eval.Line) *opinion {
	c := l.call
	dirs := []string{"", c.Dir}
	if !strings.HasPrefix(c.Dir, "/") {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		line := read(eval.Env{Dir: dir, Home: c.Home, Shell: c.Shell})
		s := &hazard.Scene{Line: line, Home: l.home(), OS: c.OS, Protect: l.e.settings.Protect, Own: l.e.own, Denies: hardline.Denies}
		if f, ok := hardline.Match(s); ok { // the span is left out: which argument it is in is not said
			return l.say(opinion{reason: ReasonHardline, rule: f.Rule.ID, why: f.Rule.Why, instead: hardline.Instead(s, f)})
		}
	}
	return nil
}

// mayMean reports whether a decoder that is not strict may take an argument for
// a subject of the tool.
func (t *Tool) mayMean(key string) bool {
	for _, field := range t.Subject {
		if end := strings.IndexAny(field, ".[|"); end >= 0 {
			field = field[:end]
		}
		if strictjson.Fold(key) == strictjson.Fold(field) {
			return true
		}
	}
	return false
}

package policy

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// hardline is stage 1. It judges the call in every directory in which it may
// run, as a whole and as what a shell may make of its arguments.
func (r *run) hardline() (*opinion, error) {
	if o := r.catastrophe(); o != nil {
		return o, nil
	}
	for _, other := range r.elsewhere {
		if o := other.catastrophe(); o != nil {
			o.of = other
			return o, nil
		}
	}
	return nil, nil
}

// catastrophe returns what the floor says of the call in its own directory.
func (r *run) catastrophe() *opinion {
	o := r.catastropheItself()
	for i := 0; i < len(r.guises) && o == nil; i++ {
		if o = r.guises[i].catastropheItself(); o != nil {
			o.span = nil // it is none in the call
		}
	}
	if o == nil && r.unread != nil {
		o = r.floorBeside()
	}
	return o
}

func (r *run) catastropheItself() *opinion {
	if r.line == nil {
		return r.hardlineFile()
	}
	f, ok := hardline.Match(&r.parts.scene)
	if !ok {
		return nil
	}
	return r.say(opinion{
		reason: ReasonHardline, rule: f.Rule.ID, why: f.Rule.Why, instead: hardline.Instead(&r.parts.scene, f), span: new(f.Span),
	})
}

func (r *run) hardlineFile() *opinion {
	for _, p := range r.written() {
		if o := r.hardlinePath(p); o != nil {
			return o
		}
	}
	if r.e.own == nil {
		return nil
	}
	for _, u := range r.urls() {
		if rule, ok := hardline.MatchRequest(&hazard.Scene{Own: r.e.own}, u); ok {
			return r.say(opinion{reason: ReasonHardline, rule: rule.ID, why: rule.Why, instead: rule.Instead})
		}
	}
	return nil
}

func (r *run) hardlinePath(p string) *opinion {
	at := r.view.Subject(p)
	for _, path := range at.Readings() {
		if rule, ok := hardline.MatchWrite(&hazard.Scene{OS: r.call.OS, Protect: r.e.settings.Protect}, path); ok {
			return r.say(opinion{reason: ReasonHardline, rule: rule.ID, why: rule.Why, instead: rule.Instead})
		}
	}
	return nil
}

// floorBeside is stage 1 for a call that could not be prepared: what is wrong
// with one argument must not hide that another is catastrophic. Every argument
// that some decoder may take for the subject of the tool is looked at.
func (r *run) floorBeside() *opinion {
	for _, key := range sortedKeys(r.call.Input) {
		if !r.tool.mayMean(key) {
			continue
		}
		texts, ok := r.call.Input[key].([]string)
		if !ok {
			texts = leaves(r.call.Input[key], nil)
		}
		if o := r.floorOf(texts); o != nil {
			return o
		}
	}
	return nil
}

// floorOf is stage 1 for the texts of one argument.
func (r *run) floorOf(texts []string) *opinion {
	for _, text := range texts {
		if r.tool.Kind == KindWrite {
			for _, p := range append(patchPaths(text), text) {
				if o := r.hardlinePath(p); o != nil {
					return o
				}
			}
		}
		if r.tool.Kind == KindShell {
			if o := r.hardlineText(func(env shell.Env) *shell.Line { return shell.Read(text, env) }); o != nil {
				return o
			}
		}
	}
	if r.tool.Kind != KindShell || len(texts) < 2 {
		return nil
	}
	return r.hardlineText(func(env shell.Env) *shell.Line { return shell.Argv(texts, env) })
}

// hardlineText judges a line in the directory of the call and, since that may
// be what is wrong, anywhere.
func (r *run) hardlineText(read func(shell.Env) *shell.Line) *opinion {
	c := r.call
	dirs := []string{"", c.Dir}
	if !strings.HasPrefix(c.Dir, "/") {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		line := read(shell.Env{Dir: dir, Home: c.Home, Shell: c.Shell})
		s := &hazard.Scene{Line: line, Home: r.home(), OS: c.OS, Protect: r.e.settings.Protect, Own: r.e.own, Denies: hardline.Denies}
		if f, ok := hardline.Match(s); ok { // the span is left out: which argument it is in is not said
			return r.say(opinion{reason: ReasonHardline, rule: f.Rule.ID, why: f.Rule.Why, instead: hardline.Instead(s, f)})
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

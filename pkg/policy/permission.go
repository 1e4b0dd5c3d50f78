package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/shell"
	"github.com/policyctl/policyctl/pkg/weburl"
)

// A permission is a [Permission] ready for matching.
type permission struct {
	Permission
	rule  string // its id in verdicts
	why   string
	tools *glob // the tool's name has a wildcard; nil for others
	tool  *Tool // nil where tools is set
	target
	except []target
}

// A target is the subject of a permission.
type target struct {
	all     bool // every call of the tool
	glob    glob
	program glob  // the subject with the program in lower case, for denying
	path    bool  // the subject is a path
	rooted  bool  // it has an absolute path
	host    *glob // the subject up to the path of a URL, nil for others
}

func (e *Engine) compile(list []Permission, errs *[]error) []*permission {
	var out []*permission
	for _, p := range list {
		c, err := e.compileOne(p)
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%spermission %q: %w", at(p.Origin), p.Match, err))
			continue
		}
		out = append(out, c)
	}
	return out
}

func at(o Origin) string {
	if s := o.String(); s != "" {
		return s + ": "
	}
	return ""
}

var errNoPattern = errors.New(`empty: write "TOOL subject", such as "shell git push *"`)

func (e *Engine) compileOne(p Permission) (*permission, error) {
	name, subject, _ := strings.Cut(strings.TrimSpace(p.Match), " ")
	if name == "" {
		return nil, errNoPattern
	}
	c := &permission{Permission: p, rule: p.Match, why: p.Why}
	if c.why == "" {
		c.why = fmt.Sprintf("the permission %q says %s", p.Match, p.Action)
	}
	if strings.ContainsAny(name, "*?") {
		g := compileGlob(name)
		c.tools = &g
	} else if t, ok := e.tools.lookup(name); ok {
		c.tool = t
	} else {
		c.tool = &Tool{Name: name}
	}
	if op, rest, ok := strings.Cut(strings.TrimSpace(subject), " "); name == "file_system" && ok {
		t, known := e.tools.lookup(op)
		if !known {
			return nil, fmt.Errorf("unknown operation %q of file_system: one of read, write, edit", op)
		}
		c.tool, subject = t, rest
	}
	c.target = c.compileTarget(subject)
	for _, x := range p.Except {
		tool, sub, _ := strings.Cut(strings.TrimSpace(x), " ")
		if tool == "file_system" {
			_, sub, _ = strings.Cut(strings.TrimSpace(sub), " ")
		}
		if strings.TrimSpace(sub) == "" {
			return nil, fmt.Errorf("except %q: write it as the match, \"TOOL subject\"", x)
		}
		c.except = append(c.except, c.compileTarget(sub))
	}
	return c, nil
}

func (p *permission) compileTarget(subject string) target {
	subject = strings.TrimSpace(subject)
	t := target{all: subject == "" || subject == "*"}
	if p.tool != nil && p.tool.isFile() {
		t.path = true
		t.glob = compileGlob(shell.Clean(subject))
		return t
	}
	words := strings.Fields(subject)
	for i, w := range words {
		words[i] = weburl.Pattern(w)
	}
	subject = strings.Join(words, " ")
	t.glob = compileGlob(subject)
	t.host = compileHost(subject)
	t.rooted = t.glob.home || slices.ContainsFunc(words, isRooted)
	first, rest, blank := strings.Cut(subject, " ")
	first = strings.ToLower(first)
	if blank {
		first += " "
	}
	t.program = compileGlob(first + rest)
	return t
}

// isRooted says whether a word of a pattern spells an absolute path: /etc/* does,
// and /* means how a path is written.
func isRooted(word string) bool {
	_, path, ok := strings.Cut("="+word, "=/")
	return ok && path != "" && !strings.ContainsAny(path[:1], "*?")
}

// compileHost returns the part of a pattern of URLs before the path, nil where
// it has none: a star there stands for no slash.
func compileHost(subject string) *glob {
	scheme, rest, ok := strings.Cut(subject, "://")
	host, _, path := strings.Cut(rest, "/")
	if !ok || !path {
		return nil
	}
	g := compileGlob(scheme + "://" + host)
	return &g
}

// permissions returns what applies to the agent of the call.
func (r *run) permissions() []*permission {
	if list, ok := r.e.agents[r.call.Agent]; ok {
		return list
	}
	return r.e.grants
}

// names says whether the permission names a tool.
func (p *permission) names(t *Tool) bool {
	if p.tools != nil {
		return match(p.tools.elem, t.Name, exactly)
	}
	return p.tool.Name == t.Name
}

// A hit says how far a permission matches.
type hit uint8

const (
	noHit    hit = iota
	maybeHit     // for some value of what is not known
	fullHit
)

// hits says whether a deny or an ask applies to the call, and where.
func (r *run) hits(p *permission) (hit, *shell.Span) {
	switch {
	case p.names(r.tool) || p.path && p.tool.Kind == r.tool.Kind:
		if r.line == nil {
			return r.hitsSubjects(p), nil
		}
		return r.hitsLine(p)
	case r.line != nil && p.path:
		return r.hitsEffects(p)
	case p.path && p.tool.Kind == KindRead && len(r.looks)+len(r.picks) > 0:
		return r.hitsLooks(p), nil
	}
	return noHit, nil
}

// hitsLooks matches where a search looks: in a file, or below a directory.
func (r *run) hitsLooks(p *permission) hit {
	best := noHit
	for _, s := range r.looks {
		at := r.subject(s)
		for _, path := range at.readings() {
			if p.all || r.hitsPath(p, path) || r.hitsPath(p, strings.TrimSuffix(path, "/")+"/"+string(unknown)) {
				return fullHit
			}
			best = max(best, r.hitsPicks(p, path))
		}
	}
	if len(r.looks) == 0 {
		best = r.hitsPicks(p, strings.TrimSuffix(r.call.Dir, "/"))
	}
	return best
}

// hitsPicks matches the patterns by which a search chooses files below a
// directory.
func (r *run) hitsPicks(p *permission, dir string) hit {
	best := noHit
	for _, pick := range r.picks {
		for _, at := range [2]string{shell.Abs(dir, pick), pick} {
			text := globText(at)
			switch {
			case r.hitsPath(p, text), r.hitsPath(p, strings.TrimPrefix(text, string(unknown)+string(unknown)+"/")):
				return fullHit
			case readonly.SpellsName(pick) && r.mayPath(p, at):
				best = maybeHit
			}
		}
	}
	return best
}

// hitsLine matches the commands of a shell line; the strictest match counts.
func (r *run) hitsLine(p *permission) (best hit, where *shell.Span) {
	if p.all {
		return fullHit, nil
	}
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		h := r.hitsCommand(p, c)
		if h == noHit && c.Opaque != "" && !p.glob.wild {
			h = maybeHit // what it runs may match
		}
		if h > best {
			span := c.Span
			best, where = h, &span
		}
		if best == fullHit {
			break
		}
	}
	return best, where
}

func (r *run) hitsCommand(p *permission, c *shell.Command) hit {
	if len(c.Words) == 0 || c.Function {
		return noHit
	}
	h := r.hitsTarget(&p.target, c)
	if h == noHit {
		return noHit
	}
	for i := range p.except {
		if p.except[i].glob.coversCommand(r, c) {
			return noHit
		}
	}
	return h
}

// A commandText is the text of a command of which every word is known, made
// when it is first compared.
type commandText struct {
	command *shell.Command
	known   bool
	program int    // the length of the program's name
	text    string // the program by its base name, and the arguments
	bare    string // without global options, "" if there are none
	views   [views]*shell.Command
}

// text returns the text of a command, kept for the permissions that follow.
func (r *run) text(c *shell.Command) *commandText {
	for i := range r.texts {
		switch t := &r.texts[i]; t.command {
		case c:
			return t
		case nil:
			t.fill(c)
			return t
		}
	}
	t := new(commandText)
	t.fill(c)
	return t
}

func (t *commandText) fill(c *shell.Command) {
	*t = commandText{command: c, known: c.Name != "", program: len(c.Name)}
	size := len(c.Name)
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if len(w.Values) != 1 || !w.Known() || w.Many {
			t.known = false
			return
		}
		size += 1 + len(w.Values[0])
	}
	if !t.known {
		return
	}
	t.text = joinWords(c.Name, c.Words[1:], size)
	if v := c.Args.Verb; v > 1 {
		t.bare = joinWords(c.Name, c.Words[v:], size)
	}
}

func joinWords(program string, words []shell.Word, size int) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(program)
	for i := range words {
		b.WriteByte(joint)
		b.WriteString(clean(words[i].Values[0]))
	}
	return b.String()
}

// hitsTarget compares every spelling of a command: the program by its base
// name and as written, with and without its global options.
func (r *run) hitsTarget(t *target, c *shell.Command) hit {
	if h := t.program.head; h != "" && c.Name != "" && c.Name != h && !strings.EqualFold(c.Path, h) && !strings.Contains(h, "/") {
		return noHit
	}
	best := r.hitsSpelling(t, c)
	last := forDeny
	if t.rooted {
		last = absolute
	}
	for v := forDeny; v <= last && best != fullHit; v++ {
		if there := r.resolved(c, v); there != c {
			best = max(best, r.hitsSpelling(t, there))
		}
	}
	return best
}

// hitsSpelling is hitsTarget for a command as its words are.
func (r *run) hitsSpelling(t *target, c *shell.Command) hit {
	program, asWritten := t.program.in(r.call.Home), t.glob.in(r.call.Home)
	if text := r.text(c); text.known {
		if program.matches(text.text) || text.bare != "" && program.matches(text.bare) ||
			c.Path != c.Name && asWritten.matches(c.Path+text.text[text.program:]) {
			return fullHit
		}
		return noHit
	}
	return hitsForms(program, asWritten, c)
}

// hitsForms is hitsTarget for commands with words that are not known.
func hitsForms(program, asWritten *glob, c *shell.Command) hit {
	best := noHit
	try := func(g *glob, program string, words []shell.Word) {
		unsure := forms(words, program, func(text string, known bool) bool {
			switch {
			case g.matches(text):
				best = fullHit // a star stands for whatever is not known
			case !known && (g.matches(strings.ReplaceAll(text, string(unknown), "")) || g.may(text)):
				best = max(best, maybeHit)
			}
			return best != fullHit
		})
		if unsure && !g.wild {
			best = max(best, maybeHit)
		}
	}
	if c.Name == "" {
		try(asWritten, "", c.Words)
		return best
	}
	tails := [2][]shell.Word{c.Words[1:], nil}
	if v := c.Args.Verb; v > 1 {
		tails[1] = c.Words[v:]
	}
	for i, tail := range tails {
		if i > 0 && tail == nil || best == fullHit {
			continue
		}
		try(program, c.Name+withJoint(tail), tail)
		if best != fullHit && c.Path != c.Name {
			try(asWritten, c.Path+withJoint(tail), tail)
		}
	}
	return best
}

func withJoint(tail []shell.Word) string {
	if len(tail) == 0 {
		return ""
	}
	return string(joint)
}

// hitsEffects applies a permission about files to what a line reads or writes.
func (r *run) hitsEffects(p *permission) (best hit, where *shell.Span) {
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if c.Context != shell.Local {
			continue
		}
		c.Effects(func(e shell.Effect) bool {
			if !p.tool.touches(e.Kind) {
				return true
			}
			h := r.hitsPaths(p, e.Dir, e.Target)
			if h == noHit && e.Recursive {
				h = r.hitsBelow(p, e)
			}
			if h > best {
				span := e.Span
				best, where = h, &span
			}
			return best != fullHit
		})
	}
	return best, where
}

// hitsBelow says whether a permission about files means all that lies below a
// directory, or some of it that a program may write.
func (r *run) hitsBelow(p *permission, e shell.Effect) hit {
	if e.Target.Glob {
		return noHit
	}
	best := noHit
	for _, at := range r.places(e.Dir, e.Target) {
		for _, path := range at.readings() {
			path = strings.TrimSuffix(path, "/") + "/"
			switch {
			case e.Spares != "" && strings.Contains("/"+p.glob.text+"/", "/"+e.Spares+"/"):
			case r.hitsPath(p, path+string(unknown)):
				return fullHit
			case e.Kind == shell.Writes && !p.glob.wild && r.mayPath(p, path+"*"):
				best = maybeHit
			}
		}
	}
	return best
}

// touches says whether a file tool does what an effect does.
func (t *Tool) touches(k shell.EffectKind) bool {
	switch k {
	case shell.Reads:
		return t.Kind == KindRead
	case shell.Writes, shell.Deletes, shell.Moves, shell.Alters:
		return t.Kind == KindWrite
	}
	return false
}

func (r *run) hitsPaths(p *permission, dir, s shell.Set) hit {
	if p.all {
		return fullHit
	}
	best := noHit
	if s.Glob {
		best = r.hitsGlob(p, dir, s)
	} else {
		for _, at := range r.places(dir, s) {
			if r.hitsPlace(p, &at) {
				return fullHit
			}
		}
	}
	if s.Open && !p.glob.wild {
		prefix := s.Prefix
		if r.mayPath(p, shell.Abs(first(dir), prefix)+"*") {
			best = max(best, maybeHit)
		}
	}
	return best
}

// hitsGlob matches the files that a pattern of the shell may name, and those
// to which links among them lead.
func (r *run) hitsGlob(p *permission, dir, s shell.Set) hit {
	reals, _ := r.linked(dir, s)
	for _, real := range reals {
		if r.hitsPath(p, real) {
			return fullHit
		}
	}
	for _, path := range shell.Paths(dir, s) {
		if r.mayPath(p, path) {
			return maybeHit
		}
	}
	return noHit
}

// hitsPlace matches a path as it is written and where it leads.
func (r *run) hitsPlace(p *permission, at *place) bool {
	return r.hitsPath(p, at.text) || at.real != at.text && r.hitsPath(p, at.real)
}

func first(s shell.Set) string {
	if len(s.Values) == 0 {
		return ""
	}
	return s.Values[0]
}

// hitsPath says whether a permission about files means a path.
func (r *run) hitsPath(p *permission, path string) bool {
	for i := range p.except {
		if r.pathMatches(&p.except[i].glob, path) {
			return false
		}
	}
	return r.pathMatches(&p.glob, path)
}

// pathMatches compares a path as it is, and as seen from the directories of
// the call and the project, for denying.
func (r *run) pathMatches(g *glob, path string) bool {
	same := loosely
	if r.foldsCase() {
		same = folding
	}
	pattern := g.in(r.call.Home)
	if pattern.matchesBy(path, same) {
		return true
	}
	for _, dir := range [2]string{r.call.Dir, r.call.ProjectDir} {
		if rel, ok := below(path, dir); ok && pattern.matchesBy(rel, same) {
			return true
		}
	}
	return false
}

// pathCovers compares a path as it is, and as seen from the project, for
// allowing.
func (r *run) pathCovers(g *glob, path string) bool {
	pattern := g.in(r.call.Home)
	if strings.HasPrefix(path, "/") || r.base() == "" {
		if pattern.matches(path) {
			return true
		}
	}
	rel, ok := below(path, r.base())
	return ok && pattern.matches(rel)
}

func (r *run) mayPath(p *permission, pattern string) bool {
	text := globText(pattern)
	g := p.glob.in(r.call.Home)
	same := loosely
	if r.foldsCase() {
		same = folding
	}
	if mayMatch(g.elem, []rune(text), same) {
		return true
	}
	// What a pattern stands for begins with no slash, so that a path below the
	// directory is no absolute one.
	for _, dir := range [2]string{r.call.Dir, r.call.ProjectDir} {
		if rel, ok := below(text, dir); ok && !g.isAbsolute() && mayMatch(g.elem, []rune(rel), same) {
			return true
		}
	}
	return false
}

func (g *glob) isAbsolute() bool { return len(g.elem) > 0 && g.elem[0] == globElem{kind: 'c', r: '/'} }

// globText turns a file name pattern into text with unknown parts.
func globText(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			if i++; i < len(p) {
				b.WriteByte(p[i])
			}
		case '*', '?', '[':
			b.WriteRune(unknown)
			if p[i] == '[' {
				if end := strings.IndexByte(p[i:], ']'); end > 0 {
					i += end
				}
			}
		default:
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

func expandHome(p, home string) string {
	if home == "" {
		home = shell.UnknownHome
	}
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok && (rest == "" || rest[0] == '/') {
			return home + rest
		}
	}
	return p
}

// hitsSubjects matches the subjects of a tool other than the shell.
func (r *run) hitsSubjects(p *permission) hit {
	if p.all {
		return fullHit
	}
	for _, s := range r.subjects {
		if r.tool.isFile() {
			at := r.subject(s)
			if r.hitsPlace(p, &at) || r.hitsPath(p, shell.Clean(s)) {
				return fullHit
			}
			continue
		}
		for _, reading := range r.readings(s) {
			if p.glob.matches(reading) && !excepted(p, s) {
				return fullHit
			}
		}
	}
	return noHit
}

// readings returns what programs may take a subject for, if it is a URL.
func (r *run) readings(s string) []string {
	if r.tool.Kind != KindFetch && !strings.Contains(s, "://") {
		return []string{s}
	}
	return weburl.Readings(s)
}

func excepted(p *permission, s string) bool {
	for i := range p.except {
		if p.except[i].glob.matches(s) {
			return true
		}
	}
	return false
}

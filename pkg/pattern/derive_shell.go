package pattern

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// line makes the records of a shell line.
func (d *deriving) line() {
	if d.in.Line.Problem != nil {
		r := d.record("shell.exec", "", "shell", "a line that cannot be read", -1)
		r.Facets["shell"] = map[string]any{"line": d.in.Line.Source}
		r.Unknown = append(r.Unknown, "summary", "verb", "sensitivity", "shell.program", "shell.argv", "shell.command", "shell.dir",
			"shell.context", "shell.writes", "shell.reads", "shell.hosts")
		r.hideSecondary()
		return
	}
	for i := range d.in.Line.Commands {
		d.command(i)
	}
}

// hideSecondary notes that the facets which a command may have beside that of
// the shell are not known.
func (r *Record) hideSecondary() {
	r.Unknown = append(r.Unknown, "file", "http", "ssh", "sql", "k8s")
}

// command makes the records of one simple command.
func (d *deriving) command(i int) {
	c := &d.in.Line.Commands[i]
	base := d.shellFacet(c)
	sensitivity := Mutate
	if d.needs&needSensitivity != 0 {
		sensitivity = d.sensitivity(i)
	}
	for _, extra := range d.combine(d.secondary(c)) {
		verb, known := verbOf(c)
		text, whole := base.fields["command"].(string)
		r := d.record("shell.exec", verb, "shell", text, i)
		if !whole {
			r.Unknown = append(r.Unknown, "summary")
		}
		r.Sensitivity = sensitivity
		r.attach(base)
		if !known {
			r.Unknown = append(r.Unknown, "verb")
		}
		for _, f := range extra {
			r.attach(f)
		}
	}
	if c.Opaque != "" {
		d.opaque(i)
	}
}

// opaque makes the record of what a command runs and nobody knows.
func (d *deriving) opaque(i int) {
	r := d.record("shell.exec", "", "shell", "what is not known", i)
	r.Facets["shell"] = map[string]any{"line": d.in.Line.Source}
	r.Unknown = append(r.Unknown, "summary", "verb", "sensitivity", "shell.program", "shell.argv", "shell.command", "shell.dir",
		"shell.context", "shell.writes", "shell.reads", "shell.hosts")
	r.hideSecondary()
}

// verbOf returns the sub-command of a command, or else its program. It is not
// known where a word that is not known may be the sub-command.
func verbOf(c *shell.Command) (verb string, known bool) {
	if c.Args.Sub != "" {
		return c.Args.Sub, true
	}
	if v := c.Args.Verb; v > 0 && v < len(c.Words) {
		text, ok := wordText(&c.Words[v])
		return text, ok
	}
	return c.Name, c.Name != "" || len(c.Words) == 0
}

// sensitivity says how much harm a command can do.
func (d *deriving) sensitivity(i int) Sensitivity {
	switch {
	case d.in.ReadsOnly(i):
		return Read
	case d.in.Destroys(i):
		return Destructive
	}
	c := &d.in.Line.Commands[i]
	worst := Read
	c.Effects(func(e shell.Effect) bool {
		switch e.Kind {
		case shell.Writes:
			worst = min(worst, Write)
		case shell.Deletes, shell.Moves, shell.Alters, shell.Runs, shell.Connects:
			worst = Mutate
		}
		return worst != Mutate
	})
	if worst == Write && c.Opaque == "" && c.Doubt == "" {
		return Write
	}
	return Mutate
}

// shellFacet describes a command itself.
func (d *deriving) shellFacet(c *shell.Command) facet {
	f := facet{name: "shell", fields: map[string]any{
		"program": c.Name, "context": c.Context.String(), "line": d.in.Line.Source,
	}}
	if len(c.Words) > 0 && c.Name == "" {
		f.hide("program")
	}
	if dir, ok := c.Dir.Literal(); ok && strings.HasPrefix(dir, "/") {
		f.fields["dir"] = dir
	} else {
		f.hide("dir")
	}
	f.words(c)
	if d.needs&needPaths != 0 {
		f.paths(c, "writes", changes)
		f.paths(c, "reads", func(k shell.EffectKind) bool { return k == shell.Reads })
	}
	if d.needs&needHosts != 0 {
		f.hosts(c)
	}
	return f
}

// words adds argv and command.
func (f *facet) words(c *shell.Command) {
	argv := make([]string, len(c.Words))
	open := false
	for i := range c.Words {
		text, ok := wordText(&c.Words[i])
		if !ok {
			text, open = shell.UnknownText, true
			f.unknown = append(f.unknown, element("shell.argv", i))
		}
		argv[i] = text
	}
	f.fields["argv"] = argv
	if open {
		f.hide("command")
		return
	}
	f.fields["command"] = commandText(c, argv)
}

// commandText joins the words of a command. A program that is given by an
// absolute path stands there by its base name, as for the field program.
func commandText(c *shell.Command, argv []string) string {
	if len(argv) == 0 || !strings.HasPrefix(argv[0], "/") {
		return strings.Join(argv, " ")
	}
	return strings.Join(append([]string{c.Name}, argv[1:]...), " ")
}

// wordText returns the text of a word that is one argument of one value.
func wordText(w *shell.Word) (string, bool) {
	text, ok := w.Literal()
	return text, ok && !w.Many
}

// changes says whether an effect changes what it is about.
func changes(k shell.EffectKind) bool {
	return k == shell.Writes || k == shell.Deletes || k == shell.Moves || k == shell.Alters
}

// paths adds the paths of some effects. Those within a container or on another
// host are none of this machine.
func (f *facet) paths(c *shell.Command, field string, of func(shell.EffectKind) bool) {
	out := []string{}
	if c.Context != shell.Local {
		f.fields[field] = out
		return
	}
	unlisted := (c.Args.Unlisted || c.Args.Open) && c.MayChange()
	c.Effects(func(e shell.Effect) bool {
		if !of(e.Kind) {
			return true
		}
		if !knownPaths(c, e.Target) {
			f.unknown = append(f.unknown, element("shell."+field, len(out)))
			out = append(out, shell.UnknownText)
			return true
		}
		out = append(out, shell.Paths(c.Dir, e.Target)...)
		return true
	})
	f.fields[field] = out
	if unlisted {
		f.hide(field)
	}
}

// knownPaths says whether the paths of an effect are known and absolute.
func knownPaths(c *shell.Command, target shell.Set) bool {
	if !target.Known() {
		return false
	}
	for _, p := range target.Values {
		if !strings.HasPrefix(p, "/") && (len(c.Dir.Values) == 0 || c.Dir.Open || c.Dir.Glob || !strings.HasPrefix(c.Dir.Values[0], "/")) {
			return false
		}
	}
	return true
}

// hosts adds the hosts that the words name.
func (f *facet) hosts(c *shell.Command) {
	l := hostList{facet: f, names: []string{}}
	c.Effects(func(e shell.Effect) bool {
		if e.Kind == shell.Connects {
			l.target(c, e.Target)
		}
		return true
	})
	for i := range c.Words {
		l.word(c, &c.Words[i])
	}
	f.fields["hosts"] = l.names
}

// A hostList collects the hosts of a command.
type hostList struct {
	*facet
	names []string
}

func (l *hostList) add(host string, known bool) {
	if !known {
		l.unknown = append(l.unknown, element("shell.hosts", len(l.names)))
		host = shell.UnknownText
	}
	l.names = append(l.names, host)
}

// target adds what the grammar says is a host. URLs are found among the words.
func (l *hostList) target(c *shell.Command, s shell.Set) {
	if hasURL(s.Prefix) {
		return
	}
	if !s.Known() {
		l.add("", false)
		return
	}
	for _, v := range s.Values {
		switch {
		case hasURL(v):
		case c.Name == "git" && !strings.Contains(v, ":"):
			l.add("", false) // the name of a remote
		default:
			l.add(hostOf(v))
		}
	}
}

// word adds the hosts of URLs, and of HOST:PATH for programs that copy.
func (l *hostList) word(c *shell.Command, w *shell.Word) {
	if prefix, ok := knownHost(w); ok {
		l.add(hostOf(prefix))
		return
	}
	for _, v := range w.Values {
		if at := strings.Index(v, "://"); at > 0 {
			l.add(hostOf(v[schemeStart(v, at):]))
		} else if host, _, ok := strings.Cut(v, ":"); ok && copies(c) && !strings.ContainsAny(host, "/=") && !strings.HasPrefix(v, "-") {
			l.add(hostOf(v))
		}
	}
	if w.Open && hasURL(w.Prefix) {
		l.add("", false)
	}
}

func copies(c *shell.Command) bool { return c.Name == "scp" || c.Name == "rsync" || c.Name == "sftp" }

func hasURL(text string) bool { return strings.Contains(text, "://") }

// knownHost returns the beginning of a word that is a URL of which the host is
// written out, and what follows is not known.
func knownHost(w *shell.Word) (prefix string, ok bool) {
	if _, known := wordText(w); known {
		return "", false
	}
	_, rest, found := strings.Cut(w.Prefix, "://")
	return w.Prefix, found && strings.ContainsAny(rest, "/?#") && !w.Has("")
}

// schemeStart returns where the scheme before "://" begins, as in
// --url=https://example.com.
func schemeStart(text string, at int) int {
	i := at
	for i > 0 && isAlnum(text[i-1]) {
		i--
	}
	return i
}

func isAlnum(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '+' || b == '-' || b == '.'
}

package record

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// hosts adds the hosts that the words name.
func (f *facet) hosts(c *command.Command) {
	l := hostList{facet: f, names: []string{}}
	connects := false
	c.Effects(func(e command.Effect) bool {
		if e.Kind == command.Connects {
			connects = true
			l.target(c, e.Target)
		}
		return true
	})
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Reads() || r.Writes() {
			l.device(&r.Target)
		}
	}
	if connectsElsewhere(c) {
		l.add("", false)
	}
	if connects && (c.Args.Unlisted || c.Args.Open) {
		l.shifted(c)
	}
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
func (l *hostList) target(c *command.Command, s shell.Set) {
	if hasURL(s.Prefix) {
		return
	}
	if host, _, ok := strings.Cut(s.Prefix, ":"); s.Open && ok && isCopier(c) {
		l.add(HostOf(host + ":"))
	} else if s.Open || len(s.Values) == 0 || s.Glob && !isCopier(c) {
		l.add("", false)
		return
	}
	for _, v := range s.Values {
		switch {
		case hasURL(v):
		case c.How("speaks") == "git" && !strings.Contains(v, ":"):
			l.add("", false) // the name of a remote
		case c.How("relays") == "addresses":
			l.address(v)
		default:
			l.add(HostOf(v))
		}
	}
}

// device adds the host of a redirection to /dev/tcp/HOST/PORT, as bash reads
// it.
func (l *hostList) device(w *shell.Word) {
	values := w.Values
	if w.Open {
		values = append(values[:len(values):len(values)], w.Prefix)
	}
	for _, v := range values {
		rest, ok := strings.CutPrefix(v, "/dev/tcp/")
		if !ok {
			rest, ok = strings.CutPrefix(v, "/dev/udp/")
		}
		if ok {
			host, _, _ := strings.Cut(rest, "/")
			name, known := hostName(host)
			l.add(name, known && !w.Open)
		}
	}
}

// shifted adds the operands that are hosts where an option that is unknown
// takes the word before them.
func (l *hostList) shifted(c *command.Command) {
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleData || o.Role == program.RoleJoined {
			l.target(c, c.Words[o.At].Set)
		}
	}
}

// address adds the host of an address of socat, such as TCP:HOST:PORT. Of
// addresses of other types it is unknown whether they have one.
func (l *hostList) address(text string) {
	kind, rest, _ := strings.Cut(text, ":")
	kind, _, _ = strings.Cut(strings.ToUpper(kind), ",")
	switch kind {
	case "-", "STDIO", "STDIN", "STDOUT", "FILE", "OPEN", "CREATE", "PIPE", "PTY":
		if !strings.Contains(text, "!!") { // two addresses
			return
		}
	case "TCP", "TCP4", "TCP6", "TCP-CONNECT", "UDP", "UDP4", "UDP6", "UDP-CONNECT", "SSL", "OPENSSL", "OPENSSL-CONNECT":
		if !strings.Contains(text, "!!") {
			l.add(HostOf(rest))
			return
		}
	}
	l.add("", false)
}

// word adds the hosts of URLs, and of HOST:PATH for sftp, which has no grammar.
func (l *hostList) word(c *command.Command, w *shell.Word) {
	if prefix, ok := knownHost(w); ok {
		l.add(HostOf(prefix))
		return
	}
	for _, v := range w.Values {
		if at := strings.Index(v, "://"); at > 0 {
			l.add(HostOf(v[schemeStart(v, at):]))
		} else if host, _, ok := strings.Cut(v, ":"); ok && c.How("transfers") == "batch" && !strings.ContainsAny(host, "/=") && !strings.HasPrefix(v, "-") {
			l.add(HostOf(v))
		}
	}
	if w.Open && hasURL(w.Prefix) {
		l.add("", false)
	}
}

// isCopier reports whether HOST:PATH names a host for a program with a grammar.
func isCopier(c *command.Command) bool {
	return c.Is(func(p *program.Program) bool { return p.Into && p.Away })
}

func hasURL(text string) bool { return strings.Contains(text, "://") }

// knownHost returns the beginning of a word that is a URL of which the host is
// written out, and what follows is unknown.
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

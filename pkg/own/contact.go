package own

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Contact returns what command i of a line does with the service of the
// machine. The span is that of the command.
func (s *State) Contact(line *eval.Line, i int) Use {
	if s == nil || len(s.addresses) == 0 {
		return None
	}
	c := &line.Commands[i]
	if len(c.Words) == 0 && len(c.Redirects) == 0 || c.Function {
		return None
	}
	use := None
	for k := range s.addresses {
		use = max(use, s.addresses[k].contact(line, i))
	}
	if use == Unclear && c.Does("probes") {
		return Ordinary // it only looks whether somebody listens
	}
	return use
}

// Request returns what a request to a URL is to the service; an empty method is
// one that is unknown.
func (s *State) Request(method, url string) Use {
	use := None
	if s != nil {
		for k := range s.addresses {
			use = max(use, s.addresses[k].inWord(url, method))
		}
	}
	return use
}

// contact is [State.Contact] for one address.
func (a *address) contact(line *eval.Line, i int) Use {
	c := &line.Commands[i]
	if a.dials(c) {
		return a.raw(line, c)
	}
	if len(c.Words) == 0 || !isClient(c) || c.Name == self {
		return None
	}
	use := None
	m := methodOf(c)
	loose := false // an address that is not that of a URL
	for text := range texts(line, c) {
		found, rest := a.inText(text, m)
		use = max(use, found)
		loose = loose || rest
	}
	for k := range c.Words[1:] {
		for _, v := range c.Words[k+1].Values {
			loose = loose || a.inWord(v, "GET") == Unclear && a.isRoot(v) // of a proxy
		}
		if w := &c.Words[k+1]; w.Open {
			use = max(use, a.opens(w, m))
		}
	}
	if loose || a.splits(c) {
		return max(use, a.raw(line, c))
	}
	return use
}

// isClient reports whether a command may open a connection to what its words
// name: interpreters may, and programs that nobody knows.
func isClient(c *command.Command) bool {
	if program.OfKind(c.Name, "completes") {
		return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return slices.ContainsFunc(w.Values, startsClient) })
	}
	if connects(c) || c.Is(func(p *program.Program) bool { return program.HasWord(p.Hands, c.Args.Sub) }) || c.Args.Program == nil || c.Args.Program.Input == program.RoleCode {
		return true
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleHost || o.Role == program.RoleCode {
			return true
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleCode {
			return true
		}
	}
	return false
}

// connects reports whether a command talks to other hosts.
func connects(c *command.Command) bool {
	p, sub := c.Row(), c.Args.Sub
	if sub == "" && len(c.Words) > 1 {
		sub, _ = c.Words[1].Literal()
	}
	return p != nil && p.Connects(sub)
}

func startsClient(name string) bool {
	return program.Has(name, func(p *program.Program) bool { return p.Network != "" || p.Client.Remote() })
}

// texts yields the texts that a command goes by: its words, its input and what
// it runs.
func texts(line *eval.Line, c *command.Command) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range c.Words[1:] {
			for _, v := range c.Words[k+1].Values {
				if !yield(v) {
					return
				}
			}
		}
		for _, set := range [2]*shell.Set{c.Script, c.Input} {
			if set != nil && !all(set.Values, yield) {
				return
			}
		}
		if c.Source >= 0 && onlyPrints(&line.Commands[c.Source]) {
			for k := range line.Commands[c.Source].Words[1:] {
				if !all(line.Commands[c.Source].Words[k+1].Values, yield) {
					return
				}
			}
		}
	}
}

func all(values []string, yield func(string) bool) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !yield(v) })
}

// inText returns the strictest use of the URLs in a text that lead to the
// address, and whether it names the address otherwise.
func (a *address) inText(text, method string) (use Use, loose bool) {
	if a.socket != "" {
		return None, named(text, a.socket)
	}
	if !strings.ContainsAny(text, " \n\"'`(,=;") {
		return a.inWord(text, method), false
	}
	if !a.mayBeIn(text) {
		return None, false
	}
	rest := text
	for url := range urls(text) {
		found := a.inWord(url, "")
		use = max(use, found)
		if found == None && strings.Contains(url, "://") {
			rest = strings.ReplaceAll(rest, url, "") // of another host
		}
		if found == Unclear && (method != "" || !isQuoted(text)) {
			use = max(use, a.inWord(url, method))
		}
	}
	return use, use == None && !a.standard() && hasNumber(rest, a.port) && spellsConnection(rest) || use != None && spellsJoined(text)
}

// spellsConnection reports whether a text speaks of a connection, or of a route.
func spellsConnection(text string) bool {
	lower := strings.ToLower(text)
	return spellsDeciding(lower) || slices.ContainsFunc([]string{"localhost", "127.", "::1", "connect", "socket", "http", "request", "inet", "url"}, func(w string) bool { return strings.Contains(lower, w) })
}

// isQuoted reports whether a text is written in a language with quotes.
func isQuoted(text string) bool { return strings.ContainsAny(text, "\"'`") }

// spellsJoined reports whether a text joins a path to a URL of its own.
func spellsJoined(text string) bool {
	return spellsDeciding(text) && (strings.Contains(text, "+") || strings.Contains(text, "${") || strings.Contains(text, "format") || strings.Contains(text, "join") || strings.Contains(text, "{"))
}

// inWord returns the use of a word as a URL, or as NAME=URL or @URL.
func (a *address) inWord(word, method string) Use {
	if a.socket != "" || !a.mayBeIn(word) {
		return None
	}
	use := None
	for _, t := range targets(word) {
		if path, ok := a.at(&t); ok {
			if method == "" && strings.HasPrefix(word, "http") && path == t.path {
				use = max(use, a.useOf("", path))
				continue
			}
			use = max(use, a.useOf(method, path))
		}
	}
	return use
}

// isRoot reports whether a URL that leads to the address names no path.
func (a *address) isRoot(word string) bool {
	for _, t := range targets(word) {
		if path, ok := a.at(&t); ok && strings.Trim(path, "/") == "" {
			return true
		}
	}
	return false
}

// standard reports whether the port is one that URLs leave out.
func (a *address) standard() bool { return a.port == "80" || a.port == "443" }

// mayBeIn reports whether a text may name the address: a quick look.
func (a *address) mayBeIn(text string) bool { return a.standard() || strings.Contains(text, a.port) }

// useOf is [UseOf] for the root, too, at which nothing lies.
func (a *address) useOf(method, path string) Use {
	if strings.Trim(path, "/") == "" {
		return Unclear
	}
	return UseOf(method, path)
}

// urls yields what may be a URL in a text of several words.
func urls(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`()<>,;|", r) }) {
			if i := strings.Index(word, "://"); i > 0 {
				for i > 0 && isNameByte(word[i-1]) {
					i--
				}
				word = word[i:]
			} else if !strings.ContainsAny(word, ":") {
				continue
			}
			if !yield(word) {
				return
			}
		}
	}
}

// hasNumber reports whether a number stands in a text on its own.
func hasNumber(text, number string) bool { return alone(text, number, isDigit, isDigit) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// opens returns the use of a word of which a part is unknown: what stands in
// its place is taken for one element of a path.
func (a *address) opens(w *shell.Word, method string) Use {
	use := None
	for _, known := range [2]string{w.Prefix, w.Partial} {
		if known == "" || a.socket != "" {
			continue
		}
		for _, t := range targets(strings.ReplaceAll(known, shell.UnknownText, unknownElement)) {
			if strings.Contains(t.host, unknownElement) {
				if t.host == unknownElement && strings.HasSuffix(t.path, "/decision") && UseOf("", t.path) == Decides {
					use = max(use, Unclear) // hardly another service has such a path
				}
				if t.port == a.port {
					t.host = a.host // it may be this one
				}
			}
			path, ok := a.at(&t)
			if !ok {
				continue
			}
			switch found := a.useOf(method, path); {
			case found == Ordinary && method != "GET":
				use = max(use, Unclear) // it may be more than one element
			case known == w.Prefix && found == Decides:
				use = max(use, Unclear)
			default:
				use = max(use, found)
			}
		}
	}
	return use
}

// unknownElement stands for a part of a word that is unknown.
const unknownElement = "unknown-0"

// splits reports whether two words of a command are the host and the port.
func (a *address) splits(c *command.Command) bool {
	for k := 1; k+1 < len(c.Words) && a.socket == ""; k++ {
		host, _ := c.Words[k].Literal()
		if c.Words[k+1].Has(a.port) && host != "" && hostOf(host) == a.host && (a.host != "" || command.IsLoopback(host) || command.IsLoopback(plainHost(host))) {
			return true
		}
	}
	return a.named(c)
}

func plainHost(host string) string {
	for _, t := range targets(host) {
		if t.host == "" {
			return "localhost"
		}
	}
	return host
}

// named reports whether a word of a client that is no URL holds HOST:PORT, as
// addresses of socat and forwardings of ssh do, or PORT:HOST, as --resolve of
// curl does.
func (a *address) named(c *command.Command) bool {
	for k := range c.Words[1:] {
		for _, v := range c.Words[k+1].Values {
			if a.socket != "" && named(v, a.socket) {
				return true
			}
			end := strings.LastIndex(v, ":"+a.port)
			if a.socket != "" || end < 0 || !endsNumber(v[end+1+len(a.port):]) || a.inWord(v, "") != None {
				continue
			}
			if end > 0 && hostEnds(v[:end], a.host) || hostEnds(strings.TrimPrefix(v[end+1+len(a.port):], ":"), a.host) {
				return true
			}
		}
	}
	return false
}

func endsNumber(rest string) bool { return rest == "" || !isDigit(rest[0]) }

// hostEnds reports whether a text ends with a host.
func hostEnds(text, host string) bool {
	text = text[strings.LastIndexAny(text, ":/,=@ ")+1:]
	return text != "" && hostOf(text) == host && (host != "" || command.IsLoopback(plainHost(text)) || command.IsLoopback(text))
}

// dials reports whether a command opens a connection by a redirection of bash.
func (a *address) dials(c *command.Command) bool {
	for k := range c.Redirects {
		for _, v := range c.Redirects[k].Target.Values {
			rest, ok := strings.CutPrefix(v, "/dev/tcp/")
			host, port, _ := strings.Cut(rest, "/")
			if ok && a.socket == "" && port == a.port && hostOf(host) == a.host {
				return true
			}
		}
	}
	return false
}

// raw returns the use of a connection whose requests some text of the line
// spells.
func (a *address) raw(line *eval.Line, c *command.Command) Use {
	for text := range texts(line, c) {
		if spellsDeciding(text) {
			return Decides
		}
	}
	for k := range line.Commands {
		w := &line.Commands[k]
		if !onlyPrints(w) && w.How("passes") != "all" && w.Input == nil {
			continue
		}
		for text := range texts(line, w) {
			if spellsDeciding(text) {
				return Decides
			}
		}
	}
	return Unclear
}

package record

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// fetch makes a record for each URL of a tool that fetches.
func (d *recordMaker) fetch() {
	input := d.in.Call.Input
	method, known := "GET", true
	switch m := input["method"].(type) {
	case nil:
		known = input["body"] == nil
	case string:
		method = strings.ToUpper(m)
	default:
		known = false
	}
	urls := d.in.Subjects
	if len(urls) == 0 {
		urls = []string{""}
	}
	for _, u := range urls {
		f := urlFacet(u)
		f.fields["method"] = method
		if !known {
			f.hide("method")
		}
		f.message(input)
		r := d.record("http.request", method, "http", strings.TrimSpace(method+" "+u), -1)
		r.Sensitivity = methodSensitivity(method)
		if !known {
			r.Unknown = append(r.Unknown, "verb", "sensitivity")
		}
		r.attach(f)
	}
}

// message adds the headers and the body that a tool is given.
func (f *facet) message(input map[string]any) {
	if body, ok := input["body"]; ok {
		f.fields["body"] = body
	}
	switch h := input["headers"].(type) {
	case nil:
	case map[string]any:
		headers := make(map[string]any, len(h))
		for k, v := range h {
			headers[strings.ToLower(k)] = v
		}
		f.fields["headers"] = headers
	default:
		f.hide("headers")
	}
}

// methodSensitivity says how much harm a request can do.
func methodSensitivity(method string) Sensitivity {
	switch method {
	case "GET", "HEAD", "OPTIONS":
		return Read
	case "POST":
		return Write
	}
	return Mutate
}

// defaultPorts are the ports of schemes.
var defaultPorts = map[string]float64{"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}

// urlFacet describes a URL. What programs read in different ways is not
// known.
func urlFacet(text string) facet {
	f := facet{name: "http", fields: map[string]any{"url": text}}
	u, ok := parseURL(text)
	if !ok {
		f.hide("scheme", "host", "port", "path", "query")
		return f
	}
	f.fields["scheme"] = u.Scheme
	f.fields["host"], ok = hostName(u.Hostname())
	if !ok {
		f.hide("host")
	}
	if port, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		f.fields["port"] = float64(port)
	} else if port, ok := defaultPorts[u.Scheme]; ok && u.Port() == "" {
		f.fields["port"] = port
	} else {
		f.hide("port")
	}
	f.fields["path"] = u.Path
	if u.Path == "" {
		f.fields["path"] = "/"
	}
	if strings.Contains(u.Path, "/.") || strings.Contains(u.Path, "//") || strings.Contains(u.Path, `\`) {
		f.hide("path") // servers and clients disagree about what it names
	}
	if u.RawQuery != "" {
		f.fields["query"] = u.RawQuery
	}
	return f
}

// parseURL reads an absolute URL; one without a scheme is of http, as for
// curl.
func parseURL(text string) (*url.URL, bool) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || strings.ContainsAny(text, "\\\t\n\r ") {
		return nil, false
	}
	return u, true
}

// hostName returns a host in the form in which rules name it. A host that is
// not ASCII, or a number that some programs take for an address, is unknown.
func hostName(host string) (string, bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || strings.ContainsAny(host, "%{}[]*?") && !strings.Contains(host, ":") {
		return host, false
	}
	for i := range len(host) {
		if host[i] >= 0x80 {
			return host, false
		}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().String(), true
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || '0' <= last[0] && last[0] <= '9' {
		return host, false
	}
	return host, true
}

// HostOf returns the host of a URL, of HOST:PATH or of USER@HOST.
func HostOf(text string) (string, bool) {
	if strings.Contains(text, "://") {
		u, ok := parseURL(text)
		if !ok {
			return "", false
		}
		return hostName(u.Hostname())
	}
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = text[at+1:]
	}
	if strings.HasPrefix(text, "[") {
		host, _, _ := strings.Cut(text[1:], "]")
		return hostName(host)
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap().String(), true
	}
	if end := strings.IndexAny(text, ":/?#"); end >= 0 {
		text = text[:end]
	}
	return hostName(text)
}

// httpFacets describes the requests that curl and wget are told to make; those
// of other clients are unknown. Where a server then sends them is not a part
// of the call.
func httpFacets(c *command.Command) []facet {
	if kind := clientOf(c); kind == program.HTTP || kind == program.HTTPie {
		return []facet{hidden("http")}
	}
	if c.How("web") == "" || c.Args.Has("help", "version") {
		return nil
	}
	r := requests{c: c, all: !c.Args.Unlisted && !c.Args.Open}
	r.method, r.methodKnown = methodOf(c)
	for _, o := range c.Args.Operands {
		r.add(&c.Words[o.At])
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Is("url") {
			r.add(&o.Arg)
		}
	}
	if !r.all || len(r.found) == 0 || redirected(c) {
		r.found = append(r.found, hidden("http"))
	}
	return r.found
}

// requests collects the requests of one command.
type requests struct {
	c           *command.Command
	method      string
	methodKnown bool
	found       []facet
	// all says that there are no others.
	all bool
}

// add adds the request for a URL, of which the host at least must be known.
func (r *requests) add(w *shell.Word) {
	text, known := wordText(w)
	if !known {
		var ok bool
		if text, ok = knownHost(w); !ok || w.Open && w.Many {
			r.all = false
		}
		if !ok {
			return
		}
	}
	f := urlFacet(text)
	if !known {
		f.hide("url", "path", "query")
	}
	if r.c.How("web") == "curl" && !r.c.Args.Has("g") && isURLGlob(text) {
		f.hide("url", "host", "path", "query", "port", "scheme") // curl makes several of it
	}
	f.fields["method"] = r.method
	if !r.methodKnown {
		f.hide("method")
	}
	if r.sendsBody() {
		f.hide("body")
	}
	f.hide("headers")
	r.found = append(r.found, f)
}

// isURLGlob reports whether curl makes several URLs of one. The brackets of an IPv6
// address are none of a glob.
func isURLGlob(text string) bool {
	if begin, rest, ok := strings.Cut(text, "["); ok {
		addr, end, _ := strings.Cut(rest, "]")
		if _, err := netip.ParseAddr(addr); err == nil && (begin == "" || strings.HasSuffix(begin, "/") || strings.HasSuffix(begin, "@")) {
			text = begin + end
		}
	}
	return strings.ContainsAny(text, "{}[]")
}

// bodyOptions are the options by which a request has a body, or may have one.
var bodyOptions = []string{"d", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form-string", "T", "K", "post-data", "post-file", "body-data", "body-file", "e"}

// sendsBody reports whether a request may have a body.
func (r *requests) sendsBody() bool {
	return r.c.Args.Unlisted || r.c.Args.Open || r.c.Args.Has(bodyOptions...)
}

// redirected reports whether an option makes a request go elsewhere than its URL
// says, or names requests in a file.
func redirected(c *command.Command) bool {
	if c.How("web") == "curl" {
		return c.Args.Has("K", "resolve", "connect-to", "unix-socket", "Q", "x")
	}
	return c.Args.Has("i", "e", "r", "m", "p", "use-askpass")
}

// methodOf returns the method of a request, and whether it is known.
func methodOf(c *command.Command) (method string, known bool) {
	for _, name := range []string{"X", "method"} {
		if o := c.Args.Option(name); o != nil {
			text, ok := wordText(&o.Arg)
			return strings.ToUpper(text), ok && !twice(c, name)
		}
	}
	if c.How("web") == "wget" {
		switch {
		case c.Args.Has("post-data", "post-file"):
			return "POST", true
		case c.Args.Has("spider"):
			return "HEAD", false // it falls back to GET
		}
		return "GET", !c.Args.Has("body-data", "body-file")
	}
	switch {
	case c.Args.Has("I"):
		return "HEAD", true
	case c.Args.Has("T"):
		return "PUT", true
	case c.Args.Has("G"):
		return "GET", true
	case c.Args.Has("d", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form-string"):
		return "POST", true
	}
	return "GET", true
}

// twice reports whether an option is given more than once.
func twice(c *command.Command, name string) bool {
	n := 0
	for i := range c.Args.Options {
		if c.Args.Options[i].Is(name) {
			n++
		}
	}
	return n > 1
}

package dangerous

import (
	"net/url"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sql"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// storePorts are the ports on which data stores and the interfaces of
// clusters listen unless told otherwise. What listens on others of this
// machine is taken for the program that is being written.
const storePorts = "9200 9201 9300 5984 6984 8983 6333 2379 4001 8500 8501 9000 6443 16443 8001 8123 8086 9090 7700 8108 8200 15672 4646 3100 7474 19530 8529 8091"

// storePaths are parts of paths under which data stores delete, whatever the
// method.
var storePaths = contains("/_delete_by_query", "/_close", "/_purge", "/points/delete", "/kv/deleterange", "/tsdb/delete_series", "/documents/delete", "/api/v2/delete", "/collections/drop",
	"/partitions/drop", "/databases/drop", "/agent/force-leave/", "/containers/prune", "/volumes/prune", "/images/prune", "/networks/prune", "/admin/collections?action=DELETE", "/admin/cores?action=UNLOAD")

// An httpCall is what a client on the command line asks of a server. The
// texts are those that are known; ${__} stands for the rest.
type httpCall struct {
	deletes bool
	urls    []string
	bodies  []string
	socket  bool // it goes to the socket of a daemon
}

func deletesOverHTTP(s *hazard.Scene, c *cmd) (span, bool) {
	if c.Function || asksHelp(c) {
		return span{}, false
	}
	var h httpCall
	switch web := c.How("web"); {
	case web == "wget":
		h = wgetCall(c)
	case web != "":
		h = curlCall(c)
	case c.Is(program.IsHTTPie):
		h = httpieCall(c)
	default:
		return c.Span, deletesInCode(c)
	}
	return c.Span, h.harms()
}

func (h *httpCall) harms() bool {
	solr := false
	for _, u := range h.urls {
		if h.deletes && (h.socket || !isOwnApp(u)) || storePaths(u) || dropsInQuery(u) {
			return true
		}
		solr = solr || strings.Contains(u, "/solr/")
	}
	for _, b := range h.bodies {
		if drops(b) || solr && contains("<delete>", `"delete"`)(b) || contains("detach delete")(strings.ToLower(b)) {
			return true
		}
	}
	return false
}

func curlCall(c *cmd) httpCall {
	var h httpCall
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		v := known(&o.Arg)
		switch {
		case !o.HasArg:
		case o.Is("request"):
			h.deletes = h.deletes || isDelete(v)
		case o.Is("header"):
			h.deletes = h.deletes || overridesMethod(v)
		case o.Is("unix-socket"):
			h.socket = true
		case o.Is("url"):
			h.urls = append(h.urls, v)
		case o.Is("data") || o.Is("data-raw") || o.Is("data-binary") || o.Is("data-urlencode") || o.Is("json"):
			h.bodies = append(h.bodies, v)
		}
	}
	if c.Args.Program == nil {
		return httpieCall(c)
	}
	for _, o := range c.Args.Operands {
		h.urls = append(h.urls, known(&c.Words[o.At]))
	}
	return h
}

func wgetCall(c *cmd) httpCall {
	h := httpCall{deletes: optionIs("method", isDelete)(c)}
	for _, o := range c.Args.Operands {
		h.urls = append(h.urls, known(&c.Words[o.At]))
	}
	return h
}

// httpieCall reads words of which the first one that is a method comes before
// the URL.
func httpieCall(c *cmd) httpCall {
	var h httpCall
	for i := 1; i < len(c.Words); i++ {
		switch v := known(&c.Words[i]); {
		case isDelete(v):
			h.deletes = true
		case overridesMethod(v):
			h.deletes = true
		case v != "" && v[0] != '-' && (strings.ContainsAny(v, "/:.") || h.deletes):
			h.urls = append(h.urls, v)
			return h
		}
	}
	return h
}

// known returns what is known of the text of a word.
func known(w *word) string {
	switch {
	case len(w.Values) > 0:
		return w.Values[0]
	case w.Partial != "":
		return w.Partial
	}
	return w.Prefix
}

func isDelete(method string) bool { return strings.EqualFold(method, "DELETE") }

func overridesMethod(header string) bool {
	name, value, ok := strings.Cut(header, ":")
	return ok && strings.Contains(strings.ToLower(name), "method-override") && isDelete(strings.TrimSpace(value))
}

// isOwnApp reports whether a URL leads to this machine, and to no port of a
// data store there.
func isOwnApp(u string) bool {
	_, port, path := hostOf(u)
	return isLocal(u) && !program.HasWord(storePorts, port) && !strings.Contains(path, "/manifests/")
}

// isLocal reports whether a URL, or HOST:PORT, leads to this machine.
func isLocal(u string) bool {
	host, port, _ := hostOf(u)
	switch {
	case host == "" && port != "": // as httpie writes it
	case host == "localhost", host == "[::1]", host == "::1", host == "0.0.0.0", strings.HasPrefix(host, "127."):
	default:
		return false
	}
	return true
}

// hostOf returns the parts of a URL without its user.
func hostOf(u string) (host, port, path string) {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	authority, path, _ := strings.Cut(u, "/")
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") && host != "::1" {
		host, port = host[:i], host[i+1:]
	}
	return host, port, path
}

// dropsInQuery reports whether a parameter of a URL is a statement of SQL
// that drops or empties.
func dropsInQuery(u string) bool {
	_, query, ok := strings.Cut(u, "?")
	if !ok {
		return false
	}
	for pair := range strings.SplitSeq(query, "&") {
		_, value, _ := strings.Cut(pair, "=")
		if text, err := url.QueryUnescape(value); err == nil && drops(text) {
			return true
		}
	}
	return false
}

// drops reports whether a text, with NAME= before it or not, is SQL that
// drops or empties.
func drops(text string) bool {
	if name, value, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(name, " \t\n") {
		text = value
	}
	if !strings.ContainsAny(strings.TrimSpace(text), " \t\n") {
		return false // a word alone
	}
	for _, q := range sql.Queries(text) {
		if q.Verb == "DROP" || q.Verb == "TRUNCATE" || q.Verb == "DELETE" && q.From && !q.Where {
			return true
		}
	}
	return false
}

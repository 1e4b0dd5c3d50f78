// Package remote tells which commands only read a remote service that a person
// has named: a forge, a cluster, a registry, a server on this machine. They are
// not proved to read, since what a service does with a question is its own
// affair; the person declares it harmless.
package remote

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// Loopback names this machine, on any port, for reading; LoopbackAny for any
// method.
const (
	Loopback    = "loopback"
	LoopbackAny = "loopback-any"
)

// Services are what a person has named. The zero value is nothing.
type Services struct {
	names []string
	hosts []string
}

// Names returns the names of all services, beside hosts.
func Names() []string {
	out := []string{Loopback, LoopbackAny}
	for _, p := range program.All() {
		if p.Service != nil && p.Service.Name != "" {
			out = append(out, p.Service.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Parse reads names of services and hosts. A host is a name with a dot, or a
// name and a port.
func Parse(list []string) (Services, error) {
	var s Services
	for _, name := range list {
		switch {
		case slices.Contains(Names(), name):
			s.names = append(s.names, name)
		case strings.Contains(name, ".") && !strings.ContainsAny(name, "/ *@:"):
			s.hosts = append(s.hosts, strings.ToLower(name))
		default:
			return s, fmt.Errorf("unknown service %q: use %s, or a host such as api.example.com", name, strings.Join(Names(), ", "))
		}
	}
	return s, nil
}

// With returns what either of two names.
func (s Services) With(other Services) Services {
	return Services{append(slices.Clip(s.names), other.names...), append(slices.Clip(s.hosts), other.hosts...)}
}

// Empty reports whether nothing is named.
func (s *Services) Empty() bool { return len(s.names)+len(s.hosts) == 0 }

// CoversURL reports whether a URL is that of a host that is named.
func (s *Services) CoversURL(text string) (host string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return "", false
	}
	host = strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if IsLoopback(host) {
		return host, slices.Contains(s.names, Loopback) || slices.Contains(s.names, LoopbackAny)
	}
	return host, slices.Contains(s.hosts, host)
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// Covers returns the service, or the host, that a command only reads; ok is false
// where none of those that are named covers it. Redirections and assignments are
// the caller's to judge.
func (s *Services) Covers(c *command.Command) (service string, ok bool) {
	r, ok := readingOf(c)
	switch {
	case !ok:
		return "", false
	case r.Name == "":
		return s.fetches(r)
	case slices.Contains(s.names, r.Name) && r.only():
		return r.Name, true
	}
	return "", false
}

// Reached returns the hosts to which a client of web servers talks, by whatever method,
// where it sends them nothing but what stands on the line; ok is false for all others.
func Reached(c *command.Command) (hosts []string, ok bool) {
	r, ok := readingOf(c)
	if !ok || r.Name != "" || c.Args.Program == nil || c.Args.Unlisted || c.Args.Open {
		return nil, false
	}
	if _, known := r.sends(); !known {
		return nil, false
	}
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleHost {
			return nil, false
		}
		for _, v := range c.Words[o.At].Values {
			host, plain := weburl.Host(v)
			if !plain || strings.ContainsAny(v, "{}[]\\") {
				return nil, false
			}
			hosts = append(hosts, host)
		}
	}
	return hosts, len(hosts) > 0
}

// readingOf returns the reading of a command whose words are known; ok is false where its
// program asks no service.
func readingOf(c *command.Command) (r reading, ok bool) {
	if len(c.Words) == 0 || c.Keyword || c.Function || c.Opaque != "" || c.Doubt != "" || c.Secret || c.Context != program.Local || !program.Means(program.BareName(c.Path), c.Name) {
		return r, false
	}
	for k := range c.Words {
		w := &c.Words[k]
		if !w.Known() || w.Splits {
			return r, false
		}
		for _, v := range w.Values {
			if strings.Contains(v, "file:") || strings.Contains(v, "fileb:") || strings.ContainsAny(v, "\x00") {
				return r, false
			}
		}
	}
	row := c.Row()
	if row == nil || row.Service == nil || row.Service.Names != "" && !program.HasWord(row.Service.Names, c.Name) {
		return r, false
	}
	return reading{row.Service, c}, true
}

// A reading is a command beside what of its program only reads.
type reading struct {
	*program.Service
	c *command.Command
}

// only reports whether the command does no more than read its service.
func (r reading) only() bool {
	if r.c.Args.Program == nil || r.c.Args.Dash > 0 && r.Options != "" || mayBeOption(r.c.Words) || !r.optionsRead() {
		return false
	}
	words, sure := r.operands()
	if len(words) == 0 {
		return len(r.c.Words) == 2 && r.c.Args.Has("version")
	}
	if r.Verbs == "" {
		return r.check("", words)
	}
	for verb := range strings.SplitSeq(r.Verbs, ",") {
		n := strings.Count(verb, " ") + 1
		if sure >= n && strings.Join(words[:n], " ") == verb {
			return r.check(verb, words[n:])
		}
	}
	return false
}

// mayBeOption reports whether a word that may be several is an option as one of them.
func mayBeOption(words []shell.Word) bool {
	return slices.ContainsFunc(words, func(w shell.Word) bool {
		return len(w.Values) > 1 && slices.ContainsFunc(w.Values, func(v string) bool { return strings.HasPrefix(v, "-") })
	})
}

// operands returns the words that are no options, the sub-command first, and how many
// of them stand before the first that may be several.
func (r reading) operands() (words []string, sure int) {
	options, several := r.c.Args.Options, false
	for k := 1; k < len(r.c.Words); k++ {
		for len(options) > 0 && options[0].End <= k {
			options = options[1:]
		}
		if len(options) > 0 && options[0].At <= k || k == r.c.Args.Dash {
			continue
		}
		values := r.c.Words[k].Values
		if several = several || len(values) > 1; !several {
			sure++
		}
		words = append(words, values...)
	}
	return words, sure
}

// optionsRead reports whether the service is only read with each of the options. They
// are not cut short: the next version of the program may have others.
func (r reading) optionsRead() bool {
	for i := range r.c.Args.Options {
		o := &r.c.Args.Options[i]
		if r.Options == "" {
			if r.refuses(o) || o.Spec == nil && r.beforeOperation(o) {
				return false
			}
			continue
		}
		kind, reads := r.Kind(o.Name)
		if !reads || o.Spec == nil || !slices.Contains(o.Spec.Names, o.Name) || o.Spec.Takes == program.Argument && !o.HasArg {
			return false
		}
		if o.HasArg && slices.ContainsFunc(o.Arg.Values, func(v string) bool { return !fits(kind, strings.TrimPrefix(v, "=")) }) {
			return false
		}
	}
	return true
}

// refuses reports whether an option is refused, which may be cut short.
func (r reading) refuses(o *command.Option) bool {
	return slices.ContainsFunc(strings.Fields(r.Refused), func(name string) bool { return o.Is(name) || o.Spec == nil && strings.HasPrefix(name, o.Name) })
}

// beforeOperation reports whether an option stands before the second operand, which may
// then be its argument.
func (r reading) beforeOperation(o *command.Option) bool {
	return len(r.c.Args.Operands) < 2 || o.At < r.c.Args.Operands[1].At
}

// check reports whether what follows the verb only reads too.
func (r reading) check(verb string, rest []string) bool {
	switch r.Check {
	case "":
		return true
	case "forge":
		return namesNoHost(verb, rest) && (verb != "api" || getsPath(rest, r.c))
	case "objects":
		return noSecrets(verb, rest)
	case "containers":
		return noEnvironment(verb, rest, r.c)
	case "operations":
		return r.describes(rest)
	case "packages":
		return packageNames(rest)
	case "modules": // env -u forgets settings
		named := slices.ContainsFunc(rest, func(v string) bool { return v != "all" })
		return (verb != "env" || !r.c.Args.Has("u")) && !slices.ContainsFunc(rest, isForeignModule) && !(named && r.c.Args.Has("versions"))
	}
	return false
}

// fits reports whether the argument of an option is of its kind.
func fits(kind, value string) bool {
	switch kind {
	case "in":
		return !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "~") && !strings.Contains(value, "..")
	case "repo":
		return strings.Count(value, "/") <= 1 && !strings.Contains(value, ":")
	case "format":
		return !strings.Contains(value, "-file")
	case "kept":
		return value == "readonly" || value == "vendor"
	case "jq":
		return !namesEnvironment(value)
	case "get":
		return value == "GET" || value == "HEAD"
	case "inline":
		return !strings.HasPrefix(value, "@")
	case "body":
		return !strings.Contains(value, "@")
	case "print":
		return !strings.HasPrefix(value, "@") && !strings.Contains(strings.ToLower(value), "%output")
	}
	return true
}

// namesEnvironment reports whether a filter of jq has env or $ENV, and not as the name
// of a field.
func namesEnvironment(filter string) bool {
	for i, end := 0, len(filter); i < end; i++ {
		if !strings.HasPrefix(strings.ToLower(filter[i:]), "env") || i > 0 && (filter[i-1] == '.' || isName(filter[i-1])) || i+3 < end && isName(filter[i+3]) {
			continue
		}
		return true
	}
	return false
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// packageNames checks that packages are named, and neither hosts nor files.
func packageNames(rest []string) bool {
	for _, v := range rest {
		if strings.ContainsAny(v, ":~") || strings.HasSuffix(v, ".tgz") || strings.HasSuffix(v, ".tar.gz") || strings.HasSuffix(v, ".tar") || strings.HasPrefix(v, ".") || strings.Contains(v, "/") && !strings.HasPrefix(v, "@") {
			return false
		}
	}
	return true
}

// isForeignModule reports whether an operand of go names a version, for which the host in
// the name of the module would be asked, or an address.
func isForeignModule(v string) bool { return strings.Contains(v, "@") || strings.Contains(v, ":") }

// forgeHost is the host of which the forge's commands read, unless they name another.
const forgeHost = "github.com"

// namesNoHost reports whether the operands of a command of the forge name no host but its
// own: URLs, addresses as SSH has them and, where a repository is meant, HOST/OWNER/REPO.
func namesNoHost(verb string, rest []string) bool {
	repository := strings.HasPrefix(verb, "repo ")
	return !slices.ContainsFunc(rest, func(v string) bool {
		if at, ok := strings.CutPrefix(v, "https://"); ok {
			return !strings.HasPrefix(at, forgeHost+"/")
		}
		first, _, several := strings.Cut(v, "/")
		address := verb != "search" && (strings.Contains(v, "://") || strings.HasPrefix(v, "//") || strings.Contains(v, "@") && strings.Contains(v, ":"))
		return address || repository && several && first != forgeHost && (strings.Contains(first, ".") || strings.Count(v, "/") > 1)
	})
}

// getsPath reports whether a question to the interface of a forge gets what a path
// names. A header may stand for another method.
func getsPath(rest []string, c *command.Command) bool {
	return len(rest) > 0 && rest[0] != "graphql" && !strings.Contains(rest[0], "://") && !strings.Contains(rest[0], "secrets") && !c.Args.Has("H")
}

// noSecrets refuses what shows secrets of a cluster.
func noSecrets(verb string, rest []string) bool {
	if verb != "get" && verb != "describe" {
		return verb != "cluster-info" || len(rest) == 0 // dump prints every pod with its environment
	}
	for _, v := range rest {
		for kind := range strings.SplitSeq(strings.ToLower(v), ",") {
			kind, _, _ = strings.Cut(kind, "/")
			kind, _, _ = strings.Cut(kind, ".")
			if kind == "secret" || kind == "secrets" || strings.HasPrefix(kind, "sealedsecret") || strings.HasPrefix(kind, "externalsecret") {
				return false
			}
		}
	}
	return len(rest) > 0
}

// noEnvironment refuses what shows the environment of a container, where its secrets
// are: all that is known of it, and what ps prints.
func noEnvironment(verb string, rest []string, c *command.Command) bool {
	switch verb {
	case "inspect", "container inspect":
		return c.Args.Has("format")
	case "history", "image history": // whose steps have the arguments of the build
		return !c.Args.Has("no-trunc")
	case "top", "container top":
		return len(rest) == 1
	}
	return true
}

// describes reports whether an operation of a cloud is one of those that only read. A
// word right behind it is no argument of an option, and may be a file that it writes.
func (r reading) describes(words []string) bool {
	if len(words) < 2 {
		return false
	}
	for entry := range strings.SplitSeq(r.Operations, ",") {
		entry, queried := strings.CutSuffix(entry, "?")
		entry, takes := strings.CutSuffix(entry, "+1")
		start, open := strings.CutSuffix(entry, "*")
		if name := words[0] + " " + words[1]; name != start && !(open && strings.HasPrefix(name, start)) {
			continue
		}
		return (takes || !r.givenOperand(words[1])) && (!queried || queriesOne(r.c))
	}
	return false
}

// givenOperand reports whether a word that is no option stands right behind an operation.
func (r reading) givenOperand(operation string) bool {
	for k := 1; k+1 < len(r.c.Words); k++ {
		if v, ok := r.c.Words[k].Literal(); ok && v == operation {
			return !slices.ContainsFunc(r.c.Words[k+1].Values, func(v string) bool { return strings.HasPrefix(v, "-") })
		}
	}
	return false
}

// queriesOne reports whether an option of aws picks one field by its name, which is not
// that of an environment.
func queriesOne(c *command.Command) bool {
	o := c.Args.Option("query")
	if o == nil || len(o.Arg.Values) == 0 {
		return false
	}
	value := o.Arg.Values[0]
	field := value[strings.LastIndexByte(value, '.')+1:]
	return field != "" && len(field) < len(value) && !strings.ContainsFunc(field, func(r rune) bool { return r > 0x7f || !isName(byte(r)) }) && !namesEnvironment(field) && !strings.Contains(value, "nvironment")
}

// fetches reports whether a client of web servers gets something from hosts that are
// named.
func (s *Services) fetches(r reading) (host string, ok bool) {
	c := r.c
	if c.Args.Program == nil || c.Args.Unlisted || c.Args.Open || r.Needs != "" && !c.Args.Has(strings.Fields(r.Needs)...) {
		return "", false
	}
	changes, known := r.sends()
	if !known || changes && !slices.Contains(s.names, LoopbackAny) {
		return "", false
	}
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleHost {
			return "", false
		}
		for _, v := range c.Words[o.At].Values {
			found, covered := s.coversAddress(v)
			if !covered || changes && !IsLoopback(found) {
				return "", false
			}
			host, ok = found, true
		}
	}
	return host, ok
}

// sends reports whether the options make a client of web servers change something there;
// known is false where one of them may do more than that.
func (r reading) sends() (changes, known bool) {
	for i := range r.c.Args.Options {
		o := &r.c.Args.Options[i]
		kind, reads := r.kindOf(o)
		if !reads {
			return false, false
		}
		v, literal := o.Arg.Literal()
		switch kind {
		case "method":
			changes = changes || !fits("get", v)
		case "body":
			changes = changes || !r.c.Args.Has(strings.Fields(r.Asks)...)
		case "inline", "print":
			literal = literal || kind == "inline" && !strings.HasPrefix(o.Arg.Prefix, "@")
		default:
			continue
		}
		if !literal || slices.ContainsFunc(o.Arg.Values, func(v string) bool { return !fits(kind, v) }) {
			return false, false
		}
	}
	return changes, true
}

// kindOf returns the kind of an option by any of its names.
func (r reading) kindOf(o *command.Option) (kind string, reads bool) {
	for _, name := range o.Spec.Names {
		if kind, reads = r.Kind(name); reads {
			return kind, true
		}
	}
	return "", false
}

// coversAddress is [Services.CoversURL] for what curl and wget are given, which may have
// no scheme, and patterns.
func (s *Services) coversAddress(v string) (host string, ok bool) {
	if !strings.Contains(v, "://") {
		v = "http://" + v
	}
	at := v[strings.Index(v, "://")+3:]
	at, _, _ = strings.Cut(at, "/")
	if strings.ContainsAny(strings.TrimPrefix(at, "[::1]"), "{}[]\\") {
		return "", false
	}
	return s.CoversURL(v)
}

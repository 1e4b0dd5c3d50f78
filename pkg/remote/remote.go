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

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
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
	for _, s := range services {
		if !slices.Contains(out, s.name) {
			out = append(out, s.name)
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
func (s *Services) Covers(c *shell.Command) (service string, ok bool) {
	if len(c.Words) == 0 || c.Keyword || c.Function || c.Opaque != "" || c.Doubt != "" || c.Secret || c.Context != program.Local || program.BareName(c.Path) != c.Name {
		return "", false
	}
	for k := range c.Words {
		w := &c.Words[k]
		if !w.Known() || w.Splits {
			return "", false
		}
		for _, v := range w.Values {
			if strings.Contains(v, "file:") || strings.ContainsAny(v, "\x00") {
				return "", false
			}
		}
	}
	if c.Name == "curl" || c.Name == "wget" {
		return s.fetches(c)
	}
	for i := range services {
		r := &services[i]
		if slices.Contains(s.names, r.name) && slices.Contains(strings.Fields(r.programs), c.Name) && r.covers(c) {
			return r.name, true
		}
	}
	return "", false
}

// A service is one row: what reads it.
type service struct {
	name     string
	programs string
	// verbs are the sub-commands that only read, commas between them.
	verbs string
	// valued are options that take an argument and may stand before the verb.
	valued string
	// refused are options with which more is done, or another place is asked.
	refused string
	check   func(verb string, rest []string, c *shell.Command) bool
}

var services = []service{
	{
		name: "gh", programs: "gh", valued: "-R --repo --hostname",
		verbs: "pr list,pr view,pr status,pr diff,pr checks,issue list,issue view,issue status,run list,run view,workflow list,workflow view,repo list,repo view," +
			"release list,release view,gist list,label list,search,auth status,project list,project view,cache list,ruleset list,ruleset view,status,api",
		refused: "-w --web -t --show-token --hostname", check: ghAPI,
	},
	{
		name: "kubectl", programs: "kubectl oc", valued: "-n --namespace --context --cluster",
		verbs:   "get,describe,logs,top,explain,api-resources,api-versions,version,cluster-info,events,rollout status,rollout history,auth can-i,config current-context,config get-contexts",
		refused: "-f --filename --kubeconfig -s --server --token --as --as-group --raw --user --username --password --certificate-authority --client-key --client-certificate -k --kustomize --template",
		check:   noSecrets,
	},
	{
		name: "docker", programs: "docker podman", verbs: "ps,images,logs,inspect,version,info,stats,top,port,history,container ls,container list,container inspect,container logs,container top,container port,container stats," +
			"image ls,image list,image inspect,image history,volume ls,volume inspect,network ls,network inspect,compose ps,compose logs,compose images,compose top,compose ls,compose version,compose port,system df,system info,context ls,buildx ls",
		refused: "-H --host -c --context --config --tlscacert --tlscert --tlskey --url --connection --identity -f=",
		valued:  "-p --project-name",
	},
	{name: "aws", programs: "aws", valued: "--region --profile --output --query --page-size --max-items", refused: "--endpoint-url --cli-input-json --cli-input-yaml --no-verify-ssl --with-decryption --ca-bundle", check: awsReads},
	{name: "npm", programs: "npm pnpm yarn", verbs: "view,v,info,show,ls,list,ll,la,outdated,search,explain,why,root,prefix,ping", refused: "--registry --prefix --userconfig --globalconfig", valued: "-w --workspace --filter -F -C --dir"},
	{name: "pip", programs: "pip pip3", verbs: "list,show,index,freeze,check", refused: "-i --index-url --extra-index-url --proxy --trusted-host --find-links -f --log"},
	{name: "go", programs: "go", verbs: "list,env,doc,version", refused: "-w -toolexec -exec -overlay -modfile", check: goReads, valued: "-C"},
	{name: "cargo", programs: "cargo", verbs: "tree,search,info,metadata", refused: "--config -Z --registry --index"},
	{name: "gem", programs: "gem", verbs: "list,info,search,outdated", refused: "--source -s --config-file"},
}

// covers reports whether a command does no more than the row's verbs.
func (r *service) covers(c *shell.Command) bool {
	refused, valued := strings.Fields(r.refused), strings.Fields(r.valued)
	var words, rest []string
	for k := 1; k < len(c.Words); k++ {
		v := c.Words[k].Values[0]
		if len(c.Words[k].Values) > 1 && strings.HasPrefix(v, "-") {
			return false
		}
		for _, v := range c.Words[k].Values {
			name, _, _ := strings.Cut(v, "=")
			if slices.Contains(refused, name) {
				return false
			}
			for _, o := range refused {
				if len(o) == 2 && strings.HasPrefix(v, o) && !strings.HasPrefix(v, "--") && r.name != "go" {
					return false
				}
			}
		}
		if strings.HasPrefix(v, "-") {
			if slices.Contains(valued, v) {
				k++
			}
			continue
		}
		words = append(words, v)
	}
	if len(words) == 0 {
		return len(c.Words) == 2 && (c.Words[1].Has("--version") || c.Words[1].Has("-v") && r.name == "npm")
	}
	if r.verbs == "" {
		return r.check("", words, c)
	}
	for verb := range strings.SplitSeq(r.verbs, ",") {
		n := strings.Count(verb, " ") + 1
		if len(words) >= n && strings.Join(words[:n], " ") == verb {
			rest = words[n:]
			return r.check == nil || r.check(verb, rest, c)
		}
	}
	return false
}

// ghAPI allows gh api to get what a path names. A field makes it a POST.
func ghAPI(verb string, rest []string, c *shell.Command) bool {
	if verb != "api" {
		return true
	}
	for k := 1; k < len(c.Words); k++ {
		v := c.Words[k].Values[0]
		name, value, attached := strings.Cut(v, "=")
		switch {
		case name == "-X" || name == "--method":
			if !attached && k+1 < len(c.Words) {
				value = c.Words[k+1].Values[0]
			}
			if value != "GET" && value != "HEAD" {
				return false
			}
		case strings.HasPrefix(v, "-X"):
			if v != "-XGET" && v != "-XHEAD" {
				return false
			}
		case strings.HasPrefix(v, "-f") || strings.HasPrefix(v, "-F") || name == "--field" || name == "--raw-field" || name == "--input":
			return false
		}
	}
	return len(rest) > 0 && rest[0] != "graphql" && !strings.Contains(rest[0], "://") && !strings.Contains(rest[0], "secrets")
}

// goReads refuses go env with -u, which forgets settings.
func goReads(verb string, _ []string, c *shell.Command) bool {
	return verb != "env" || !slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Has("-u") })
}

// noSecrets refuses what shows secrets of a cluster.
func noSecrets(verb string, rest []string, _ *shell.Command) bool {
	if verb != "get" && verb != "describe" {
		return true
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

// awsReads allows the operations that describe, list and get, without those that
// give secrets.
func awsReads(_ string, words []string, _ *shell.Command) bool {
	if len(words) < 2 {
		return false
	}
	service, operation := words[0], words[1]
	if service == "s3" {
		return operation == "ls"
	}
	for _, mark := range []string{"secret", "password", "token", "credential", "parameter", "private-key", "login", "decrypt", "get-function", "get-object", "get-session", "access-key", "get-key", "get-random"} {
		if strings.Contains(operation, mark) {
			return false
		}
	}
	for _, start := range []string{"describe-", "list-", "get-"} {
		if strings.HasPrefix(operation, start) {
			return true
		}
	}
	return service == "sts" && operation == "get-caller-identity" || service == "logs" && operation == "tail"
}

// Options of curl and wget with which they only show what a server answers.
const (
	curlOptions = "s silent S show-error f fail i include I head v verbose k insecure m max-time connect-timeout w write-out H header A user-agent X request compressed G get retry retry-delay retry-connrefused o output N no-buffer 4 6 ipv4 ipv6 http1.1 http2 # progress-bar fail-with-body max-redirs"
	wgetOptions = "q quiet O output-document S server-response spider T timeout t tries nv no-verbose max-redirect"
)

// fetches reports whether curl or wget gets something from hosts that are named.
func (s *Services) fetches(c *shell.Command) (host string, ok bool) {
	allowed := strings.Fields(curlOptions)
	if c.Name == "wget" {
		allowed = strings.Fields(wgetOptions)
	}
	if c.Args.Program == nil || c.Args.Unlisted || c.Args.Open || c.Name == "wget" && !c.Args.Has("O", "spider") {
		return "", false
	}
	method := ""
	changes := false
	for k := range c.Args.Options {
		o := &c.Args.Options[k]
		switch {
		case o.Is("X") || o.Is("request"):
			method, _ = o.Arg.Literal()
		case o.Is("d") || o.Is("data") || o.Is("json") || o.Is("data-raw") || o.Is("data-urlencode") || o.Is("F") || o.Is("form"):
			v, known := o.Arg.Literal()
			if changes = !c.Args.Has("G", "get"); !known || strings.Contains(v, "@") {
				return "", false
			}
			continue
		case (o.Is("H") || o.Is("header") || o.Is("w") || o.Is("write-out")) && (o.Arg.Prefix == "@" || len(o.Arg.Values) > 0 && strings.HasPrefix(o.Arg.Values[0], "@")):
			return "", false
		}
		if !slices.ContainsFunc(allowed, o.Is) {
			return "", false
		}
	}
	if method != "" && method != "GET" && method != "HEAD" || changes {
		if !slices.Contains(s.names, LoopbackAny) {
			return "", false
		}
		changes = true
	}
	urls := 0
	for _, o := range c.Args.Operands {
		if o.Role != program.RoleHost {
			return "", false
		}
		for _, v := range c.Words[o.At].Values {
			if !strings.Contains(v, "://") {
				v = "http://" + v
			}
			at := v[strings.Index(v, "://")+3:]
			at, _, _ = strings.Cut(at, "/")
			if strings.ContainsAny(strings.TrimPrefix(at, "[::1]"), "{}[]\\") {
				return "", false
			}
			found, covered := s.CoversURL(v)
			if !covered || changes && !IsLoopback(found) {
				return "", false
			}
			host, urls = found, urls+1
		}
	}
	return host, urls > 0
}

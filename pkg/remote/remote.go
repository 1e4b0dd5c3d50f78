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
			if strings.Contains(v, "file:") || strings.Contains(v, "fileb:") || strings.ContainsAny(v, "\x00") {
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
	// options are those with which it still only reads, names of one option with
	// commas between them. One with = takes an argument: =in a path below the
	// directory, =repo a repository of the host that is asked anyway, =jq a filter
	// that does not name the environment, =format no file of a template, =kept a
	// setting that keeps go.mod. Nothing says that every operation has the same ones:
	// where there are none, all but those that are refused may be given.
	options string
	refused string
	// words says that its options are words behind one dash or two.
	words bool
	check func(verb string, rest []string, c *shell.Command) bool
}

var services = []service{
	{
		name:     "gh",
		programs: "gh",
		verbs: "pr list,pr view,pr status,pr diff,pr checks,issue list,issue view,issue status,run list,run view,workflow list,workflow view,repo list,repo view," +
			"release list,release view,gist list,label list,search,auth status,project list,project view,cache list,ruleset list,ruleset view,status,api",
		options: "R=repo,repo=repo L=,limit= s=,state= json= q=jq,jq=jq A=,author= l=,label= assignee= a S=,search= B=,base= H=,head= c,comments d,draft milestone= m j=,job= log log-failed v,verbose " +
			"e=,event= b=,branch= workflow= u=,user= i,include paginate slurp cache= X=,method= p,preview= exit-status required name-only patch color= o=,order= sort= owner= visibility= language= " +
			"topic= fork source archived no-archived created= updated= commit= status= attempt= exclude-drafts exclude-pre-releases help h yaml y r=,ref= interval= watch fail-fast mention= app= involves= " +
			"match= filename= extension= size= stars= merged-at= merged closed= review= review-requested= all public secret format= closed followers= number= n active",
		check: ghAPI,
	},
	{
		name: "kubectl", programs: "kubectl oc",
		verbs: "get,describe,logs,top,explain,api-resources,api-versions,version,cluster-info,events,rollout status,rollout history,auth can-i,config current-context,config get-contexts",
		options: "n=,namespace= A,all-namespaces o=format,output=format l=,selector= context= cluster= L=,label-columns= show-labels sort-by= field-selector= no-headers chunk-size= ignore-not-found show-kind " +
			"show-managed-fields show-events tail= since= since-time= c=,container= p,previous timestamps prefix all-containers max-log-requests= limit-bytes= recursive api-version= api-group= namespaced verbs= " +
			"categories= client short subresource= revision= timeout= list q,quiet for= types= containers sum help h request-timeout= output-watch-events watch",
		check: noSecrets,
	},
	{
		name: "docker", programs: "docker podman", verbs: "ps,images,logs,inspect,version,info,stats,top,port,history,container ls,container list,container inspect,container logs,container top,container port,container stats," +
			"image ls,image list,image inspect,image history,volume ls,volume inspect,network ls,network inspect,compose ps,compose logs,compose images,compose top,compose ls,compose version,compose port,system df,system info,context ls,buildx ls",
		options: "a,all q,quiet n=,last= tail= l,latest s,size f=in,filter=,file=in format= no-trunc t,timestamps since= until= details follow digests tree no-stream type= no-color no-log-prefix services orphans index= " +
			"v,verbose pretty platform= protocol= p=,project-name= status= short help h",
		check: noEnvironment,
	},
	{name: "aws", programs: "aws", refused: "--endpoint-url --cli-input-json --cli-input-yaml --no-verify-ssl --with-decryption --ca-bundle --cli-auto-prompt", check: awsReads},
	{
		name: "npm", programs: "npm pnpm yarn", verbs: "view,v,info,show,ls,list,ll,la,outdated,search,explain,why,root,prefix,ping",
		options: "json l,long p,parseable a,all depth= g,global prod production dev omit= include= only= w=,workspace= workspaces s,silent no-progress color= no-color link package-lock-only F=,filter= r,recursive " +
			"C=in,dir=in,cwd=in pattern= h,help loglevel= offline prefer-offline no-fund no-audit only-projects no-optional P D compatible latest format= level= version v searchlimit= searchexclude= description no-description",
		check: packageNames,
	},
	{
		name: "pip", programs: "pip pip3", verbs: "list,show,index,freeze,check",
		options: "o,outdated u,uptodate e,editable l,local user not-required format= exclude= include-editable exclude-editable pre files v,verbose q,quiet all disable-pip-version-check no-color no-cache-dir " +
			"isolated no-input json h,help path=in version",
	},
	{
		name: "go", programs: "go", verbs: "list,env,doc,version", words: true,
		options: "m u json f= deps test e find retracted versions all short src cmd c v h help changed mod=kept tags= reuse=in",
		check:   goReads,
	},
	{
		name: "cargo", programs: "cargo", verbs: "tree,search,info,metadata",
		options: "e=,edges= i=,invert= p=,package= d,duplicates depth= prefix= no-dedupe f=,format= F=,features= all-features no-default-features target= workspace all exclude= no-deps format-version= " +
			"filter-platform= offline locked frozen q,quiet v,verbose color= limit= charset= manifest-path=in h,help version V",
	},
	{name: "gem", programs: "gem", verbs: "list,info,search,outdated", options: "l,local r,remote a,all v,version= d,details no-details versions no-versions i,installed e,exact prerelease q,quiet h,help V,verbose"},
}

// covers reports whether a command does no more than the row's verbs.
func (r *service) covers(c *shell.Command) bool {
	var words, rest []string
	chosen := len(c.Words) // the first of words that may be several: the verb stands before it
	for k := 1; k < len(c.Words); k++ {
		w := &c.Words[k]
		if len(w.Values) > 1 && slices.ContainsFunc(w.Values, func(v string) bool { return strings.HasPrefix(v, "-") }) {
			return false
		}
		v := w.Values[0]
		if len(v) < 2 || v[0] != '-' {
			if len(w.Values) > 1 {
				chosen = min(chosen, len(words))
			}
			words = append(words, w.Values...)
			continue
		}
		took, ok := r.takes(c.Words, k)
		if !ok {
			return false
		}
		k += took
	}
	if len(words) == 0 {
		return len(c.Words) == 2 && (c.Words[1].Has("--version") || c.Words[1].Has("-v") && r.name == "npm")
	}
	if r.verbs == "" {
		return r.check("", words, c)
	}
	for verb := range strings.SplitSeq(r.verbs, ",") {
		n := strings.Count(verb, " ") + 1
		if len(words) >= n && chosen >= n && strings.Join(words[:n], " ") == verb {
			rest = words[n:]
			return r.check == nil || r.check(verb, rest, c)
		}
	}
	return false
}

// takes reports whether the service only reads with the option at index k, and how
// many words behind it are its argument.
func (r *service) takes(words []shell.Word, k int) (took int, ok bool) {
	v := words[k].Values[0]
	name, value, attached := strings.Cut(v, "=")
	if r.options == "" {
		return 0, !slices.ContainsFunc(strings.Fields(r.refused), func(o string) bool { return o == name || len(name) > 5 && strings.HasPrefix(o, name) })
	}
	isWord := r.words || strings.HasPrefix(v, "--")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "-"), "-")
	if !isWord && len(name) > 1 {
		name, value, attached = v[1:2], v[2:], true
		if kind, _ := r.option(name); kind == "" {
			last := len(v) - 1 // which may take the next word
			for i := 1; i < last; i++ {
				if kind, known := r.option(v[i : i+1]); !known || kind != "" {
					return 0, false
				}
			}
			name, attached = v[last:], false
		}
	}
	kind, known := r.option(name)
	switch {
	case !known:
		return 0, false
	case kind == "":
		return 0, true
	case !attached:
		if k+1 >= len(words) {
			return 0, false
		}
		return 1, !slices.ContainsFunc(words[k+1].Values, func(v string) bool { return !fits(kind[1:], v) })
	}
	return 0, fits(kind[1:], value)
}

// option returns what an option takes, "" or = with its kind, and whether there is
// one of that name.
func (r *service) option(name string) (kind string, known bool) {
	for list := range strings.FieldsSeq(r.options) {
		for o := range strings.SplitSeq(list, ",") {
			if rest, ok := strings.CutPrefix(o, name); ok && (rest == "" || rest[0] == '=') {
				return rest, true
			}
		}
	}
	return "", false
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
func packageNames(_ string, rest []string, _ *shell.Command) bool {
	for _, v := range rest {
		if strings.ContainsAny(v, ":~") || strings.HasPrefix(v, ".") || strings.Contains(v, "/") && !strings.HasPrefix(v, "@") {
			return false
		}
	}
	return true
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
		case len(v) > 2 && v[0] == '-' && v[1] != '-' && strings.ContainsAny(v, "XHfF"):
			return false // among other letters
		case name == "-H" || name == "--header" || strings.HasPrefix(v, "-f") || strings.HasPrefix(v, "-F"): // -H is a branch elsewhere
			return false
		}
	}
	return len(rest) > 0 && rest[0] != "graphql" && !strings.Contains(rest[0], "://") && !strings.Contains(rest[0], "secrets")
}

// goReads refuses go env with -u, which forgets settings.
func goReads(verb string, _ []string, c *shell.Command) bool {
	return verb != "env" || !slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Has("-u") || w.Has("--u") })
}

// noSecrets refuses what shows secrets of a cluster.
func noSecrets(verb string, rest []string, _ *shell.Command) bool {
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
func noEnvironment(verb string, rest []string, c *shell.Command) bool {
	switch verb {
	case "inspect", "container inspect":
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool {
			return len(w.Values) > 0 && (strings.HasPrefix(w.Values[0], "-f") || strings.HasPrefix(w.Values[0], "--format"))
		})
	case "history", "image history": // whose steps have the arguments of the build
		return !c.Args.Has("no-trunc")
	case "top", "container top":
		return len(rest) == 1
	}
	return true
}

// awsReads allows the operations that describe, list and get, without those that
// give secrets.
func awsReads(_ string, words []string, c *shell.Command) bool {
	if len(words) < 2 {
		return false
	}
	service, operation := words[0], words[1]
	if service == "s3" {
		return operation == "ls"
	}
	for _, mark := range []string{"secret", "password", "token", "credential", "parameter", "private-key", "login", "decrypt", "get-function", "get-object", "get-job-output", "get-export", "get-sdk", "get-media", "get-session", "access-key", "get-key", "get-random",
		"api-key", "user-pool-client", "get-connection", "access-details", "launch-template-versions", "launch-configurations", "instance-access", "instance-attribute", "pipeline-definition"} {
		if strings.Contains(operation, mark) {
			return false
		}
	}
	// What is described with its environment.
	for _, mark := range []string{"list-functions", "task-definition", "job-definition", "configuration-settings", "apprunner describe-service", "amplify get-", "amplify list-", "opsworks describe-apps"} {
		if strings.Contains(service+" "+operation, mark) && !queriesOne(c) {
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

// queriesOne reports whether an option of aws picks one field by its name, which is not
// that of an environment.
func queriesOne(c *shell.Command) bool {
	for k := range c.Words {
		v := c.Words[k].Values[0]
		value, attached := strings.CutPrefix(v, "--query=")
		if v == "--query" && k+1 < len(c.Words) {
			value, attached = c.Words[k+1].Values[0], true
		}
		if field := value[strings.LastIndexByte(value, '.')+1:]; attached {
			return field != "" && len(field) < len(value) && !strings.ContainsFunc(field, func(r rune) bool { return r > 0x7f || !isName(byte(r)) }) && !namesEnvironment(field) && !strings.Contains(value, "nvironment")
		}
	}
	return false
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
			known := false
			if method, known = o.Arg.Literal(); !known {
				return "", false
			}
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

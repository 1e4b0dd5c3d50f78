package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/internal/support/sql"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/remote"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// An undecided call is one about which the chain asks for no other reason than
// that nothing allows it. An agent with permissions of its own may answer it.
//
// It is a list of what is known to be harmless, not of what is known to be bad:
// a ground of asking that is new, and a part of a call that nobody understands,
// keep the ask.
type undecided struct{ *run }

// holds reports whether the ask of a verdict has no other ground. The policy must
// have left such calls to agents, be valid, and limit nothing that may be read.
func (u undecided) holds(v *Verdict) bool {
	s := &u.e.settings
	switch {
	case s.Undecided != UndecidedAgent, u.e.options.Broken != nil, u.yoloOn(), s.Mode != Manual && s.Mode != Observe, s.Confirm != ConfirmAll, s.ToolPolicy.Default != Unset:
		return false
	case u.unread != nil, u.leaves, u.guise, u.call.Record != nil, u.barred(), u.limits() != nil, len(u.elsewhere) > 0, len(u.guises) > 0:
		return false
	case v.Rule != "" || !v.plainlyAsked() || len(v.Dangers) > 0:
		return false
	case slices.ContainsFunc(u.replies.list, func(a reply) bool { return a.Decision != Allow || !a.Certain }):
		return false
	case v.Stage == StageConfirm && u.line != nil:
		return u.ofLine()
	case v.Stage == StageMode && u.line == nil:
		return u.ofTool()
	}
	return false
}

// plainlyAsked reports whether the terms of an ask are those of one that no rule
// made.
func (v *Verdict) plainlyAsked() bool {
	return v.Ask != nil && v.Ask.Rule == "" && len(v.Ask.Rules) == 0 && !v.Ask.EveryTime && v.Ask.Approver == "" && len(v.Ask.Also) == 0
}

// ofLine reports whether each command of a line that nothing allows is one of a
// program that is known, does what its words say, and stays in the project.
func (u undecided) ofLine() bool {
	_, argv, err := u.tool.command(u.call.Input)
	if err != nil || argv != nil || len(u.line.Commands) == 0 || len(u.line.Spawns) > 0 || len(u.line.Links) > 0 ||
		slices.ContainsFunc(u.parts.ran, isRun) || u.parts.secret != nil {
		return false
	}
	var s *site
	for i := range u.line.Commands {
		if u.parts.list[i].stage != StageNone {
			continue
		}
		if s == nil {
			if s = u.site(); s == nil {
				return false
			}
		}
		if !u.ofCommand(s, i) {
			return false
		}
	}
	return true
}

// isRun reports whether a text on the line is sure to run a line, and is not only words that
// some program is handed.
func isRun(r hazard.Ran) bool { return !r.Handed }

func (u undecided) ofCommand(s *site, i int) bool {
	c := &u.line.Commands[i]
	if len(u.parts.dangers(i)) > 0 || u.risks().sensitiveRead(c) != "" || runsInput(c) || feeds(&u.facts, i) {
		return false
	}
	if (&prefix{names: noName}).namesSecret(&u.facts, c) != "" {
		return false
	}
	if u.parts.isGlue(i) {
		return true
	}
	return s.prover.Plain(u.line, i, u.readsService(i)).Proved
}

// readsService reports whether a command only reads a service that is known, or
// pages of the web.
func (u undecided) readsService(i int) bool {
	c := &u.line.Commands[i]
	services := *knownServices()
	if p := c.Row(); p != nil && p.Client == program.HTTP {
		var hosts []string
		for _, o := range c.Args.Operands {
			for _, v := range c.Words[o.At].Values {
				if host, ok := weburl.Host(v); ok && !remote.IsLoopback(strings.Trim(host, "[]")) {
					hosts = append(hosts, host)
				}
			}
		}
		web, err := remote.Parse(hosts)
		if err != nil {
			return false
		}
		services = services.With(web)
	}
	_, ok := services.Covers(c)
	return ok
}

// ofTool reports whether a call of another tool does no more than the kind of its
// tool says, with arguments that are understood and stay in the project.
func (u undecided) ofTool() bool {
	t := u.tool
	if u.risks().grave() != "" || len(t.Operation) > 0 || !t.guessed && len(t.Commands) > 0 {
		return false
	}
	switch {
	case t.isFile() && t.Kind == KindWrite:
		return len(u.view.Subjects) > 0 && !slices.ContainsFunc(u.view.Subjects, u.strays)
	case t.Kind == KindFetch && !t.undeclared:
		return u.fetches()
	case t.undeclared, t.plain:
		return u.harmless()
	}
	return false
}

// strays reports whether a path that a tool is given is not known to stay in the
// project, or may be sensitive.
func (u undecided) strays(path string) bool {
	at := u.view.Subject(path)
	if !at.Sure || strings.Contains(path, "://") || strings.ContainsFunc(path, clip.Empty) || strings.ContainsAny(path, `\*?[$`) {
		return true // for some tools it is another file
	}
	s := u.site()
	if s == nil || u.risks().among(at.Readings(), sensitive.Secret|sensitive.Trigger|sensitive.Guard) != nil {
		return true
	}
	path = permission.ExpandHome(path, u.call.Home)
	if !shell.IsAbs(path) {
		path = strings.TrimSuffix(u.call.Dir, "/") + "/" + path
	}
	return !s.prover.Stays(path).Proved
}

// fetches reports whether a tool only fetches from hosts of the web.
func (u undecided) fetches() bool {
	if len(u.view.Subjects) == 0 || !u.onlyFetches() {
		return false
	}
	return !slices.ContainsFunc(u.view.Subjects, func(s string) bool { return !weburl.Ordinary(s) })
}

// harmless reports whether the arguments of a tool that nobody declared hold no path
// out of the project, no address but of the web, and no text that may be code.
func (u undecided) harmless() bool {
	words := nameWords(u.tool.Name)
	if !u.tool.plain && (hasVerb(words, removingVerbs) || hasVerb(words, graveVerbs) || hasVerb(words, codeWords) || !u.args().onlyReads() && hasVerb(words, actingVerbs)) {
		return false
	}
	a := u.args()
	for _, l := range a.argumentTexts() {
		if namesCode(l.key) || changesData(l.text) || holdsSwitch(l.text) || hidesPath(l.text) || saysSQL(l.key) && !onlyQueries(l.text) {
			return false
		}
		if _, secrets := redact.Text(l.text); len(secrets) > 0 {
			return false
		}
	}
	if insists(u.call.Input, 0) {
		return false
	}
	return !slices.ContainsFunc(a.paths(), u.strays) && !slices.ContainsFunc(a.urls(), func(s string) bool { return !weburl.Ordinary(s) })
}

// The words in the names of tools of which it is not known that they can be taken back,
// that they keep secrets, or that they run code.
var (
	graveVerbs = []string{"drop", "destroy", "purge", "wipe", "erase", "clear", "truncate", "reset", "revert", "rollback", "force", "terminate", "kill", "shutdown", "reboot", "revoke", "grant", "publish",
		"release", "deploy", "transfer", "pay", "payment", "charge", "refund", "uninstall", "disable", "install", "secret", "secrets", "credential", "credentials", "password", "passwords", "token", "tokens", "vault", "keychain", "env", "cookie", "cookies", "connection", "apikey", "private", "clipboard"}
	// actingVerbs are grave in a name that does not say that the tool reads.
	actingVerbs = []string{"archive", "clean", "discard", "detach", "empty", "evict", "expire", "flush", "flushall", "flushdb", "format", "nuke", "overwrite", "prune", "restore", "import", "migrate",
		"apply", "approve", "cancel", "cordon", "dispatch", "drain", "merge", "promote", "restart", "rotate", "scale", "schedule", "stop", "suspend", "trigger", "unlock", "lock", "block", "ban",
		"admin", "chmod", "chown", "collaborator", "dns", "invite", "member", "permission", "permissions", "policy", "protection", "public", "role", "share", "visibility", "webhook",
		"buy", "checkout", "invoice", "money", "order", "payout", "purchase", "sell", "sign", "swap", "trade", "withdraw", "forward", "email", "mail", "sms", "tweet", "upload",
		"cli", "launch", "process", "spawn", "kubectl", "init", "many", "application"}
	codeWords = []string{"eval", "evaluate", "exec", "execute", "run", "shell", "bash", "sh", "terminal", "console", "ssh", "script", "scripts", "code", "command", "commands", "repl", "notebook", "python", "javascript", "node", "sql", "type", "keys", "keyboard", "args", "interact"}
	codeNames = []string{"code", "js", "fn", "func", "function", "expression", "expr", "snippet", "cell", "macro", "lambda", "mutation", "password", "secret", "token", "apikey", "credentials",
		"args", "argv", "flags", "cli", "shell", "entrypoint", "formula", "handler", "hook", "auth", "authorization", "cookie", "privatekey", "accesstoken", "program", "src"}
)

// namesCode reports whether the key of an argument says that it holds code or a
// secret.
func namesCode(key string) bool {
	return slices.Contains(codeNames, key) || slices.ContainsFunc([]string{"script", "eval", "source", "function", "python"}, func(part string) bool {
		return strings.HasPrefix(key, part) && key != "source" || strings.HasSuffix(key, part) && key != "source" && part != "source"
	})
}

// holdsSwitch reports whether a text is a word by which a program overcomes what would
// stop it.
func holdsSwitch(text string) bool {
	return text == "-f" || text == "-rf" || text == "--force"
}

// hidesPath reports whether a text spells a path out of a directory so that only who
// decodes it sees that.
func hidesPath(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "%2e%2e") || strings.Contains(low, "..%2f") || strings.Contains(low, "..%5c") || strings.TrimSpace(text) != text && weburl.Ordinary(strings.TrimSpace(text))
}

// saysSQL reports whether the key of an argument says that it holds SQL.
func saysSQL(key string) bool {
	return strings.Contains(key, "sql") || key == "statement" || key == "statements"
}

// onlyQueries reports whether each statement of a text is one that only reads.
func onlyQueries(text string) bool {
	queries := sql.Queries(text)
	return len(queries) > 0 && !slices.ContainsFunc(queries, func(q sql.Query) bool {
		return !slices.Contains([]string{"SELECT", "WITH", "VALUES", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"}, q.Verb)
	})
}

// mutates finds an operation of GraphQL that changes data.
var mutates = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(^|})\s*mutation\b[^{]*\{`) })

// changesData reports whether a text may be a statement of SQL, or of GraphQL, that
// changes what is stored.
func changesData(text string) bool {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "mutation") || mutates().MatchString(text) {
		return true
	}
	return slices.ContainsFunc(sql.Queries(text), func(q sql.Query) bool {
		switch q.Verb {
		case "DELETE":
			return q.From
		case "UPDATE":
			return q.Sets
		case "SELECT", "WITH", "VALUES":
			return callsUnknown(text)
		case "DROP", "TRUNCATE", "ALTER", "INSERT", "MERGE", "REPLACE", "GRANT", "REVOKE", "COPY", "CALL", "EXEC", "EXECUTE":
			return true
		}
		return false
	})
}

// called finds what a statement calls, and queryFunctions are functions that only compute,
// with the words that may stand before a parenthesis.
var (
	called         = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\pL_][\pL\pN_.$]*)"?\s*\(`) })
	queryFunctions = "abs all and any array_agg as avg between by case cast ceil coalesce concat count date date_trunc day exists extract filter first_value floor from group having in interval json_agg json_extract lag last_value lead left length like limit lower ltrim max min month not now nullif on or order over partition percentile_cont rank replace right round row_number rtrim select string_agg substr substring sum then to_char trim union upper using values when where with within year"
)

// callsUnknown reports whether a query calls a function of which it is not known that
// it only computes, or writes what it finds somewhere.
func callsUnknown(text string) bool {
	for _, m := range called().FindAllStringSubmatch(text, -1) {
		if !program.HasWord(queryFunctions, strings.ToLower(m[1])) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return strings.EqualFold(w, "into") })
}

// insists reports whether an argument is a switch by which a tool overcomes what
// would stop it, or takes something away, or says that it changes something.
func insists(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if insistsOn(key, inner) || depth < maxInside && insists(inner, depth+1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return depth < maxInside && insists(e, depth+1) })
	}
	return false
}

// The words in the keys of arguments: of switches that are dangerous when they are on
// and when they are off, and of arguments that choose what the tool does.
var (
	bold     = []string{"overwrite", "discard", "yes", "confirm", "skip", "no", "bypass", "unsafe", "dangerously", "recursive"}
	careful  = []string{"dry", "safe", "verify", "private", "check", "sandbox"}
	choosing = []string{"action", "operation", "op", "verb", "method", "mode", "type", "subcommand"}
	methods  = []string{"POST", "PUT", "PATCH", "DELETE"}
)

// insistsOn reports that for one argument.
func insistsOn(key string, v any) bool {
	words := wordsIn(key)
	if strings.HasPrefix(key, "$") && hasVerb(words, []string{"out", "merge", "where", "function", "accumulator"}) {
		return true // stages and operators of MongoDB that write, or run code
	}
	switch v := v.(type) {
	case bool:
		if !v {
			return hasVerb(words, careful)
		}
		return hasVerb(words, graveVerbs) || hasVerb(words, removingVerbs) || hasVerb(words, bold)
	case string:
		switch said := wordsIn(v); {
		case slices.Contains(methods, v):
			return true
		case strings.EqualFold(v, "true") || strings.EqualFold(v, "yes") || v == "1":
			return insistsOn(key, true)
		case strings.EqualFold(v, "false"):
			return insistsOn(key, false)
		case hasVerb(words, choosing):
			return hasVerb(said, graveVerbs) || hasVerb(said, actingVerbs) || hasVerb(said, removingVerbs) || hasVerb(said, codeWords)
		}
		return slices.Contains(words, "visibility") && v == "public"
	case nil, map[string]any, []any:
		return false
	}
	return hasVerb(words, []string{"force", "recursive"}) || slices.Contains(words, "replicas")
}

// knownServices are all services that are known, each of which only commands that
// read it are covered by.
var knownServices = sync.OnceValue(func() *remote.Services {
	s, err := remote.Parse(slices.DeleteFunc(remote.Names(), func(name string) bool { return name == remote.LoopbackAny }))
	if err != nil {
		panic(err) // they are its own names
	}
	return &s
})

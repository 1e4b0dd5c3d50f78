package pattern

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// otherClients are clients of which the words are not read, by what they are
// clients of: what they are told to do is there, and not known.
var otherClients = [...]string{
	ofHTTP: "http https httpie xh xhs curlie aria2c wget2 axel httrack lynx w3m links elinks fetch hurl ab wrk hey vegeta siege k6 iwr irm invoke-webrequest invoke-restmethod",
	ofSSH:  "autossh mosh et plink dbclient pssh parallel-ssh pdsh clush sshuttle",
	ofSQL:  "pgcli mycli litecli sqlite duckdb clickhouse-client sqlcmd mssql-cli tsql isql osql snowsql usql sqlplus cqlsh trino presto hive beeline spark-sql db2 ysqlsh vsql dropdb createdb",
	ofHost: "telnet ftp tftp lftp ncftp sftp rclone whois nmap grpcurl websocat skopeo crane oras",
}

// A clientKind is what a program is a client of.
type clientKind uint8

const (
	ofNothing clientKind = iota
	ofHTTP
	ofSSH
	ofSQL
	ofHost // of something else
)

// clientKinds is the table by name, made at first use.
var clientKinds = sync.OnceValue(func() map[string]clientKind {
	out := map[string]clientKind{}
	for kind, names := range otherClients {
		for name := range strings.FieldsSeq(names) {
			out[name] = clientKind(kind)
		}
	}
	return out
})

// clientOf returns what a command is a client of, without those that are read.
func clientOf(c *shell.Command) clientKind {
	kind := clientKinds()[c.Name]
	if kind == ofNothing && mayHave(c, sqlSub(c.Name)) {
		return ofSQL
	}
	if asksItself(c) {
		return ofNothing
	}
	return kind
}

// sqlSub returns the sub-command with which a program is a client of a
// database, "" for others.
func sqlSub(program string) string {
	switch program {
	case "cockroach":
		return "sql"
	case "bq":
		return "query"
	case "clickhouse":
		return "client"
	case "turso":
		return "shell"
	case "wrangler":
		return "execute"
	case "mysqladmin":
		return "drop"
	}
	return ""
}

// mayHave reports whether an argument of a command may be a word.
func mayHave(c *shell.Command, word string) bool {
	for i := 1; i < len(c.Words) && word != ""; i++ {
		if text, known := wordText(&c.Words[i]); !known || text == word {
			return true
		}
	}
	return false
}

// asksItself reports whether a command only asks a program for its help or its
// version.
func asksItself(c *shell.Command) bool {
	if len(c.Words) != 2 {
		return false
	}
	text, _ := wordText(&c.Words[1])
	return text == "--help" || text == "--version" || text == "-V"
}

// connectsElsewhere reports whether a command talks to a host that its words do
// not name, or not in a form that is read.
func connectsElsewhere(c *shell.Command) bool {
	switch kind := clientOf(c); {
	case kind == ofHost, kind == ofHTTP, kind == ofSSH:
		return true
	case program.Has(c.Name, program.IsEngine):
		switch c.Args.Sub {
		case "pull", "push", "login", "image pull", "image push":
			return true
		}
	case c.Name == "git":
		switch c.Args.Sub {
		case "fetch", "pull", "push":
			return !c.Args.Has("repo") && len(c.Args.Operands) == 0
		case "ls-remote", "remote update", "remote prune", "submodule update":
			return true
		}
	}
	return false
}

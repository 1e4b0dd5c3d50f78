package pattern

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// Clients of which the words are not read: what they are told to do is there,
// and not known.
var (
	otherHTTP = nameSet("http https httpie xh xhs curlie aria2c wget2 axel httrack lynx w3m links elinks fetch hurl ab wrk hey vegeta siege k6 iwr irm invoke-webrequest invoke-restmethod")
	otherSSH  = nameSet("autossh mosh et plink dbclient pssh parallel-ssh pdsh clush sshuttle")
	otherSQL  = nameSet("pgcli mycli litecli sqlite duckdb clickhouse-client sqlcmd mssql-cli tsql isql osql snowsql usql sqlplus cqlsh trino presto hive beeline spark-sql db2 ysqlsh vsql dropdb createdb")
	otherHost = nameSet("telnet ftp tftp lftp ncftp sftp rclone whois nmap grpcurl websocat skopeo crane oras")
)

// partSQL are programs that are a client of a database with one of their
// sub-commands.
var partSQL = map[string]string{
	"cockroach": "sql", "bq": "query", "clickhouse": "client", "turso": "shell", "wrangler": "execute", "mysqladmin": "drop",
}

func nameSet(names string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		out[name] = true
	}
	return out
}

// isOtherSQL says whether a command is one of another client of a database.
func isOtherSQL(c *shell.Command) bool {
	word, ok := partSQL[c.Name]
	return otherSQL[c.Name] && !asksItself(c) || ok && mayHave(c, word)
}

// mayHave says whether an argument of a command may be a word.
func mayHave(c *shell.Command, word string) bool {
	for i := 1; i < len(c.Words); i++ {
		if text, known := wordText(&c.Words[i]); !known || text == word {
			return true
		}
	}
	return false
}

// asksItself says whether a command only asks a program for its help or its
// version.
func asksItself(c *shell.Command) bool {
	if len(c.Words) != 2 {
		return false
	}
	text, _ := wordText(&c.Words[1])
	return text == "--help" || text == "--version" || text == "-V"
}

// connectsElsewhere says whether a command talks to a host that its words do
// not name, or not in a form that is read.
func connectsElsewhere(c *shell.Command) bool {
	switch {
	case otherHost[c.Name], otherHTTP[c.Name], otherSSH[c.Name]:
		return !asksItself(c)
	case c.Name == "docker" || c.Name == "podman" || c.Name == "nerdctl":
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

package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sql"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// databases are the programs that speak SQL to one.
func databases() string {
	return program.Names(func(p *program.Program) bool { return p.Client == program.SQL })
}

func databaseRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sql-drop", Class: "database", Programs: databases(), Kind: "sql statements",
			Why:     "drops tables, columns or whole databases",
			Instead: "Rename the object, or make a dump first and ask the user to drop it.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "DROP" || q.Verb == "ALTER" && q.Drops }),
			Hit: []string{`psql -c "DROP TABLE users"`, `mysql -uroot -e "drop database app" `, `sqlite3 app.db "DROP TABLE IF EXISTS t;"`, `echo "DROP TABLE t;" | psql app`, "psql app <<'EOF'\nBEGIN;\nDROP SCHEMA public CASCADE;\nEOF", `psql -c "SELECT 1; DROP VIEW v"`,
				`docker exec db psql -U app -c "DROP TABLE t"`, `mysql <<< "alter table t drop column c"`, `duckdb a.db -c "DROP TABLE t"`, `psql -c "/* x */ DROP TABLE t"`},
			Miss: []string{`psql -c "SELECT * FROM users"`, `psql -c "SELECT 'DROP TABLE users'"`, `echo "DROP TABLE users"`, `grep -rn "DROP TABLE" migrations`, `psql -c "ALTER TABLE t ADD COLUMN c int"`, `sqlite3 app.db ".tables"`, `psql -c "-- DROP TABLE t"`, `git commit -m "DROP TABLE t"`, "psql -f drop.sql"},
		},
		{
			ID: "sql-truncate", Class: "database", Programs: databases(), Kind: "sql statements",
			Why:     "empties tables",
			Instead: "Delete only the rows you mean, with a WHERE inside a transaction, after asking the user.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "TRUNCATE" }),
			Hit:     []string{`psql -c "TRUNCATE users"`, `mysql app -e "truncate table t"`, "echo 'TRUNCATE t;' | mysql app"},
			Miss:    []string{`mysql app -e "SELECT TRUNCATE(1.5, 0)"`, `psql -c "SELECT count(*) FROM truncate_log"`, `echo "TRUNCATE users"`},
		},
		{
			ID: "sql-delete-all", Class: "database", Programs: databases(), Kind: "sql statements",
			Why:     "deletes all rows of a table",
			Instead: "Add a WHERE that selects the rows, and count them with SELECT first.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "DELETE" && !q.Where }),
			Hit:     []string{`psql -c "DELETE FROM users"`, `sqlite3 app.db "delete from t;"`, `mysql -e "DELETE FROM t WHERE 1=1"`, "cat <<'EOF' | mysql app\nDELETE FROM t;\nEOF", `psql -c "WITH x AS (SELECT 1) DELETE FROM t"`, `psql -c "with x as (delete from users returning *) select 1"`},
			Miss:    []string{`psql -c "DELETE FROM users WHERE id = 1"`, `psql -c "SELECT * FROM deleted"`, `sqlite3 app.db "delete from t where x = 'y;'"`, `psql -c "EXPLAIN DELETE FROM t"`, `psql -c "with x as (delete from users where id = 1 returning *) select * from x"`},
		},
		{
			ID: "sql-update-all", Class: "database", Programs: databases(), Kind: "sql statements",
			Why:     "changes all rows of a table",
			Instead: "Add a WHERE that selects the rows, and count them with SELECT first.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "UPDATE" && q.Sets && !q.Where }),
			Hit:     []string{`psql -c "UPDATE users SET admin = true"`, `mysql -e "update t set a=1"`, `sqlite3 a.db "UPDATE t SET a = 'where'"`, `psql -c "UPDATE t SET a=1 WHERE true"`, `psql -c "with x as (update t set a = 1 returning *) select 1"`},
			Miss:    []string{`psql -c "UPDATE users SET admin = true WHERE id = 1"`, `psql -c "SELECT 1 FOR UPDATE"`, `psql -c "SELECT * FROM update_log"`},
		},
		{
			ID: "redis-flush", Class: "database", Kind: "keys",
			Why:     "empties or stops a key-value store",
			Instead: "Delete single keys by name, after asking the user.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				return c.Span, !c.Function && !asksHelp(c) && emptiesKeys(s, c)
			},
			Hit:  []string{"redis-cli FLUSHALL", "redis-cli -h cache -n 1 flushdb", "echo FLUSHALL | redis-cli", "docker exec cache redis-cli FLUSHALL ASYNC", "echo flush_all | nc localhost 11211", "redis-cli KEYS '*' | xargs redis-cli DEL", "redis-cli EVAL \"redis.call('flushall')\" 0", "redis-cli SHUTDOWN NOSAVE"},
			Miss: []string{"redis-cli GET a", "redis-cli KEYS 'flush*'", "echo FLUSHALL", "redis-cli DEL a", "redis-cli GET flushall", "echo stats | nc localhost 11211"},
		},
		{
			ID: "mongo-drop", Class: "database", Kind: "documents",
			Why:     "drops collections or databases, or deletes all documents",
			Instead: "Delete only the documents you mean, with a filter, after asking the user.",
			Match: code(func(text string) bool {
				text = strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(text)
				return contains("dropDatabase(", ".drop(", "dropCollection(", "deleteMany({})", "remove({})", "dropIndexes(", "dropDatabase:", "shutdownServer(", "shutdown:1")(text)
			}),
			Hit:  []string{`mongosh app --eval "db.dropDatabase()"`, `mongosh --eval 'db.users.drop()'`, `mongosh app --eval "db.users.deleteMany({ })"`, "echo 'db.dropDatabase()' | mongosh app"},
			Miss: []string{`mongosh app --eval "db.users.find()"`, `mongosh --eval "db.users.deleteMany({a: 1})"`, `grep -rn "dropDatabase(" src`},
		},
		{
			ID: "cypher-delete", Class: "database", Programs: "cypher-shell",
			Why:     "deletes nodes of a graph, or whole graph databases",
			Instead: "Count the nodes with the same MATCH first, and ask the user to delete them.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				for text := range func(yield func(string) bool) { statements(s, c, yield) } {
					for word := range strings.FieldsSeq(text) {
						if strings.EqualFold(word, "delete") || strings.EqualFold(word, "drop") {
							return c.Span, true
						}
					}
				}
				return span{}, false
			},
			Hit:  []string{"cypher-shell -u neo4j 'MATCH (n) DETACH DELETE n'", "echo 'match (n) detach delete n;' | cypher-shell", "cypher-shell 'DROP DATABASE app'"},
			Miss: []string{"cypher-shell 'MATCH (n) RETURN count(n)'", "cypher-shell 'MATCH (n:Deleted) RETURN n'", "echo 'DETACH DELETE n'"},
		},
		{
			ID: "database-reset", Class: "database", Kind: "resets-databases",
			Why:     "drops or empties a whole database",
			Instead: "Make a dump first, and ask the user to reset the database.",
			Match:   match(acts("resets-databases")),
			Hit:     []string{"dropdb app", "rails db:drop", "bundle exec rake db:reset", "php artisan migrate:fresh --seed", "npx prisma migrate reset --force", "python manage.py flush --no-input", "mix ecto.reset", "mysqladmin -uroot drop app", "pg_restore --clean -d app dump", "mongorestore --drop dump/", "pnpm prisma migrate reset", "dotnet ef database drop", "influx bucket delete --name b", "nodetool decommission", "npx supabase db reset", "python manage.py migrate shop zero", "docker-compose exec -T db dropdb app"},
			Miss:    []string{"mysqladmin status", "pg_restore -d app dump", "mongorestore dump/", "pnpm prisma migrate dev", "dotnet ef database update", "influx bucket list", "nodetool status", "rails db:migrate", "php artisan migrate", "npx prisma migrate dev", "python manage.py migrate", "python manage.py migrate shop", "docker-compose exec db psql -l", "createdb app", "mix ecto.migrate", "python flush.py"},
		},
	}
}

// emptiesKeys reports whether a client of a key-value store, or a connection
// to one, is given a command that deletes everything there, or all that
// another command lists.
func emptiesKeys(s *hazard.Scene, c *cmd) bool {
	if c.How("keys") == "always" {
		return true
	}
	for text := range func(yield func(string) bool) { inputs(s, c, yield) } {
		for line := range strings.SplitSeq(strings.ReplaceAll(text, `\r\n`, "\n"), "\n") {
			verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if flushes(verb, rest) {
				return true
			}
		}
	}
	if c.Args.Program == nil || !strings.HasSuffix(c.Name, "-cli") || len(c.Args.Operands) == 0 {
		return false
	}
	verb, rest := known(&c.Words[c.Args.Operands[0].At]), ""
	if len(c.Args.Operands) > 1 {
		rest = known(&c.Words[c.Args.Operands[1].At])
	}
	listedKeys := (strings.EqualFold(verb, "del") || strings.EqualFold(verb, "unlink")) && s.Line.Appended(c)
	return listedKeys || flushes(verb, rest)
}

func flushes(verb, rest string) bool {
	switch strings.ToLower(verb) {
	case "flushall", "flushdb", "flush_all", "shutdown", "replicaof", "slaveof":
		return true
	case "debug":
		return hasPrefix("segfault", "panic", "reload")(strings.ToLower(rest))
	case "eval", "cluster":
		return contains("flush", "reset")(strings.ToLower(rest))
	}
	return false
}

// queried asks for the statements that a client is given.
var queried = hazard.Question[[]sql.Query]{Answer: func(s *hazard.Scene, c *cmd) *[]sql.Query {
	var list []sql.Query
	for text := range func(yield func(string) bool) { statements(s, c, yield) } {
		list = append(list, sql.Queries(text)...)
	}
	return &list
}}

// queries matches a client that is given a statement for which the test holds.
func queries(test func(*sql.Query) bool) matcher {
	return func(s *hazard.Scene, c *cmd) (span, bool) {
		for _, q := range *queried.About(s, c) {
			if test(&q) {
				return c.Span, true
			}
		}
		return span{}, false
	}
}

// statements calls yield for each text of SQL that a client is given. Those
// without a grammar take it in any argument.
func statements(s *hazard.Scene, c *cmd, yield func(string) bool) {
	if c.Args.Program != nil {
		texts(s, c, yield)
		return
	}
	if c.Function || asksHelp(c) {
		return
	}
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if strings.Contains(v, " ") && !yield(v) {
				return
			}
		}
	}
	inputs(s, c, yield)
}

package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/support/sql"
	"github.com/policyctl/policyctl/pkg/hazard"
)

const databases = "psql pgcli mysql mycli sqlite3 sqlite litecli duckdb cockroach clickhouse clickhouse-client sqlcmd bq snowsql usql sqlplus isql cqlsh trino presto hive beeline spark-sql db2 turso wrangler ysqlsh tsql influx heroku cbq"

func databaseRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sql-drop", Class: "database", Programs: databases,
			Why:     "drops tables, columns or whole databases",
			Instead: "Rename the object, or make a dump first and ask the user to drop it.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "DROP" || q.Verb == "ALTER" && q.Drops }),
			Hit: []string{`psql -c "DROP TABLE users"`, `mysql -uroot -e "drop database app" `, `sqlite3 app.db "DROP TABLE IF EXISTS t;"`, `echo "DROP TABLE t;" | psql app`, "psql app <<'EOF'\nBEGIN;\nDROP SCHEMA public CASCADE;\nEOF", `psql -c "SELECT 1; DROP VIEW v"`,
				`docker exec db psql -U app -c "DROP TABLE t"`, `mysql <<< "alter table t drop column c"`, `duckdb a.db -c "DROP TABLE t"`, `psql -c "/* x */ DROP TABLE t"`},
			Miss: []string{`psql -c "SELECT * FROM users"`, `psql -c "SELECT 'DROP TABLE users'"`, `echo "DROP TABLE users"`, `grep -rn "DROP TABLE" migrations`, `psql -c "ALTER TABLE t ADD COLUMN c int"`, `sqlite3 app.db ".tables"`, `psql -c "-- DROP TABLE t"`, `git commit -m "DROP TABLE t"`, "psql -f drop.sql"},
		},
		{
			ID: "sql-truncate", Class: "database", Programs: databases,
			Why:     "empties tables",
			Instead: "Delete only the rows you mean, with a WHERE inside a transaction, after asking the user.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "TRUNCATE" }),
			Hit:     []string{`psql -c "TRUNCATE users"`, `mysql app -e "truncate table t"`, "echo 'TRUNCATE t;' | mysql app"},
			Miss:    []string{`mysql app -e "SELECT TRUNCATE(1.5, 0)"`, `psql -c "SELECT count(*) FROM truncate_log"`, `echo "TRUNCATE users"`},
		},
		{
			ID: "sql-delete-all", Class: "database", Programs: databases,
			Why:     "deletes all rows of a table",
			Instead: "Add a WHERE that selects the rows, and count them with SELECT first.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "DELETE" && !q.Where }),
			Hit:     []string{`psql -c "DELETE FROM users"`, `sqlite3 app.db "delete from t;"`, `mysql -e "DELETE FROM t WHERE 1=1"`, "cat <<'EOF' | mysql app\nDELETE FROM t;\nEOF", `psql -c "WITH x AS (SELECT 1) DELETE FROM t"`, `psql -c "with x as (delete from users returning *) select 1"`},
			Miss:    []string{`psql -c "DELETE FROM users WHERE id = 1"`, `psql -c "SELECT * FROM deleted"`, `sqlite3 app.db "delete from t where x = 'y;'"`, `psql -c "EXPLAIN DELETE FROM t"`, `psql -c "with x as (delete from users where id = 1 returning *) select * from x"`},
		},
		{
			ID: "sql-update-all", Class: "database", Programs: databases,
			Why:     "changes all rows of a table",
			Instead: "Add a WHERE that selects the rows, and count them with SELECT first.",
			Match:   queries(func(q *sql.Query) bool { return q.Verb == "UPDATE" && q.Sets && !q.Where }),
			Hit:     []string{`psql -c "UPDATE users SET admin = true"`, `mysql -e "update t set a=1"`, `sqlite3 a.db "UPDATE t SET a = 'where'"`, `psql -c "UPDATE t SET a=1 WHERE true"`, `psql -c "with x as (update t set a = 1 returning *) select 1"`},
			Miss:    []string{`psql -c "UPDATE users SET admin = true WHERE id = 1"`, `psql -c "SELECT 1 FOR UPDATE"`, `psql -c "SELECT * FROM update_log"`},
		},
		{
			ID: "redis-flush", Class: "database", Programs: "redis-cli valkey-cli keydb-cli memcflush nc ncat telnet",
			Why:     "empties or stops a key-value store",
			Instead: "Delete single keys by name, after asking the user.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				return c.Span, !c.Function && !asksHelp(c) && emptiesKeys(s, c)
			},
			Hit:  []string{"redis-cli FLUSHALL", "redis-cli -h cache -n 1 flushdb", "echo FLUSHALL | redis-cli", "docker exec cache redis-cli FLUSHALL ASYNC", "echo flush_all | nc localhost 11211", "redis-cli KEYS '*' | xargs redis-cli DEL", "redis-cli EVAL \"redis.call('flushall')\" 0", "redis-cli SHUTDOWN NOSAVE"},
			Miss: []string{"redis-cli GET a", "redis-cli KEYS 'flush*'", "echo FLUSHALL", "redis-cli DEL a", "redis-cli GET flushall", "echo stats | nc localhost 11211"},
		},
		{
			ID: "mongo-drop", Class: "database", Programs: "mongosh mongo",
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
			ID: "database-reset", Class: "database", Programs: programsOf(resets, runners(), "dropdb dropuser rails rake bin/rails php artisan manage.py django-admin npx prisma supabase mix knex sequelize typeorm drizzle-kit python python3 diesel sqlx alembic flyway liquibase dbmate goose migrate bundle"),
			Why:     "drops or empties a whole database",
			Instead: "Make a dump first, and ask the user to reset the database.",
			Match: match(either(uses(resets), both(named("dropdb", "dropuser"), arguments(1)), both(named("rails", "rake", "bundle"), argument(is("db:drop", "db:reset", "db:drop:all", "db:migrate:reset", "db:schema:load", "db:purge"))), both(named("php", "artisan"), argument(is("migrate:fresh", "migrate:reset", "db:wipe", "migrate:refresh"))),
				both(named("manage.py", "django-admin", "python"), both(either(named("manage.py", "django-admin"), argument(hasSuffix("manage.py"))), says("flush", "reset_db", "sqlflush"))), both(named("npx", "prisma"), either(verbs("prisma migrate reset", "migrate reset"), says("--force-reset", "--accept-data-loss"))),
				both(named("supabase"), verbs("db reset")), both(named("mix"), says("ecto.drop", "ecto.reset")), both(named("diesel"), verbs("database reset", "database drop")), both(named("sqlx"), verbs("database drop", "database reset")), both(named("flyway"), says("clean")), both(named("liquibase"), says("drop-all", "dropAll")),
				both(named("dbmate", "migrate"), says("drop")), both(named("goose"), says("reset")), both(named("alembic"), verbs("downgrade base")), both(named("npx", "knex", "sequelize", "typeorm"), says("db:drop", "schema:drop", "db:migrate:undo:all")))),
			Hit:  []string{"dropdb app", "rails db:drop", "bundle exec rake db:reset", "php artisan migrate:fresh --seed", "npx prisma migrate reset --force", "python manage.py flush --no-input", "mix ecto.reset", "mysqladmin -uroot drop app", "pg_restore --clean -d app dump", "mongorestore --drop dump/", "pnpm prisma migrate reset", "dotnet ef database drop", "influx bucket delete --name b", "nodetool decommission", "npx supabase db reset", "python manage.py migrate shop zero", "docker-compose exec -T db dropdb app"},
			Miss: []string{"mysqladmin status", "pg_restore -d app dump", "mongorestore dump/", "pnpm prisma migrate dev", "dotnet ef database update", "influx bucket list", "nodetool status", "rails db:migrate", "php artisan migrate", "npx prisma migrate dev", "python manage.py migrate", "python manage.py migrate shop", "docker-compose exec db psql -l", "createdb app", "mix ecto.migrate", "python flush.py"},
		},
	}
}

// resets are further programs that drop or empty databases.
var resets = []use{
	{names: "mysqladmin mariadb-admin", does: "drop, _ drop, shutdown"},
	{names: "pg_dropcluster", does: "*"},
	{names: "pg_resetwal", does: "*", unless: "-n --dry-run -V --version"},
	{names: "pg_restore", does: "-c, --clean"},
	{names: "mongorestore", does: "--drop"},
	{names: "sequelize sequelize-cli typeorm mikro-orm", does: "db:drop, schema:drop, schema:fresh, migration:fresh, db:migrate:undo:all, entity:generate --drop"},
	{names: "prisma", does: "migrate reset, db push --force-reset, db push --accept-data-loss"},
	{names: "knex", does: "migrate:rollback --all, migrate:rollback -a"},
	{names: "drizzle-kit", does: "drop, push --force"},
	{names: "dotnet", does: "ef database drop"},
	{names: "console php symfony", does: "doctrine:database:drop, doctrine:schema:drop, _ doctrine:database:drop, _ doctrine:schema:drop"},
	{names: "sail php", does: "artisan migrate:fresh, artisan migrate:reset, artisan db:wipe"},
	{names: "flask alembic", does: "db downgrade base, downgrade base"},
	{names: "python", does: "manage.py flush, manage.py reset_db, manage.py migrate _ zero"},
	{names: "sea-orm-cli", does: "migrate fresh, migrate reset, migrate down"},
	{names: "migrate goose", does: "drop, reset, _ drop, _ reset, _ _ reset, down-to, _ down-to"},
	{names: "influx", does: "bucket delete, delete --bucket, delete --bucket-id, org delete, user delete, restore --full"},
	{names: "nodetool", does: "decommission, removenode, assassinate, clearsnapshot, drain, stopdaemon"},
	{names: "neo4j-admin", does: "database load --overwrite-destination, load --force, database restore --overwrite-destination"},
	{names: "couchbase-cli", does: "bucket-delete, bucket-flush, server-eject"},
	{names: "pscale", does: "database delete, branch delete"},
	{names: "atlas", does: "schema clean"},
	{names: "supabase", does: "db reset"},
	{names: "manage.py django-admin", does: "migrate _ zero"},
	{names: "docker-compose podman-compose", does: "exec _ dropdb, exec _ mysqladmin drop"},
}

// emptiesKeys reports whether a client of a key-value store, or a connection
// to one, is given a command that deletes everything there, or all that
// another command lists.
func emptiesKeys(s *hazard.Scene, c *cmd) bool {
	if c.Name == "memcflush" {
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

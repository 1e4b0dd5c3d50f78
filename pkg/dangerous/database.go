package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

const databases = "psql pgcli mysql mariadb mycli sqlite3 sqlite litecli duckdb cockroach clickhouse clickhouse-client sqlcmd bq snowsql usql sqlplus isql cqlsh trino presto hive beeline spark-sql db2 turso wrangler ysqlsh tsql"

func databaseRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sql-drop", Class: "database", Programs: databases,
			Why:     "drops tables, columns or whole databases",
			Instead: "Rename the object, or make a dump first and ask the user to drop it.",
			Match:   sql(func(q *query) bool { return q.verb == "drop" || q.verb == "alter" && q.drops }),
			Hit: []string{`psql -c "DROP TABLE users"`, `mysql -uroot -e "drop database app" `, `sqlite3 app.db "DROP TABLE IF EXISTS t;"`, `echo "DROP TABLE t;" | psql app`, "psql app <<'EOF'\nBEGIN;\nDROP SCHEMA public CASCADE;\nEOF", `psql -c "SELECT 1; DROP VIEW v"`,
				`docker exec db psql -U app -c "DROP TABLE t"`, `mysql <<< "alter table t drop column c"`, `duckdb a.db -c "DROP TABLE t"`, `psql -c "/* x */ DROP TABLE t"`},
			Miss: []string{`psql -c "SELECT * FROM users"`, `psql -c "SELECT 'DROP TABLE users'"`, `echo "DROP TABLE users"`, `grep -rn "DROP TABLE" migrations`, `psql -c "ALTER TABLE t ADD COLUMN c int"`, `sqlite3 app.db ".tables"`, `psql -c "-- DROP TABLE t"`, `git commit -m "DROP TABLE t"`, "psql -f drop.sql"},
		},
		{
			ID: "sql-truncate", Class: "database", Programs: databases,
			Why:     "empties tables",
			Instead: "Delete the rows that are meant with a WHERE, inside a transaction, after asking the user.",
			Match:   sql(func(q *query) bool { return q.verb == "truncate" }),
			Hit:     []string{`psql -c "TRUNCATE users"`, `mysql app -e "truncate table t"`, "echo 'TRUNCATE t;' | mysql app"},
			Miss:    []string{`mysql app -e "SELECT TRUNCATE(1.5, 0)"`, `psql -c "SELECT count(*) FROM truncate_log"`, `echo "TRUNCATE users"`},
		},
		{
			ID: "sql-delete-all", Class: "database", Programs: databases,
			Why:     "deletes all rows of a table",
			Instead: "Add a WHERE that names the rows, and count them with SELECT first.",
			Match:   sql(func(q *query) bool { return q.verb == "delete" && !q.where }),
			Hit:     []string{`psql -c "DELETE FROM users"`, `sqlite3 app.db "delete from t;"`, `mysql -e "DELETE FROM t WHERE 1=1"`, "cat <<'EOF' | mysql app\nDELETE FROM t;\nEOF", `psql -c "WITH x AS (SELECT 1) DELETE FROM t"`, `psql -c "with x as (delete from users returning *) select 1"`},
			Miss:    []string{`psql -c "DELETE FROM users WHERE id = 1"`, `psql -c "SELECT * FROM deleted"`, `sqlite3 app.db "delete from t where x = 'y;'"`, `psql -c "EXPLAIN DELETE FROM t"`, `psql -c "with x as (delete from users where id = 1 returning *) select * from x"`},
		},
		{
			ID: "sql-update-all", Class: "database", Programs: databases,
			Why:     "changes all rows of a table",
			Instead: "Add a WHERE that names the rows, and count them with SELECT first.",
			Match:   sql(func(q *query) bool { return q.verb == "update" && q.sets && !q.where }),
			Hit:     []string{`psql -c "UPDATE users SET admin = true"`, `mysql -e "update t set a=1"`, `sqlite3 a.db "UPDATE t SET a = 'where'"`, `psql -c "UPDATE t SET a=1 WHERE true"`, `psql -c "with x as (update t set a = 1 returning *) select 1"`},
			Miss:    []string{`psql -c "UPDATE users SET admin = true WHERE id = 1"`, `psql -c "SELECT 1 FOR UPDATE"`, `psql -c "SELECT * FROM update_log"`},
		},
		{
			ID: "redis-flush", Class: "database", Programs: "redis-cli valkey-cli keydb-cli",
			Why:     "empties a key-value store",
			Instead: "Delete single keys by name, after asking the user.",
			Match: func(s *hazard.Scene, c *command) (span, bool) {
				if c.Function || asksHelp(c) {
					return span{}, false
				}
				for text := range func(yield func(string) bool) { inputs(s, c, yield) } {
					for line := range strings.SplitSeq(text, "\n") {
						if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); flushes(word) {
							return c.Span, true
						}
					}
				}
				return c.Span, argument(flushes)(c)
			},
			Hit:  []string{"redis-cli FLUSHALL", "redis-cli -h cache -n 1 flushdb", "echo FLUSHALL | redis-cli", "docker exec cache redis-cli FLUSHALL ASYNC"},
			Miss: []string{"redis-cli GET a", "redis-cli KEYS 'flush*'", "echo FLUSHALL", "redis-cli DEL a"},
		},
		{
			ID: "mongo-drop", Class: "database", Programs: "mongosh mongo",
			Why:     "drops collections or databases, or deletes all documents",
			Instead: "Delete the documents that are meant with a filter, after asking the user.",
			Match: code(func(text string) bool {
				text = strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(text)
				return contains("dropDatabase(", ".drop(", "dropCollection(", "deleteMany({})", "remove({})", "dropIndexes(")(text)
			}),
			Hit:  []string{`mongosh app --eval "db.dropDatabase()"`, `mongosh --eval 'db.users.drop()'`, `mongosh app --eval "db.users.deleteMany({ })"`, "echo 'db.dropDatabase()' | mongosh app"},
			Miss: []string{`mongosh app --eval "db.users.find()"`, `mongosh --eval "db.users.deleteMany({a: 1})"`, `grep -rn "dropDatabase(" src`},
		},
		{
			ID: "database-reset", Class: "database", Programs: "dropdb dropuser mysqladmin rails rake bin/rails php artisan manage.py django-admin npx prisma supabase mix knex sequelize typeorm drizzle-kit python python3 diesel sqlx alembic flyway liquibase dbmate goose migrate bundle",
			Why:     "drops or empties a whole database",
			Instead: "Make a dump first, and ask the user to reset the database.",
			Match: match(either(both(named("dropdb", "dropuser"), arguments(1)), both(named("mysqladmin"), says("drop")), both(named("rails", "rake", "bundle"), argument(is("db:drop", "db:reset", "db:drop:all", "db:migrate:reset", "db:schema:load", "db:purge"))), both(named("php", "artisan"), argument(is("migrate:fresh", "migrate:reset", "db:wipe", "migrate:refresh"))),
				both(named("manage.py", "django-admin", "python", "python3"), both(either(named("manage.py", "django-admin"), argument(hasSuffix("manage.py"))), says("flush", "reset_db", "sqlflush"))), both(named("npx", "prisma"), either(verbs("prisma migrate reset", "migrate reset"), says("--force-reset", "--accept-data-loss"))),
				both(named("supabase"), verbs("db reset")), both(named("mix"), says("ecto.drop", "ecto.reset")), both(named("diesel"), verbs("database reset", "database drop")), both(named("sqlx"), verbs("database drop", "database reset")), both(named("flyway"), says("clean")), both(named("liquibase"), says("drop-all", "dropAll")),
				both(named("dbmate", "migrate"), says("drop")), both(named("goose"), says("reset")), both(named("alembic"), verbs("downgrade base")), both(named("npx", "knex", "sequelize", "typeorm"), says("db:drop", "schema:drop", "db:migrate:undo:all")))),
			Hit:  []string{"dropdb app", "rails db:drop", "bundle exec rake db:reset", "php artisan migrate:fresh --seed", "npx prisma migrate reset --force", "python manage.py flush --no-input", "mix ecto.reset"},
			Miss: []string{"rails db:migrate", "php artisan migrate", "npx prisma migrate dev", "python manage.py migrate", "createdb app", "mix ecto.migrate", "python flush.py"},
		},
	}
}

func flushes(v string) bool {
	return strings.EqualFold(v, "flushall") || strings.EqualFold(v, "flushdb")
}

// sql matches a client that is given a statement for which the test holds.
func sql(test func(*query) bool) matcher {
	return func(s *hazard.Scene, c *command) (span, bool) {
		for text := range func(yield func(string) bool) { statements(s, c, yield) } {
			for q := range queries(text) {
				if test(&q) {
					return c.Span, true
				}
			}
		}
		return span{}, false
	}
}

// statements calls yield for each text of SQL that a client is given. Those
// without a grammar take it in any argument.
func statements(s *hazard.Scene, c *command, yield func(string) bool) {
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

package record

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sql"
)

// sqlClients are the clients of databases, with how they are told the
// database, and the options that give statements.
var sqlClients = map[string]struct {
	dialect  sql.Dialect
	database string // option
	operand  int    // of the database
	code     []string
	// elsewhere are options that name a file with statements or another
	// source of settings.
	elsewhere []string
}{
	"psql":    {sql.Postgres, "d", 0, []string{"c"}, []string{"f", "v"}},
	"mysql":   {sql.MySQL, "D", 0, []string{"e"}, nil},
	"sqlite3": {sql.SQLite, "", 0, []string{"cmd"}, []string{"init"}},
}

// IsSQLClient reports whether the statements that a program is given are read.
func IsSQLClient(program string) bool {
	_, ok := sqlClients[program]
	return ok
}

// sqlFacets describes each statement that a client is given. Those of clients
// beside the four are unknown.
func sqlFacets(c *command.Command) []facet {
	if clientOf(c) == program.SQL {
		return []facet{hidden("sql")}
	}
	client, ok := sqlClients[c.Name]
	if !ok || c.Args.Has("help", "version", "l", "V") {
		return nil
	}
	base := facet{name: "sql", fields: map[string]any{}}
	base.database(c, client.database, client.operand)
	texts, all := statements(c, client.code)
	var out []facet
	all = all && !c.Args.Unlisted && !c.Args.Open && !c.Args.Has(client.elsewhere...)
	for _, text := range texts {
		list, ok := sql.Read(client.dialect, text)
		all = all && ok
		for _, s := range list {
			out = append(out, base.statement(s))
		}
	}
	if !all {
		f := base
		f.unknown = append(base.unknown[:len(base.unknown):len(base.unknown)], "sql.verb", "sql.tables")
		out = append(out, f)
	}
	return out
}

// statement returns a copy of a facet with a statement.
func (f *facet) statement(s sql.Statement) facet {
	out := facet{name: f.name, fields: map[string]any{"verb": s.Verb, "tables": s.Tables}, unknown: f.unknown}
	if db, ok := f.fields["database"]; ok {
		out.fields["database"] = db
	}
	if !s.Known {
		out.unknown = append(f.unknown[:len(f.unknown):len(f.unknown)], "sql.tables")
	}
	return out
}

// database adds the database: an option, or an operand. Where neither is
// there, the surroundings of the client name it.
func (f *facet) database(c *command.Command, option string, operand int) {
	if option != "" && c.Args.Has(option) {
		f.option(c, "database", option)
		return
	}
	if operand >= len(c.Args.Operands) {
		f.hide("database")
		return
	}
	text, ok := wordText(&c.Words[c.Args.Operands[operand].At])
	if !ok || strings.ContainsAny(text, "=:?") {
		f.hide("database") // a connection string, or a URI
		return
	}
	f.fields["database"] = text
}

// statements returns the texts that a client runs, and whether these are all:
// those of options and operands, or else its input.
func statements(c *command.Command, options []string) (texts []string, all bool) {
	all = true
	given := false
	add := func(w *shell.Word) {
		given = true
		if text, ok := wordText(w); ok {
			texts = append(texts, text)
		} else {
			all = false
		}
	}
	for i := range c.Args.Options {
		for _, name := range options {
			if o := &c.Args.Options[i]; o.Is(name) && o.HasArg {
				add(&o.Arg)
			}
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode {
			add(&c.Words[o.At])
		}
	}
	if given {
		return texts, all
	}
	if c.Input == nil {
		return nil, false
	}
	text, ok := c.Input.Literal()
	return []string{text}, ok
}

package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// IsURL reports whether a text is the URL of a PostgreSQL database, and no path.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// HasPassword reports whether a URL has a password in it, which others may see in the
// list of processes.
func HasPassword(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return IsURL(text) // nobody knows
	}
	_, has := u.User.Password()
	return IsURL(text) && (has || u.Query().Has("password"))
}

// Name returns what names the database at a URL, without a password: its host, its port
// and its own name.
func Name(text string) (string, error) {
	c, err := parse(text)
	if err != nil {
		return "", err
	}
	return name(c), nil
}

// forms says how a URL is written.
const forms = "write postgres://USER@HOST:5432/DATABASE?sslmode=verify-full, with the password in PGPASSWORD, in a PGPASSFILE or in a service file; " +
	"within a URL, write % and two hexadecimal digits for each of : / ? # [ ] @ %"

// parse reads a URL.
func parse(text string) (*pgx.ConnConfig, error) {
	if !IsURL(text) {
		return nil, fmt.Errorf("the database is no URL of PostgreSQL: %s", forms)
	}
	u, err := url.Parse(text)
	if err != nil { // what is wrong may be in the midst of a password
		return nil, fmt.Errorf("the URL of the database cannot be read: %s", forms)
	}
	c, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("the URL of the database: %s: %s", problem(err, u), forms)
	}
	if c.Database == "" {
		return nil, fmt.Errorf("the URL of the database names none: %s", forms)
	}
	if c.ConnectTimeout == 0 || c.ConnectTimeout > patience {
		c.ConnectTimeout = patience
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "policyctl"
	}
	c.ValidateConnect = usable
	return c, nil
}

// problem says what is wrong with the settings of a URL, without the URL.
func problem(err error, u *url.URL) string {
	text := err.Error()
	if _, rest, found := strings.Cut(text, "`: "); found {
		text = rest
	}
	password, _ := u.User.Password()
	for _, secret := range append(u.Query()["password"], password) {
		if secret != "" {
			text = strings.ReplaceAll(strings.ReplaceAll(text, secret, "…"), url.QueryEscape(secret), "…")
		}
	}
	return text
}

// name is a database for people.
func name(c *pgx.ConnConfig) string {
	at := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	for _, f := range c.Fallbacks {
		if next := net.JoinHostPort(f.Host, strconv.Itoa(int(f.Port))); !strings.Contains(at, next) {
			at += "," + next
		}
	}
	return fmt.Sprintf("%q at %s", c.Database, at)
}

// minVersion is the oldest server that is supported, as the server spells it.
const minVersion = 14_00_00

// Why a server is of no use.
var (
	errReplica  = errors.New("the server is a replica, or takes only reads: name the primary server, or all of them as HOST1,HOST2")
	errEncoding = errors.New("the database does not keep UTF-8: make one with createdb --encoding UTF8 --template template0")
	errOld      = errors.New("the server is older than PostgreSQL 14: upgrade it")
)

// pinned has a session look for tables and functions in the schema of the tables alone: in
// another one, other roles may have made functions that PostgreSQL would take for its own.
const pinned = `SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()), false) WHERE pg_catalog.current_schema() IS NOT NULL;`

// usable refuses a server that cannot keep the database. The session is pinned then.
func usable(ctx context.Context, c *pgconn.PgConn) error {
	all, err := c.Exec(ctx, pinned+"SELECT current_setting('server_version_num'), current_setting('server_encoding'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'").ReadAll()
	if err != nil {
		return err
	}
	row := all[1].Rows[0]
	return judge(string(row[0]), string(row[1]), string(row[2]))
}

// judge says what is wrong with a server of a version and an encoding that reads only.
func judge(version, encoding, readOnly string) error {
	switch n, err := strconv.Atoi(version); {
	case err != nil || n < minVersion:
		return errOld
	case encoding != "UTF8":
		return errEncoding
	case readOnly != "f":
		return errReplica
	}
	return nil
}

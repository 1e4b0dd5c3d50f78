package cli_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// command runs policyctl in the directory of a ledger.
func (l *ledger) command(args ...string) (code int, stdout, stderr string) {
	l.Helper()
	var out, said bytes.Buffer
	code = cli.Run(context.Background(), console.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said,
		Getenv: func(name string) string { return map[string]string{"HOME": l.dir}[name] }, Getwd: func() (string, error) { return l.dir, nil },
	})
	return code, out.String(), said.String()
}

// A database moves from its file to PostgreSQL, and the commands go on with it there.
func TestMigrate(t *testing.T) {
	seed.Slow(t)
	l, url := newLedger(t, 5), pgtest.URL(t)
	for _, step := range []struct {
		args, stdout, stderr string
	}{
		{"token list --db URL", "", "start policyctl serve to create them"},
		{"serve migrate --from " + l.db, "", `--to "": give the URL`},
		{"serve migrate --from none.db --to URL", "", "none.db: no such file"},
		{"token create ann --scope read --db " + l.db, "pol_", "ann"},
		{"serve migrate --from " + l.db + " --to URL", "with 6 records of the audit log, which verifies", ""},
		{"serve migrate --from " + l.db + " --to URL", "", "nothing was copied: "},
		{"audit verify --db URL", "records   6", ""},
		{"audit list --db URL", "login:1", ""},
		{"token list --db URL", "ann", ""},
		{"token create bob --scope read --db URL", "pol_", "bob"},
		{"audit verify --db URL", "records   7", ""},
		{"serve passkeys list --db URL", "", "there is no passkey"},
		{"serve backup x.db --db URL", "", "use pg_dump"},
		{"serve migrate --to URL", "up to date", ""},
		{"serve login https://policy.example.com/ --db URL", "https://policy.example.com/login#", ""},
		{"serve login policy.example.com --db URL", "", "give the address of the service"},
		{"serve login https://policy.example.com --db " + l.db, "", "type login there"},
		{"audit verify --db postgres://nobody:geheim@/x?host=/nowhere", "", "set PGPASSWORD or PGPASSFILE"},
	} {
		args := strings.Fields(step.args)
		for i := range args {
			args[i] = strings.Replace(args[i], "URL", url, 1)
		}
		code, stdout, stderr := l.command(args...)
		if !strings.Contains(stdout, step.stdout) || !strings.Contains(stdout+stderr, step.stderr) || (code == 0) != (step.stdout != "" || step.stderr == "there is no passkey") {
			t.Errorf("%s: %d %s%s", step.args, code, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, "geheim") {
			t.Errorf("%s prints a password: %s%s", step.args, stdout, stderr)
		}
	}
}

// A file that a service works on is not copied.
func TestMigrateServed(t *testing.T) {
	l, url := newLedger(t, 1), pgtest.URL(t)
	lock := flock.New(l.db + ".serve")
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	defer lock.Close()
	if code, _, stderr := l.command("serve", "migrate", "--from", l.db, "--to", url); code == 0 || !strings.Contains(stderr, "stop it first") {
		t.Errorf("%d %s", code, stderr)
	}
}

// A log that was changed is not carried on.
func TestMigrateTampered(t *testing.T) {
	l, url := newLedger(t, 5), pgtest.URL(t)
	l.edit("DELETE FROM audit WHERE seq = 2")
	if code, _, stderr := l.command("serve", "migrate", "--from", l.db, "--to", url); code == 0 || !strings.Contains(stderr, "nothing was copied: record 2") {
		t.Errorf("%d %s", code, stderr)
	}
	if _, err := os.Stat(l.db); err != nil {
		t.Error(err)
	}
}

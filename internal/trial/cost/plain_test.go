package cost_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/pkg/approval"
)

// plainServer names the database of the server that judges nothing: where it is set, this
// program is that server.
const plainServer = "COST_PLAIN_SERVER"

func TestMain(m *testing.M) {
	if db := os.Getenv(plainServer); db != "" {
		if err := servePlainly(db); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// mostPlain is how many requests share a commit, as in the service.
const mostPlain = 64

// servePlainly stores three rows for each request, many requests with one commit, and
// answers with about as much as the service does. It reads the body, and neither parses it
// nor asks whose it is. It ends with its standard input.
func servePlainly(db string) error {
	store, err := plainStore(db)
	if err != nil {
		return err
	}
	waiting := make(chan chan error, 1024)
	go storeTogether(waiting, store)
	answer := []byte(`{"id":"req_plain","state":"PENDING","title":"` + strings.Repeat("x", len(rows[0])) + `"}`)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		l.Close()
	}()
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if err == nil {
			stored := make(chan error, 1)
			waiting <- stored
			err = <-stored
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(answer)
	}))
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// storeTogether stores what waits, with one commit for all of it.
func storeTogether(waiting <-chan chan error, store func(n int) error) {
	for first := range waiting {
		all := []chan error{first}
		for more := true; more && len(all) < mostPlain; {
			select {
			case next := <-waiting:
				all = append(all, next)
			default:
				more = false
			}
		}
		err := store(len(all))
		for _, stored := range all {
			stored <- err
		}
	}
}

// plainStore returns what stores the rows of n requests durably, with one commit.
func plainStore(db string) (func(n int) error, error) {
	if strings.Contains(db, "://") {
		return plainPostgres(context.Background(), db)
	}
	return plainSQLite(context.Background(), db)
}

func plainSQLite(ctx context.Context, path string) (func(n int) error, error) {
	db, insert, err := openBare(ctx, path)
	if err != nil {
		return nil, err
	}
	return func(n int) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		in := tx.StmtContext(ctx, insert)
		for range n {
			for _, row := range rows {
				if _, err := in.ExecContext(ctx, row); err != nil {
					return err
				}
			}
		}
		return tx.Commit()
	}, nil
}

func plainPostgres(ctx context.Context, url string) (func(n int) error, error) {
	c, err := pgx.Connect(ctx, url)
	if err == nil {
		_, err = c.Exec(ctx, makeBare)
	}
	if err != nil {
		return nil, err
	}
	return func(n int) error { // one message is one transaction
		var all pgx.Batch
		for range n {
			for _, row := range rows {
				all.Queue(insertBare, row)
			}
		}
		return c.SendBatch(ctx, &all).Close()
	}, nil
}

// openBare opens a file of SQLite that stores durably, and the statement that stores a row.
func openBare(ctx context.Context, path string) (*sql.DB, *sql.Stmt, error) {
	db, err := driver.Open(path)
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE bare (seq INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT"} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
	}
	insert, err := db.PrepareContext(ctx, "INSERT INTO bare (document) VALUES (?)")
	return db, insert, err
}

// plain starts the server that judges nothing, and returns what asks it as agents ask the
// service. db is the URL of an empty database, or "" for a file.
func plain(t *testing.T, db string) func() error {
	t.Helper()
	if db == "" {
		db = filepath.Join(place(t), "plain.db")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), plainServer+"="+db)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	agents := make([]*approval.Client, tokens)
	for i := range agents {
		if agents[i], err = approval.NewClient("http://"+strings.TrimSpace(line), ""); err != nil {
			t.Fatal(err)
		}
	}
	all := &calls{agents: agents}
	return func() error {
		_, _, err := all.ask(t.Context())
		return err
	}
}

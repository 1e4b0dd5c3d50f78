package cost_test

import (
	"bufio"
	"context"
	"encoding/json"
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

	"github.com/policyctl/policyctl/pkg/approval"
)

// plainServer is the variable with which this program is the server that judges nothing.
const plainServer = "COST_PLAIN_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(plainServer) != "" {
		if err := servePlainly(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// An order is what the server that judges nothing does: it stores the rows of a sample in a
// database, and gives its answer.
type order struct {
	DB     string
	Sample sample
}

// servePlainly decodes each body, stores rows durably and answers as the service did. It
// knows nobody, has no index, judges nothing, and gives no answer of its own. It reads its
// order, and ends with the input behind it.
//
// Below /alone, each request stores its first row with a commit of its own, as the bare
// driver does. Below /shared, it stores all three, and those that wait share a commit, as in
// the service.
func servePlainly(in io.Reader) error {
	orders := json.NewDecoder(in)
	var o order
	if err := orders.Decode(&o); err != nil {
		return err
	}
	row, all, err := o.open(context.Background())
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, in)
		l.Close()
	}()
	mux := http.NewServeMux()
	mux.Handle("POST /alone/v1/requests", answering(o.Sample.Answer, row))
	mux.Handle("POST /shared/v1/requests", answering(o.Sample.Answer, sharing(all)))
	if err := http.Serve(l, mux); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// answering returns what decodes a body, stores something and gives an answer.
func answering(answer []byte, store func() error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Key, Timeout string
			Call         struct {
				Tool, Dir, Session string
				Input              map[string]any
			}
		}
		err := json.NewDecoder(r.Body).Decode(&body)
		if err == nil {
			err = store()
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(answer)
	})
}

// mostShared is how many requests share a commit, as in the service.
const mostShared = 64

// sharing returns what stores with those that wait: all stores for n of them.
func sharing(all func(n int) error) func() error {
	waiting := make(chan chan error, 1024)
	go func() {
		for first := range waiting {
			batch := []chan error{first}
			for more := true; more && len(batch) < mostShared; {
				select {
				case next := <-waiting:
					batch = append(batch, next)
				default:
					more = false
				}
			}
			err := all(len(batch))
			for _, stored := range batch {
				stored <- err
			}
		}
	}()
	return func() error {
		stored := make(chan error, 1)
		waiting <- stored
		return <-stored
	}
}

// open returns what stores the first row, and what stores the rows of n requests.
func (o *order) open(ctx context.Context) (row func() error, all func(n int) error, err error) {
	if isURL(o.DB) {
		pool, err := openPool(ctx, o.DB)
		if err != nil {
			return nil, nil, err
		}
		return sendRow(ctx, pool, o.Sample.Rows[0]), func(n int) error { return sendTogether(ctx, pool, n, o.Sample.Rows) }, nil
	}
	db, insert, err := openBare(ctx, o.DB)
	if err != nil {
		return nil, nil, err
	}
	return storeRow(ctx, insert, o.Sample.Rows[0]), func(n int) error { return storeTogether(ctx, db, insert, n, o.Sample.Rows) }, nil
}

// A plain is the server that judges nothing, in a process of its own.
type plain struct {
	*testing.T
	url string
	pid int
}

// startPlain starts the server. db is the URL of an empty database, or "" for a file.
func startPlain(t *testing.T, db string, s sample) *plain {
	t.Helper()
	if db == "" {
		db = filepath.Join(place(t), "plain.db")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), plainServer+"=1")
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
	if err := json.NewEncoder(in).Encode(order{db, s}); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return &plain{t, "http://" + strings.TrimSpace(line), cmd.Process.Pid}
}

// asks returns what asks the server below a path as agents ask the service.
func (p *plain) asks(path string) func() error {
	p.Helper()
	all := &calls{agents: make([]*approval.Client, tokens)}
	for i := range all.agents {
		var err error
		if all.agents[i], err = approval.NewClient(p.url+path, ""); err != nil {
			p.Fatal(err)
		}
	}
	return func() error {
		_, _, err := all.ask(p.Context())
		return err
	}
}

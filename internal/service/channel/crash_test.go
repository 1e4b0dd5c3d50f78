package channel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A ledger is what arrived at the services behind channels, whatever became of who sent
// it.
type ledger struct {
	mu       sync.Mutex
	messages []entry
}

// An entry is a message, or what one became.
type entry struct{ Channel, ID, Request, Ref, Outcome string }

func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var e entry
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.messages = append(l.messages, e)
}

// count returns how many messages came by a channel, and how many say how they ended; of
// those with an id that came before none.
func (l *ledger) count(name string) (asks, outcomes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := make(map[string]bool)
	for _, e := range l.messages {
		switch {
		case e.Channel != name || seen[e.ID]:
		case e.Ref == "":
			asks++
		default:
			outcomes++
		}
		seen[e.ID] = true
	}
	return asks, outcomes
}

// raw counts messages, also those that came before.
func (l *ledger) raw(name string) (asks int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.messages {
		if e.Channel == name && e.Ref == "" {
			asks++
		}
	}
	return asks
}

// A sender is a driver that sends to a ledger. die is called between its steps.
type sender struct {
	*channeltest.Driver
	name, ledger string
	die          func()
}

func (s *sender) Post(_ context.Context, m *channel.Message) (string, error) {
	return "r" + m.ID, s.send(entry{Channel: s.name, ID: m.ID, Request: m.Request})
}

func (s *sender) Amend(_ context.Context, ref string, m *channel.Message) error {
	return s.send(entry{s.name, m.ID, m.Request, ref, m.Outcome})
}

func (s *sender) send(e entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	s.die()
	res, err := http.Post(s.ledger, "application/json", bytes.NewReader(text))
	if err == nil {
		err = res.Body.Close()
	}
	s.die()
	return err
}

// A mortal is a store before and after each change of which the process may die.
type mortal struct {
	backend.Data
	die func()
}

func (m mortal) Follow(ctx context.Context, s channel.Step) error {
	m.die()
	defer m.die()
	return m.Data.Follow(ctx, s)
}

func (m mortal) ChangeDelivery(ctx context.Context, c channel.Change) (bool, error) {
	m.die()
	defer m.die()
	return m.Data.ChangeDelivery(ctx, c)
}

func (m mortal) Update(ctx context.Context, id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	m.die()
	defer m.die()
	return m.Data.Update(ctx, id, change)
}

// The variables that make a process of this test one that serves.
const (
	childDir    = "POLICYCTL_TEST_DIR"
	childLedger = "POLICYCTL_TEST_LEDGER"
	childSteps  = "POLICYCTL_TEST_STEPS"
	childRepeat = "POLICYCTL_TEST_REPEAT"
)

// TestChild serves in a process of its own: it asks once, waits until somebody was told,
// denies, waits until that was told, and ends. It kills itself at a step.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("a part of TestKilled")
	}
	steps, err := strconv.Atoi(os.Getenv(childSteps))
	if err != nil {
		t.Fatal(err)
	}
	var done atomic.Int64
	die := func() {
		if done.Add(1) == int64(steps) {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			t.Log(err)
			select {}
		}
	}
	channels := make([]channel.Channel, 0, 2)
	for i, name := range []string{"phone", "pager"} {
		d := &sender{&channeltest.Driver{Repeated: os.Getenv(childRepeat) != ""}, name, os.Getenv(childLedger), die}
		channels = append(channels, of(name, d, time.Duration(i)*time.Hour))
	}
	s := serve(t, servertest.Options{Directory: dir, Channels: channels, Data: func(d backend.Data) backend.Data { return mortal{d, die} }})
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Key: "k", Call: policy.Shell("make", "/src")})
	if err != nil {
		t.Fatal(err)
	}
	settled := func(about channel.About) bool {
		all, err := s.Data.Deliveries(t.Context(), channel.Filter{Request: r.ID})
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, v := range all {
			late := v.Channel == "pager" && v.State == channel.Due && v.Tries == 0 && about == channel.AboutAsk
			if v.About == about && (v.State == channel.Due || v.State == channel.Sending) && !late {
				return false
			}
			told = told || v.About == about && v.State == channel.Sent
		}
		return told
	}
	channeltest.Until(t, "somebody is told", func() bool { return settled(channel.AboutAsk) })
	_, err = s.Service.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.Rejected})
	if err != nil && !errors.Is(err, approval.ErrDecided) {
		t.Fatal(err)
	}
	channeltest.Until(t, "the outcome is told", func() bool { return settled(channel.AboutOutcome) })
	fmt.Println("finished")
}

// The service is killed between any two steps, and goes on. What the outside has seen is
// no message twice, and none that is lost unless it is called uncertain and the next
// channel was used.
func TestKilled(t *testing.T) {
	seed.Slow(t)
	if testing.Short() {
		t.Skip("it starts a process for each step")
	}
	if runtime.GOOS == "windows" {
		t.Skip("a killed process leaves locks for a while")
	}
	for _, repeats := range []string{"", "yes"} {
		t.Run("repeats "+repeats, func(t *testing.T) {
			uncertain := 0
			for step := 1; ; step++ {
				whole, doubt := killedAt(t, step, repeats)
				if doubt {
					uncertain++
				}
				if whole {
					if step < 10 {
						t.Errorf("there are only %d steps", step)
					}
					break
				}
			}
			if (repeats == "") != (uncertain > 0) {
				t.Errorf("%d times it was uncertain whether a message came", uncertain)
			}
		})
	}
}

// killedAt kills the service at a step and starts it anew. It reports whether there was no
// such step, and whether a message became uncertain.
func killedAt(t *testing.T, step int, repeats string) (whole, doubt bool) {
	t.Helper()
	dir := t.TempDir()
	l := &ledger{}
	outside := httptest.NewServer(l)
	defer outside.Close()
	whole = child(t, dir, outside.URL, repeats, step)
	if !whole && !child(t, dir, outside.URL, repeats, 0) {
		t.Fatalf("step %d: the service does not go on", step)
	}
	s := servertest.New(t, servertest.Options{Directory: dir})
	list, err := s.Service.List(t.Context(), approval.Filter{})
	if err != nil || len(list) != 1 || list[0].State != approval.Denied {
		t.Fatalf("step %d: %+v, %v", step, list, err)
	}
	all, err := s.Data.Deliveries(t.Context(), channel.Filter{Request: list[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	states := make(map[string]channel.State)
	for _, v := range all {
		states[v.Channel+" "+string(v.About)] = v.State
	}
	doubt = states["phone ask"] == channel.Uncertain
	asks, outcomes := l.count("phone")
	pages, ends := l.count("pager")
	if repeats == "" && (l.raw("phone") > 1 || l.raw("pager") > 1) || asks > 1 || pages > 1 {
		t.Errorf("step %d: told twice: %+v", step, l.messages)
	}
	switch {
	case !doubt && (asks != 1 || outcomes != 1 || pages != 0):
		t.Errorf("step %d: %d asks, %d outcomes, %d pages: %v", step, asks, outcomes, pages, states)
	case doubt && (pages != 1 || ends != 1):
		t.Errorf("step %d: uncertain and not escalated: %d pages, %d ends: %v", step, pages, ends, states)
	}
	return whole, doubt
}

// child runs the service in a process, and reports whether it came to the end.
func child(t *testing.T, dir, ledger, repeats string, steps int) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childLedger+"="+ledger, childRepeat+"="+repeats, childSteps+"="+strconv.Itoa(steps))
	out, err := cmd.CombinedOutput()
	finished := bytes.Contains(out, []byte("finished"))
	if err != nil && bytes.Contains(out, []byte("FAIL")) {
		t.Fatalf("steps %d in %s: %v\n%s", steps, filepath.Base(dir), err, out)
	}
	return finished
}

package server_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A twin is what a request must be: the life of a request, written down a
// second time and as plainly as can be.
type twin struct {
	id, submitter, session, key, command string

	state    approval.State
	version  int64
	expires  time.Time // when the time to decide is over
	until    time.Time // the end of the receipt
	word, by string    // of the decision
	receipt  string
	consumed bool
	outcome  string
	late     int
}

// A model is a service beside which twins are kept.
type model struct {
	*servertest.Service
	t      *testing.T
	rand   *rand.Rand
	tokens map[string]string // by name
	twins  []*twin
	ahead  time.Duration
	log    string // the last step
}

// modelSteps sets how many steps are taken, and SEED which.
const modelSteps = "POLICYCTL_TEST_MODEL_STEPS"

// Whatever is asked in whatever order, a request lives as its twin does, and
// the log tells all of it.
func TestModel(t *testing.T) {
	steps := seed.Count(t, modelSteps, 400)
	free := webguard.Bucket{PerSecond: 1e6, Burst: 1e6}
	m := &model{t: t, rand: rand.New(rand.NewPCG(seed.New(t), 0)), tokens: map[string]string{}}
	m.Service = servertest.New(t, servertest.Options{
		Config:  func(c *server.Config) { c.Identities, c.API.Sessions = free, free },
		Service: func(o *approval.Options) { o.MaxPending = 6 },
	})
	for name, scopes := range map[string]string{"a": "submit", "b": "submit,approve,read", "ann": "approve,read", "bob": "approve"} {
		m.tokens[name] = m.Token(t, name, scopes)
	}
	all := []func(){
		m.submit, m.submit, m.submit, m.decide, m.decide, m.decide, m.cancel, m.consume, m.consume, m.report, m.report, m.skip, m.end, m.look,
	}
	for range steps {
		all[m.rand.IntN(len(all))]()
		if t.Failed() {
			t.Fatal("the step was: ", m.log)
		}
	}
	m.check()
}

func pick[T any](m *model, of ...T) T { return of[m.rand.IntN(len(of))] }

// now is the clock of the service. Steps stay clear of the moments in which
// something ends, as real time passes too.
func (m *model) now() time.Time { return time.Now().Add(m.ahead) }

// any returns a request that there is, one of the newest more often.
func (m *model) any() *twin {
	if len(m.twins) == 0 {
		m.submit()
	}
	n := len(m.twins)
	if m.rand.IntN(4) > 0 {
		return m.twins[n-1-m.rand.IntN(min(n, 8))]
	}
	return m.twins[m.rand.IntN(n)]
}

// settle ends what is over.
func (m *model) settle() {
	for _, w := range m.twins {
		if w.state == approval.Pending && !m.now().Before(w.expires) {
			w.end(approval.TimedOut, "rejected", "service")
		}
	}
}

func (w *twin) end(to approval.State, word, by string) {
	w.state, w.word, w.by = to, word, by
	w.version++
}

// send does a step and compares the status, and the state of the request in
// the answer if there is one.
func (m *model) send(want int, who, method, path, body string, w *twin) servertest.Answer {
	m.log = fmt.Sprintf("%s: %s %s %s", who, method, path, body)
	a := m.Do(m.t, m.tokens[who], method, path, body)
	if a.Status != want {
		m.t.Errorf("%s: %d, want %d of %+v: %s", m.log, a.Status, want, w, a.Text)
	}
	if s := a.At("state"); w != nil && a.Status < 300 && s != string(w.state) {
		m.t.Errorf("%s: %v, want %+v", m.log, s, w)
	}
	return a
}

func (m *model) submit() {
	m.settle()
	w := &twin{
		submitter: pick(m, "a", "b"), session: pick(m, "s1", "s2"), command: pick(m, "make", "make all", "ls", "rm -rf /"),
		key: pick(m, "", "", "", fmt.Sprint("k", m.rand.IntN(40))), version: 1, state: approval.Pending, expires: m.now().Add(5 * time.Minute),
	}
	body := fmt.Sprintf(`{"key":%q,"call":{"tool":"shell","input":{"command":%q},"session":%q,"dir":"/src"}}`, w.key, w.command, w.session)
	pending, stands := 0, (*twin)(nil)
	for _, o := range m.twins {
		if o.submitter == w.submitter && o.session == w.session && o.state == approval.Pending {
			pending++
		}
		if w.key != "" && o.key == w.key && o.submitter == w.submitter {
			stands = o
		}
	}
	switch {
	case stands != nil && (stands.command != w.command || stands.session != w.session):
		m.send(409, w.submitter, "POST", "/v1/requests", body, nil)
		return
	case stands != nil:
		m.send(200, w.submitter, "POST", "/v1/requests", body, stands)
		return
	case w.command == "ls":
		w.state, w.word, w.by = approval.Approved, "auto_approved", "policy"
	case w.command == "rm -rf /":
		w.state, w.word, w.by = approval.Denied, "rejected", "policy"
	case pending >= 6:
		m.send(429, w.submitter, "POST", "/v1/requests", body, nil)
		return
	}
	want := 200
	if w.state == approval.Pending {
		want = 201
	}
	a := m.send(want, w.submitter, "POST", "/v1/requests", body, w)
	w.id, _ = a.At("id").(string)
	w.took(a)
	w.until = m.now().Add(5 * time.Minute)
	m.twins = append(m.twins, w)
}

// took notes the receipt of an answer to the submitter.
func (w *twin) took(a servertest.Answer) {
	if w.receipt == "" {
		w.receipt, _ = a.At("receipt.receipt").(string)
	}
}

func (m *model) decide() {
	m.settle()
	w, who := m.any(), pick(m, "ann", "ann", "bob", "b", "a")
	word := pick(m, "approved_once", "approved_once", "rejected", "request_more")
	path, body := "/v1/requests/"+w.id+"/decision", fmt.Sprintf(`{"decision":%q}`, word)
	by := "token:" + who
	switch {
	case who == "a", who == w.submitter:
		m.send(403, who, "POST", path, body, w)
	case w.word == word && w.by == by:
		m.send(200, who, "POST", path, body, w)
	case w.state == approval.TimedOut || w.state == approval.Cancelled:
		a := m.send(409, who, "POST", path, body, w)
		if v, ok := a.At("request.version").(float64); ok { // it may be one of the late ones that are kept
			if n := int64(v) - w.version; n < 0 || n > 1 || w.late == 16 && n > 0 {
				m.t.Errorf("%s: version %v of %+v", m.log, v, w)
			} else {
				w.version, w.late = w.version+n, w.late+int(n)
			}
		}
	case w.state != approval.Pending:
		m.send(409, who, "POST", path, body, w)
	default:
		to := approval.Denied
		if word == "approved_once" {
			to = approval.Approved
		}
		w.end(to, word, by)
		w.until = m.now().Add(5 * time.Minute)
		if a := m.send(200, who, "POST", path, body, w); a.At("receipt.receipt") != nil && a.At("receipt.receipt") != "" {
			m.t.Errorf("%s: who decides has the receipt: %s", m.log, a.Text)
		}
	}
}

func (m *model) cancel() {
	m.settle()
	w, who := m.any(), pick(m, "a", "b")
	want := 200
	switch {
	case who != w.submitter:
		want = 404
	case w.state != approval.Pending:
		want = 409
	default:
		w.end(approval.Cancelled, "", "")
	}
	m.send(want, who, "POST", "/v1/requests/"+w.id+"/cancel", "", w)
}

func (m *model) consume() {
	m.settle()
	w, who := m.any(), pick(m, "a", "b")
	a := m.send(200, w.submitter, "GET", "/v1/requests/"+w.id, "", w)
	w.took(a)
	want := 200
	switch {
	case w.receipt == "":
		return
	case !m.now().Before(w.until), who != w.submitter:
		want = 422
	case w.consumed:
		want = 409
	default:
		w.consumed = true
		w.version++
	}
	m.send(want, who, "POST", "/v1/receipts/consume", fmt.Sprintf(`{"receipt":%q}`, w.receipt), w)
}

func (m *model) report() {
	m.settle()
	w, who, outcome := m.any(), pick(m, "a", "b"), pick(m, "EXECUTED", "FAILED")
	want := 200
	switch {
	case who != w.submitter:
		want = 404
	case w.outcome == outcome:
	case w.outcome != "" || !w.consumed:
		want = 409
	default:
		w.outcome, w.state = outcome, approval.State(outcome)
		w.version++
	}
	m.send(want, who, "POST", "/v1/requests/"+w.id+"/result", fmt.Sprintf(`{"outcome":%q}`, outcome), w)
}

// skip lets minutes pass, and never so many that something ends in this very
// moment.
func (m *model) skip() {
	d := time.Duration(1+m.rand.IntN(170)) * time.Second
	for i := 0; i < len(m.twins); i++ {
		for _, end := range []time.Time{m.twins[i].expires, m.twins[i].until} {
			if left := end.Sub(m.now()) - d; left > -5*time.Second && left < time.Minute {
				d += left + 6*time.Second
				i = -1 // that may be such a moment of another one
				break
			}
		}
	}
	m.ahead += d
	m.Skip(d)
}

func (m *model) end() {
	m.settle()
	who, session := pick(m, "a", "b"), pick(m, "s1", "s2")
	n := 0
	for _, w := range m.twins {
		if w.submitter == who && w.session == session && w.state == approval.Pending {
			w.end(approval.Cancelled, "", "")
			n++
		}
	}
	if a := m.send(200, who, "POST", "/v1/sessions/"+session+"/end", "", nil); a.At("cancelled") != float64(n) {
		m.t.Errorf("%s: %s, want %d", m.log, a.Text, n)
	}
}

func (m *model) look() {
	m.settle()
	w := m.any()
	if a := m.send(200, "ann", "GET", "/v1/requests/"+w.id, "", w); a.At("version") != float64(w.version) {
		m.t.Errorf("%s: version %v, want %+v", m.log, a.At("version"), w)
	}
}

// check compares all requests with their twins, and the log with both.
func (m *model) check() {
	m.settle()
	for _, w := range m.twins {
		r, err := m.Service.Service.Get(m.t.Context(), w.id)
		if err != nil || r.State != w.state || r.Version != w.version || (r.Execution != nil) != (w.outcome != "") {
			m.t.Errorf("%+v, want %+v", r, w)
		}
	}
	lives := livesOf(m.t, m.Service)
	for _, w := range m.twins {
		for kind, want := range map[string]bool{
			audit.KindRequest: true, audit.KindReceipt: w.receipt != "" || w.word == "approved_once", audit.KindConsumption: w.consumed,
			audit.KindExecution: w.outcome != "", audit.KindCancellation: w.state == approval.Cancelled, audit.KindExpiry: w.state == approval.TimedOut,
		} {
			if n := strings.Count(lives[w.id], kind+" "); n > 1 || (n == 1) != want {
				m.t.Errorf("%s: %d records of %s: %+v", lives[w.id], n, kind, w)
			}
		}
	}
}

// livesOf verifies the log, and returns the kinds of the records of each
// request, in their order.
func livesOf(t *testing.T, s *servertest.Service) map[string]string {
	t.Helper()
	lives := map[string]string{}
	var v audit.Verifier
	for after := int64(0); ; {
		page, err := s.Data.Audit(t.Context(), after, 1000)
		if err != nil || len(page) == 0 {
			if err != nil {
				t.Error(err)
			}
			return lives
		}
		for _, r := range page {
			if err := v.Check(r); err != nil {
				t.Fatal(err)
			}
			after = r.Seq
			kind := r.Kind
			if r.Detail["late"] != "" {
				kind = "late"
			}
			lives[r.RequestID] += kind + " "
		}
	}
}

// legal are the lives that a request may have.
var legal = regexp.MustCompile(`^request (decision (receipt (consumption (execution )?)?)?|(expiry |cancellation )(late )*)?$`)

// Many at once leave no request with two ends, no receipt that was used twice,
// and nothing that the log does not tell.
func TestModelTogether(t *testing.T) {
	free := webguard.Bucket{PerSecond: 1e6, Burst: 1e6}
	s := servertest.New(t, servertest.Options{Config: func(c *server.Config) { c.Identities, c.API.Sessions = free, free }})
	agent, tokens := s.Token(t, "agent", "submit"), []string{s.Token(t, "ann", "approve"), s.Token(t, "bob", "approve")}
	var used sync.Map // how often the use of a receipt was acknowledged
	var all sync.WaitGroup
	for n := range seed.Count(t, modelSteps, 400) / 20 {
		id := submit(t, s, agent, push)
		for i := range 8 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(n), uint64(i)))
				for range 4 {
					path := "/v1/requests/" + id
					switch r.IntN(6) {
					case 0:
						s.Do(t, tokens[i%2], "POST", path+"/decision", approveOnce)
					case 1:
						s.Do(t, tokens[i%2], "POST", path+"/decision", `{"decision":"rejected"}`)
					case 2:
						s.Do(t, agent, "POST", path+"/cancel", "")
					case 3:
						s.Skip(20 * time.Second)
					case 4:
						text, _ := s.Do(t, agent, "GET", path, "").At("receipt.receipt").(string)
						if text != "" && consume(t, s, agent, text).Status == 200 {
							count, _ := used.LoadOrStore(id, new(atomic.Int32))
							count.(*atomic.Int32).Add(1)
						}
					case 5:
						s.Do(t, agent, "POST", path+"/result", `{"outcome":"EXECUTED"}`)
					}
				}
			})
		}
		all.Wait()
	}
	lives := livesOf(t, s)
	delete(lives, "")
	for id, life := range lives {
		count, consumed := used.Load(id)
		if !legal.MatchString(life) || consumed != strings.Contains(life, "consumption") || consumed && count.(*atomic.Int32).Load() != 1 {
			t.Errorf("%s: %s", id, life)
		}
	}
}

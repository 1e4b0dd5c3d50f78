package channel_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// people are those who may answer in these tests.
var people = map[string]string{"1": "ann", "2": "ben"}

// of returns a channel at which one press approves everything that is known.
func of(name string, d channel.Driver, after time.Duration) channel.Channel {
	return channel.Channel{Name: name, Type: "memory", Driver: d, People: people, Place: "home", OneTap: "high", After: after}
}

// serve runs a service whose policy names all of some channels.
func serve(t testing.TB, o servertest.Options) *servertest.Service {
	t.Helper()
	settings := policy.Defaults()
	if o.Settings != nil {
		settings = *o.Settings
	}
	if settings.Approval.NotifyChannel == "" {
		var names []string
		for _, c := range o.Channels {
			names = append(names, c.Name)
		}
		settings.Approval.NotifyChannel = strings.Join(names, ",")
	}
	o.Settings = &settings
	return servertest.New(t, o)
}

// submit asks for a command and returns its request.
func submit(t testing.TB, s *servertest.Service, command string) *approval.Request {
	t.Helper()
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: policy.Shell(command, "/src"), Timeout: time.Minute})
	if err != nil || r.State != approval.Pending {
		t.Fatalf("submit %q: %+v, %v", command, r, err)
	}
	return r
}

func press(who, token string) channel.Answer {
	return channel.Answer{Sender: who, Place: "home", Token: token}
}

// sure is a press that was confirmed.
func sure(who, token string) channel.Answer {
	a := press(who, token)
	a.Confirmed = true
	return a
}

// refusals returns the codes of what the audit log was told of by channels.
func refusals(t testing.TB, s *servertest.Service) (codes []string) {
	t.Helper()
	all, err := s.Data.Audit(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Kind == audit.KindRefusal {
			codes = append(codes, r.Detail["code"])
		}
	}
	return codes
}

func TestPress(t *testing.T) {
	phone, slack := &channeltest.Driver{}, &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, 0)}})
	r := submit(t, s, "make deploy")
	m, other := phone.Await(t, r.ID), slack.Await(t, r.ID)
	reply := phone.Say(t, press("1", channeltest.Token(t, m, "Approve once")))
	if !reply.Done || reply.Refused || !strings.HasPrefix(reply.Text, "approved by phone:ann at ") {
		t.Errorf("reply: %+v", reply)
	}
	if got, err := s.Service.Get(t.Context(), r.ID); err != nil || got.State != approval.Approved || got.Decision.By != "phone:ann" {
		t.Errorf("%+v, %v", got, err)
	}
	began := time.Now()
	for name, d := range map[string]*channeltest.Driver{"phone": phone, "slack": slack} {
		channeltest.Until(t, name+" is amended", func() bool { return len(d.Amended(r.ID)) == 1 })
		a := d.Amended(r.ID)[0]
		if !strings.HasPrefix(a.Outcome, "approved by phone:ann at ") || len(a.Buttons) > 0 || a.Head != "[APPROVED]" {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("the messages were amended after %v", took)
	}
	late := slack.Say(t, press("2", channeltest.Token(t, other, "Deny")))
	if !late.Done || !strings.HasPrefix(late.Text, "already approved by phone:ann at ") {
		t.Errorf("late: %+v", late)
	}
	again := phone.Say(t, press("1", channeltest.Token(t, m, "Approve once")))
	if !again.Refused || !strings.HasPrefix(again.Text, "already approved by phone:ann at ") {
		t.Errorf("again: %+v", again)
	}
}

// What nobody may say changes nothing, and is in the log and in the audit log.
func TestAttacks(t *testing.T) {
	phone, slack := &channeltest.Driver{}, &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, 0)}})
	r := submit(t, s, "make deploy")
	token := channeltest.Token(t, phone.Await(t, r.ID), "Approve once")
	for _, row := range []struct {
		name, code, says string
		by               *channeltest.Driver
		a                channel.Answer
	}{
		{"stranger", "unknown-sender", "approvers.yaml", phone, press("666", token)},
		{"nobody", "unknown-sender", "approvers.yaml", phone, press("", token)},
		{"stranger who writes", "unknown-sender", "approvers.yaml", phone, channel.Answer{Sender: "ann", Place: "home", Request: r.ID, Approve: true}},
		{"another chat", "foreign-place", "use the chat", phone, channel.Answer{Sender: "1", Place: "elsewhere", Token: token}},
		{"no chat", "foreign-place", "use the chat", phone, channel.Answer{Sender: "1", Token: token}},
		{"another channel", "foreign-button", "not one of this channel", slack, press("1", token)},
		{"forged", "unknown-button", "unknown", phone, press("1", token[:21]+"_")},
		{"huge", "unknown-button", "unknown", phone, press("1", strings.Repeat("A", 10<<20))},
		{"SQL", "unknown-button", "unknown", phone, press("1", "' OR 1=1 --")},
		{"another request", "", "no request of this id", phone, channel.Answer{Sender: "1", Place: "home", Request: "req_x", Approve: true}},
		{"nothing", "", "no request of this id", phone, channel.Answer{Sender: "1", Place: "home", Approve: true}},
	} {
		before := len(refusals(t, s))
		reply := row.by.Say(t, row.a)
		if !reply.Refused || reply.Done || !strings.Contains(reply.Text, row.says) {
			t.Errorf("%s: %+v", row.name, reply)
		}
		codes := refusals(t, s)
		if row.code != "" && (len(codes) != before+1 || codes[before] != row.code) {
			t.Errorf("%s: the audit log has %v", row.name, codes)
		}
	}
	if got, err := s.Service.Get(t.Context(), r.ID); err != nil || got.State != approval.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	long := press("1", token)
	long.Reason = strings.Repeat("x", 5000)
	if reply := phone.Say(t, long); !reply.Refused || !strings.Contains(reply.Text, "reason") {
		t.Errorf("a long reason: %+v", reply)
	}
	for range 100 { // strangers do not fill the audit log
		phone.Say(t, press("666", token))
	}
	if n := len(refusals(t, s)); n > 30 {
		t.Errorf("%d refusals are in the audit log", n)
	}
	if reply := phone.Say(t, press("1", token)); !reply.Done {
		t.Errorf("the one who may: %+v", reply)
	}
}

func TestWritten(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	yes, no := submit(t, s, "make deploy"), submit(t, s, "make clean")
	phone.Await(t, yes.ID)
	phone.Await(t, no.ID)
	a := channel.Answer{Sender: "2", Place: "T1/home", Request: yes.ID, Approve: true}
	if reply := phone.Say(t, a); !reply.Done || !strings.HasPrefix(reply.Text, "approved by phone:ben") {
		t.Errorf("%+v", reply)
	}
	a = channel.Answer{Sender: "2", Place: "home", Request: no.ID, Reason: "use\nthe test database"}
	if reply := phone.Say(t, a); !strings.HasSuffix(reply.Text, ": use ⏎ the test database") {
		t.Errorf("%+v", reply)
	}
	if got, _ := s.Service.Get(t.Context(), no.ID); got.State != approval.Denied || got.Decision.Reason != a.Reason {
		t.Errorf("%+v", got.Decision)
	}
}

// What one press may not approve has the page of the request behind its button.
func TestOneTap(t *testing.T) {
	for _, row := range []struct {
		tap, command string
		passkey      policy.Threshold
		token        bool
	}{
		{"", "make", "", false}, {"none", "make", "", false}, {"low", "rm -rf build", "", false}, {"high", "rm -rf build", "", true},
		{"high", "rm -rf build", policy.AllRequests, false}, {"high", "rm -rf build", "medium", false},
	} {
		phone := &channeltest.Driver{}
		c := of("phone", phone, 0)
		c.OneTap = row.tap
		s := serve(t, servertest.Options{Channels: []channel.Channel{c}, PasskeyAbove: row.passkey})
		r := submit(t, s, row.command)
		m := phone.Await(t, r.ID)
		approves, denies, page := false, false, false
		for _, b := range m.Buttons {
			if b.Confirm != "" != (b.Token != "" && b.Label != "Deny") {
				t.Errorf("%+v: %s asks again: %q", row, b.Label, b.Confirm)
			}
			approves = approves || b.Token != "" && strings.HasPrefix(b.Label, "Approve")
			denies = denies || b.Token != "" && b.Label == "Deny"
			page = page || b.URL == s.URL+"/ui/requests/"+r.ID && b.Token == ""
		}
		if approves != row.token || !denies || !page {
			t.Errorf("%+v (risk %s): %+v", row, m.Risk, m.Buttons)
		}
		reply := phone.Say(t, channel.Answer{Sender: "1", Place: "home", Request: r.ID, Approve: true})
		if !reply.Refused || !strings.Contains(reply.Text, s.URL+"/ui/requests/"+r.ID) {
			t.Errorf("%+v: written: %+v", row, reply)
		}
		label := "Deny"
		if row.token {
			label = "Approve once"
		}
		if row.token && m.Risk == "high" { // whatever the driver asked
			if reply := phone.Say(t, press("1", channeltest.Token(t, m, label))); !reply.Refused || !strings.Contains(reply.Text, "takes a second act") {
				t.Errorf("%+v: pressed once: %+v", row, reply)
			}
		}
		if held := m.Held != ""; held == row.token || held && !strings.Contains(m.Text(), "\nTo approve: "+m.Held) {
			t.Errorf("%+v: held %q", row, m.Held)
		}
		if reply := phone.Say(t, sure("1", channeltest.Token(t, m, label))); !reply.Done {
			t.Errorf("%+v: %s: %+v", row, label, reply)
		}
	}
}

// What a button stores ends after eight hours, and the button asks before; one that
// approves a call of less than a high risk does not.
func TestStoringAsksAgain(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Home: t.TempDir()})
	c := policy.Shell("make deploy", "/src")
	c.Session = "s1"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	if err != nil {
		t.Fatal(err)
	}
	m := phone.Await(t, r.ID)
	for _, b := range m.Buttons {
		want := ""
		if b.Label == "Approve for this chat" {
			want = "For 8 h, this chat may do this without asking: make in /src, in this session."
		}
		if b.Confirm != want {
			t.Errorf("%s asks %q", b.Label, b.Confirm)
		}
	}
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Approve for this chat"))); !reply.Refused || !strings.Contains(reply.Text, "what stores something takes a second act") {
		t.Errorf("pressed once: %+v", reply)
	}
	phone.Say(t, sure("1", channeltest.Token(t, m, "Approve for this chat")))
	if got, err := s.Service.Get(t.Context(), r.ID); err != nil || got.Decision == nil || got.Decision.For != approval.StoredFor {
		t.Errorf("%+v, %v", got.Decision, err)
	}
}

// One press approves nothing that the message does not show whole, unless all of it has
// a low risk. To deny takes one press, always.
func TestUnseen(t *testing.T) {
	long := strings.Repeat("y ", 600) + "&& ./steal"
	shell := func(input map[string]any, dir string) *policy.Call {
		return &policy.Call{Tool: "shell", Input: input, Dir: dir, Session: "s"}
	}
	for name, row := range map[string]struct {
		call  *policy.Call
		risk  string
		token bool
	}{
		"short":                {shell(map[string]any{"command": "make deploy"}, "/src"), "medium", true},
		"an argv":              {shell(map[string]any{"command": []any{"sh", "-c", "./steal"}}, "/src"), "medium", true},
		"a stdin":              {shell(map[string]any{"command": "sh", "stdin": "./steal"}, "/src"), "medium", true},
		"900 characters":       {shell(map[string]any{"command": "make " + strings.Repeat("y ", 450)}, "/src"), "medium", true},
		"the end of a command": {shell(map[string]any{"command": "make " + long}, "/src"), "medium", false},
		"the end of an argv":   {shell(map[string]any{"command": []any{"sh", "-c", "make " + long}}, "/src"), "medium", false},
		"a directory":          {shell(map[string]any{"command": "make deploy"}, "/src/"+strings.Repeat("d/", 200)+"x"), "medium", false},
		"an environment":       {shell(map[string]any{"command": "make deploy", "env": map[string]any{"A": long, "LD_PRELOAD": "/tmp/x"}}, "/src"), "medium", false},
		"an argument":          {&policy.Call{Tool: "mcp__db__query", Input: map[string]any{"sql": "select " + long}, Dir: "/src"}, "high", false},
		"700 of an argument":   {&policy.Call{Tool: "mcp__db__query", Input: map[string]any{"sql": "select " + strings.Repeat("y ", 350)}, Dir: "/src"}, "high", true},
		"a secret":             {shell(map[string]any{"command": "curl -u ann:correct-horse -X POST https://api.example.com"}, "/src"), "medium", true},
		"39 lines":             {shell(map[string]any{"command": "make " + strings.Repeat("y \\\n", 38) + "x"}, "/src"), "medium", true},
		"lines far below":      {shell(map[string]any{"command": "make\n" + strings.Repeat("#\n", 300) + "./steal"}, "/src"), "medium", false},
		"empty lines":          {shell(map[string]any{"command": "make" + strings.Repeat("\n", 300) + "./steal"}, "/src"), "medium", false},
		"a masked backtick":    {shell(map[string]any{"command": "make --token `steal.sh`"}, "/src"), "medium", false},
		"a masked command":     {shell(map[string]any{"command": `PGPASSWORD="` + "`./steal now`" + `" make`}, "/src"), "medium", false},
		"a masked cookie":      {shell(map[string]any{"command": `curl -b "session=$(./steal)" https://a.example`}, "/src"), "medium", false},
		"a masked program":     {shell(map[string]any{"command": `PASSWORD='steal now'; eval "$PASSWORD"`}, "/src"), "medium", false},
		"a masked argument":    {&policy.Call{Tool: "mcp__sh__run", Input: map[string]any{"argv": "PASSWORD='steal now' sh"}, Dir: "/src"}, "high", false},
		"a text of low risk":   {&policy.Call{Tool: "web_search", Input: map[string]any{"query": long}, Dir: "/src"}, "low", true},
	} {
		phone := &channeltest.Driver{}
		c := of("phone", phone, 0)
		c.OneTap = "high"
		settings := policy.Defaults()
		settings.Permissions = []policy.Permission{{Match: "web_search *", Action: policy.Ask}}
		s := serve(t, servertest.Options{Channels: []channel.Channel{c}, Settings: &settings})
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: row.call})
		if err != nil {
			t.Fatal(err)
		}
		m := phone.Await(t, r.ID)
		presses := slices.ContainsFunc(m.Buttons, func(b channel.Button) bool { return b.Token != "" && b.Label != "Deny" })
		if m.Risk != row.risk || presses != row.token || row.risk != "low" && (m.Note == "") != row.token {
			t.Errorf("%s: risk %s, note %q, buttons %+v", name, m.Risk, m.Note, m.Buttons)
		}
		if asked := string(r.Call); row.token && strings.Contains(asked, "./steal") && row.risk != "low" && !strings.Contains(m.Text(), "./steal") {
			t.Errorf("%s: one press approves %s, and the message is\n%s", name, asked, m.Text())
		}
		if !row.token {
			written := phone.Say(t, channel.Answer{Sender: "1", Place: "home", Request: r.ID, Approve: true})
			if !written.Refused || !strings.Contains(written.Text, "not shown whole here "+s.URL+"/ui/requests/"+r.ID) {
				t.Errorf("%s: written: %+v", name, written)
			}
			if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Deny"))); !reply.Done {
				t.Errorf("%s: deny: %+v", name, reply)
			}
		}
	}
}

// A rule that names a channel goes to that one alone, and only who answers there counts.
func TestNamedApprover(t *testing.T) {
	phone, slack := &channeltest.Driver{}, &channeltest.Driver{}
	settings := policy.Defaults()
	settings.Approval.NotifyChannel, settings.Approval.Supervisor = "slack", "phone"
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, 0)}, Settings: &settings})
	r := submit(t, s, "make")
	m := phone.Await(t, r.ID)
	for _, by := range []string{"token:ann", "login:1", "slack:ann", "uid:0", "token:phone", "phone"} {
		if _, err := s.Service.Decide(t.Context(), r.ID, by, approval.Answer{Word: approval.ApprovedOnce}); !errors.Is(err, approval.ErrNotApprover) {
			t.Errorf("%s: %v", by, err)
		}
	}
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Approve once"))); !reply.Done {
		t.Errorf("%+v", reply)
	}
	if told := slack.Posted(""); len(told) > 0 {
		t.Errorf("slack was told: %+v", told)
	}
}

// Where one group is a channel and another are people, the people are told by the
// channels that the policy names.
func TestGroupsAreTold(t *testing.T) {
	phone, slack, mail := &channeltest.Driver{}, &channeltest.Driver{}, &channeltest.Driver{}
	list, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Admit: config.Everything, Data: []byte(`version: 1
security: {approval: {notify_channel: slack}}
rules:
- {id: pa, when: {shell.program: pa}, decision: require_human, approver: {plugin: phone}}
- {id: pc, when: {shell.program: pc}, decision: require_human, approver: {plugin: ann}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, servertest.Options{
		Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, 0), of("mail", mail, 0)}, Settings: &list.Settings, Sources: list.Sources(),
	})
	r := submit(t, s, "pa x && pc x")
	phone.Await(t, r.ID)
	slack.Await(t, r.ID)
	if told := mail.Posted(""); len(told) > 0 {
		t.Errorf("mail was told: %+v", told)
	}
}

// A rule that names a person has them decide by whatever channel they are at.
func TestNamedPerson(t *testing.T) {
	phone := &channeltest.Driver{}
	settings := policy.Defaults()
	settings.Approval.NotifyChannel, settings.Approval.Supervisor = "phone", "ben"
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Settings: &settings})
	r := submit(t, s, "make")
	token := channeltest.Token(t, phone.Await(t, r.ID), "Deny")
	if reply := phone.Say(t, press("1", token)); !reply.Refused || !strings.Contains(reply.Text, "somebody else") {
		t.Errorf("ann: %+v", reply)
	}
	if codes := refusals(t, s); len(codes) != 1 || codes[0] != "not-approver" {
		t.Errorf("the audit log has %v", codes)
	}
	if reply := phone.Say(t, press("2", token)); !reply.Done || reply.Refused {
		t.Errorf("ben: %+v", reply)
	}
}

func TestEscalation(t *testing.T) {
	phone, slack, pager := &channeltest.Driver{}, &channeltest.Driver{}, &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, 2*time.Minute), of("pager", pager, 4*time.Minute)}})
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: policy.Shell("make", "/src")})
	if err != nil {
		t.Fatal(err)
	}
	phone.Await(t, r.ID)
	if len(slack.Posted("")) > 0 {
		t.Error("slack was told at once")
	}
	s.Skip(2 * time.Minute)
	s.Channels.Wake()
	slack.Await(t, r.ID)
	if _, err := s.Service.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	s.Skip(2 * time.Minute)
	s.Channels.Wake()
	for _, d := range []*channeltest.Driver{phone, slack} {
		channeltest.Until(t, "it is amended", func() bool { return len(d.Amended(r.ID)) == 1 })
	}
	if len(pager.Posted("")) > 0 {
		t.Error("the pager was told of a request that was over")
	}
}

// Where a channel fails the next one is used at once, and so on; none decides.
func TestEscalationByFailure(t *testing.T) {
	seed.Slow(t)
	for name, fail := range map[string]error{
		"for good": &channel.Refusal{Text: "the chat is not there"}, "nobody knows": fmt.Errorf("post: %w", io.ErrUnexpectedEOF),
		"again and again": errors.New("503"),
	} {
		t.Run(name, func(t *testing.T) {
			phone := &channeltest.Driver{OnPost: func(*channel.Message) error { return fail }}
			slack := &channeltest.Driver{OnPost: func(*channel.Message) error { panic("a mistake of the driver") }}
			mail, pager := &channeltest.Driver{}, &channeltest.Driver{}
			s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, time.Hour), of("mail", mail, 2*time.Hour), of("pager", pager, 3*time.Hour)}})
			r := submit(t, s, "make")
			mail.Await(t, r.ID)
			if len(pager.Posted("")) > 0 {
				t.Error("the pager was told though the mail arrived")
			}
			if got, err := s.Service.Get(t.Context(), r.ID); err != nil || got.State != approval.Pending {
				t.Errorf("%+v, %v", got, err)
			}
			var healths []channel.Health
			var err error
			channeltest.Until(t, "it is stored that the mail arrived", func() bool {
				healths, err = s.Channels.Healths(t.Context())
				return err != nil || healths[2].LastSent != nil
			})
			if err != nil || healths[0].LastError == "" || healths[0].LastSent != nil || healths[2].LastSent == nil {
				t.Errorf("%+v, %v", healths, err)
			}
			if state, parts := s.Condition(); state == "ok" || !strings.Contains(strings.Join(parts, " "), "channels") {
				t.Errorf("health: %s %v", state, parts)
			}
		})
	}
}

// A channel that is down for a while loses nothing, and keeps the order of each request.
func TestDownAndBack(t *testing.T) {
	var down atomic.Bool
	fail := func() error {
		if down.Load() {
			return errors.New("connection refused")
		}
		return nil
	}
	phone := &channeltest.Driver{Repeated: true, OnPost: func(*channel.Message) error { return fail() }, OnAmend: func(string, *channel.Message) error { return fail() }}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	before := submit(t, s, "make before")
	phone.Await(t, before.ID)
	down.Store(true)
	if _, err := s.Service.Decide(t.Context(), before.ID, "token:ann", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	during, gone := submit(t, s, "make during"), submit(t, s, "make gone")
	if _, err := s.Service.Cancel(t.Context(), gone.ID, "token:agent"); err != nil {
		t.Fatal(err)
	}
	channeltest.Until(t, "the channel is down", func() bool { return len(s.Channels.Down()) == 1 })
	down.Store(false)
	phone.Await(t, during.ID)
	channeltest.Until(t, "the outcome arrives", func() bool { return len(phone.Amended(before.ID)) == 1 })
	if _, err := s.Service.Decide(t.Context(), during.ID, "token:ann", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	channeltest.Until(t, "the outcome arrives", func() bool { return len(phone.Amended(during.ID)) == 1 })
	if told := phone.Posted(gone.ID); len(told) > 0 {
		t.Errorf("a request that was over was told: %+v", told)
	}
	if len(s.Channels.Down()) > 0 {
		t.Errorf("down: %v", s.Channels.Down())
	}
}

// A fullStore fails a number of times to store what came of sending.
type fullStore struct {
	backend.Data
	left *atomic.Int32
}

func (f fullStore) ChangeDelivery(ctx context.Context, c channel.Change) (bool, error) {
	if c.Was == channel.Sending && f.left.Add(-1) >= 0 {
		return false, errors.New("the disk is full")
	}
	return f.Data.ChangeDelivery(ctx, c)
}

// A message that was sent while the disk was full is not sent again, and is changed when
// there is room.
func TestStoreFails(t *testing.T) {
	var left atomic.Int32
	left.Store(2)
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Data: func(d backend.Data) backend.Data { return fullStore{d, &left} }})
	r := submit(t, s, "make")
	m := phone.Await(t, r.ID)
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Deny"))); !reply.Done {
		t.Errorf("%+v", reply)
	}
	channeltest.Until(t, "it is amended", func() bool { return len(phone.Amended(r.ID)) == 1 })
	if told := phone.Posted(r.ID); len(told) != 1 {
		t.Errorf("it was told %d times", len(told))
	}
}

// A service that wants rest gets it, and is not down.
func TestPause(t *testing.T) {
	var tries atomic.Int32
	phone := &channeltest.Driver{OnPost: func(*channel.Message) error {
		if tries.Add(1) == 1 {
			return &channel.Pause{For: 1500 * time.Millisecond, Err: errors.New("too many requests")}
		}
		return nil
	}}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	began := time.Now()
	r := submit(t, s, "make")
	phone.Await(t, r.ID)
	if took := time.Since(began); took < 1400*time.Millisecond {
		t.Errorf("it was tried again after %v", took)
	}
}

// One that wants rest for longer than people wait is down meanwhile, whatever it was asked:
// the channel behind it is told.
func TestLongPause(t *testing.T) {
	away := &channel.Pause{For: time.Hour, Err: errors.New("too many requests")}
	phone := &channeltest.Driver{OnPost: func(*channel.Message) error { return away }}
	slack := &channeltest.Driver{OnListen: func() error { return away }}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0), of("slack", slack, time.Hour)}})
	r := submit(t, s, "make")
	slack.Await(t, r.ID)
	channeltest.Until(t, "both are down", func() bool {
		down := s.Channels.Down()
		return down["phone"] == "too many requests" && down["slack"] == "it hears nothing: too many requests"
	})
}

// A clock that goes back neither holds anything up nor lets a token live longer.
func TestClockGoesBack(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	first := submit(t, s, "make first")
	token := channeltest.Token(t, phone.Await(t, first.ID), "Approve once")
	s.Skip(2 * time.Minute) // its time is over
	if reply := phone.Say(t, press("1", token)); !reply.Done || !strings.HasPrefix(reply.Text, "already nobody answered in time") {
		t.Errorf("%+v", reply)
	}
	s.Skip(-10 * time.Minute)
	if reply := phone.Say(t, press("1", token)); !reply.Refused {
		t.Errorf("%+v", reply)
	}
	second := submit(t, s, "make second")
	m := phone.Await(t, second.ID)
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Deny"))); !reply.Done {
		t.Errorf("%+v", reply)
	}
	channeltest.Until(t, "it is amended", func() bool { return len(phone.Amended(second.ID)) == 1 })
}

// Whoever is taken out of the settings decides nothing any more, also not by a button that
// they have.
func TestRemovedPerson(t *testing.T) {
	phone, dir := &channeltest.Driver{}, t.TempDir()
	s := serve(t, servertest.Options{Directory: dir, Channels: []channel.Channel{of("phone", phone, 0)}})
	r := submit(t, s, "make")
	m := phone.Await(t, r.ID)
	channeltest.Until(t, "it is stored", func() bool {
		told, err := s.Data.Deliveries(context.Background(), channel.Filter{Channel: "phone"})
		return err == nil && len(told) == 1 && told[0].State == channel.Sent
	})
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	c := of("phone", phone, 0)
	c.People = map[string]string{"2": "ben"}
	s = serve(t, servertest.Options{Directory: dir, Channels: []channel.Channel{c}})
	next := submit(t, s, "make next") // the new service listens
	phone.Await(t, next.ID)
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, "Approve once"))); !reply.Refused || !strings.Contains(reply.Text, "approvers.yaml") {
		t.Errorf("%+v", reply)
	}
	if reply := phone.Say(t, press("2", channeltest.Token(t, m, "Deny"))); !reply.Done {
		t.Errorf("%+v", reply)
	}
	if told := phone.Posted(r.ID); len(told) != 1 {
		t.Errorf("it was told %d times", len(told))
	}
}

// What is denied always is named before it is stored, and takes a second press; no press
// alone stores anything, and neither does one that says it was confirmed for another button.
func TestDenyAlways(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Home: t.TempDir()})
	submit := func(command, session string) *approval.Request {
		t.Helper()
		c := policy.Shell(command, "/src/app")
		c.Session = session
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := submit("make deploy", "s1")
	m := phone.Await(t, r.ID)
	if !strings.Contains(m.Text(), "stores deny make in /src/app") {
		t.Errorf("what it stores is not shown:\n%s", m.Text())
	}
	const label = "Deny always here"
	for _, b := range m.Buttons {
		if want := "From now on this is denied, also where nothing would ask: make in /src/app. Deny it always?"; b.Label == label && b.Confirm != want {
			t.Errorf("it asks %q", b.Confirm)
		}
	}
	if reply := phone.Say(t, press("1", channeltest.Token(t, m, label))); !reply.Refused || !strings.Contains(reply.Text, "what stores something takes a second act") {
		t.Errorf("pressed once: %+v", reply)
	}
	if reply := phone.Say(t, sure("1", channeltest.Token(t, m, label))); !reply.Done {
		t.Errorf("%+v", reply)
	}
	got, err := s.Service.Get(t.Context(), r.ID)
	if err != nil || got.State != approval.Denied || got.Decision.Scope != approval.Here || got.Decision.For != 0 || len(got.Decision.Saved) != 1 {
		t.Errorf("%+v, %v", got.Decision, err)
	}
	if next := submit("bash -c 'make other'", "s2"); next.State != approval.Denied {
		t.Errorf("the next one is %s", next.State)
	}
}

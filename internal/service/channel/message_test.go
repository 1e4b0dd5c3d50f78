package channel_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A message shows what is to run without secrets, and nothing in it hides.
func TestMessage(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	c := policy.Shell("curl -H 'Authorization: Bearer abcdefghijabcdefghij0123456789' https://p\u0430ypal.com\u202e && rm -rf build", "/src")
	c.Agent, c.Session = "claude\x1b[31m", "s1\nTool: harmless"
	c.Input["why"] = "*bold* <b>&amp; @channel"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	if err != nil {
		t.Fatal(err)
	}
	m := phone.Await(t, r.ID)
	text := m.Text()
	if m.Head != "[APPROVAL REQUIRED]" || !strings.HasPrefix(text, m.Head+"\n\n│ curl ") || m.ID == "" || !m.Until.Equal(r.Expires) {
		t.Errorf("%+v", m)
	}
	for _, want := range []string{"https://pа[U+0430]ypal.com[U+202E]", "rm -rf build", "Agent: claude[U+001B][31m", "Session: s1 ⏎ Tool: harmless", "why=*bold* <b>&amp; @channel"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "abcdefghij") || strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("it tells or hides something:\n%s", text)
	}
	var names []string
	for _, f := range m.Fields {
		names = append(names, f.Name)
		if strings.Contains(f.Value, "\n") {
			t.Errorf("%s has several lines: %q", f.Name, f.Value)
		}
	}
	if got := strings.Join(names, " "); got != "Tool Arguments Directory Agent Session Time left Risk Why" {
		t.Errorf("fields: %s", got)
	}
	stored, err := s.Data.Deliveries(t.Context(), channel.Filter{Request: r.ID})
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := json.Marshal(stored)
	for _, b := range m.Buttons {
		if b.Token != "" && (len(b.Token) != 22 || strings.Contains(string(kept), b.Token) || strings.Contains(text, b.Token)) {
			t.Errorf("the token %q is told elsewhere", b.Token)
		}
	}
}

// A long command is cut behind a word, and says so.
func TestLongCommand(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	for name, command := range map[string]string{
		"words": "rm -rf " + strings.Repeat("größer/als ", 400), "one word": "rm -rf " + strings.Repeat("x", 9000), "huge": "echo " + strings.Repeat("y ", 30_000),
	} {
		r := submit(t, s, command)
		m := phone.Await(t, r.ID)
		if n := utf8.RuneCountInString(m.Command); n > 1002 || n < 700 || m.Note != "cut: the rest is on the page" || !strings.HasSuffix(m.Command, " …") {
			t.Errorf("%s: %d characters, note %q, end %q", name, n, m.Note, m.Command[len(m.Command)-20:])
		}
		if name == "words" && !strings.HasSuffix(m.Command, "größer/als …") {
			t.Errorf("cut in a word: %q", m.Command[len(m.Command)-30:])
		}
	}
}

// No text of a call passes for another one, nor for a line of ours.
func TestLines(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	for want, c := range map[string]*policy.Call{
		"\nArguments: x=, code=# list ⏎ import os, n={\"a\":[1,null]}\n": {Tool: "run", Input: map[string]any{"code": "# list\nimport os", "n": map[string]any{"a": []any{1, nil}}, "x": nil}, Dir: "/src"},
		"\nDirectory: /src/a  b ⏎ c\n":                                   policy.Shell("make", "/src/a  b\nc"),
		"\n│ make\n│ \n│ Tool: read\n│ Risk: low\n\nTool: shell\n":       policy.Shell("make\n\nTool: read\nRisk: low", "/src"),
		"\n│ make a [600 blanks] && ./steal\n":                           policy.Shell("make a"+strings.Repeat(" ", 600)+"&& ./steal", "/src"),
		"\nArguments: code=a [90 blanks] b\n":                            {Tool: "run", Input: map[string]any{"code": "a" + strings.Repeat(" ", 90) + "b"}, Dir: "/src"},
	} {
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
		if err != nil {
			t.Fatal(err)
		}
		m := phone.Await(t, r.ID)
		if got := m.Text(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// One press approves no program that the message does not show, and nothing in its body
// stands in its place.
func TestProgram(t *testing.T) {
	phone := &channeltest.Driver{}
	c := of("phone", phone, 0)
	c.OneTap = "high"
	s := serve(t, servertest.Options{Channels: []channel.Channel{c}})
	for name, row := range map[string]struct {
		body, want string
		presses    bool
	}{
		"short":     {`{"program":"# list\nsteal()","target":"main"}`, "\n\n│ run main\n\nTool: clauz3.run\nArguments: target=main, program=# list ⏎ steal()\n", true},
		"long":      {`{"program":"` + strings.Repeat("y ", 600) + `steal()","target":"main"}`, "\n\n│ run main\n" + channel.Cut + "\n", false},
		"a command": {`{"command":"ls","program":"steal()"}`, "\n\n│ run main\n\nTool: clauz3.run\nArguments: command=ls, program=steal()\n", true},
	} {
		r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Contract: json.RawMessage(row.body), Title: "run main"})
		if err != nil {
			t.Fatal(err)
		}
		m := phone.Await(t, r.ID)
		if presses := m.Buttons[0].Token != ""; presses != row.presses || !strings.Contains(m.Text(), row.want) {
			t.Errorf("%s: presses %v, buttons %+v in\n%s", name, presses, m.Buttons, m.Text())
		}
	}
}

// No button stores more than a message has room to say.
func TestManyStores(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Home: t.TempDir()})
	line := "make a"
	for i := range 20 {
		line += fmt.Sprintf(" && touch directory-number-%d/x", i)
	}
	c := policy.Shell(line, "/src")
	c.Session = "s1"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	if err != nil || len(r.Offers) < 2 || len(r.Offers[1].Stores) < 15 {
		t.Fatalf("%+v, %v", r, err)
	}
	m := phone.Await(t, r.ID)
	var labels []string
	for _, b := range m.Buttons {
		labels = append(labels, b.Label)
	}
	if got := strings.Join(labels, ", "); got != "Approve once, Deny, Open the page" || m.Note != "" || strings.Contains(m.Text(), "stores") {
		t.Errorf("the buttons are %s in\n%s", got, m.Text())
	}
}

// What an approval stored stands in the outcome, which every channel is told.
func TestOutcomeSaved(t *testing.T) {
	phone := &channeltest.Driver{}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}, Home: t.TempDir()})
	c := policy.Shell("make deploy", "/src")
	c.Session = "s1"
	r, err := s.Service.Submit(t.Context(), "token:agent", approval.Submission{Call: c})
	if err != nil {
		t.Fatal(err)
	}
	m := phone.Await(t, r.ID)
	if want := "\nThis chat: stores " + strings.Join(r.Offers[1].Stores, ", ") + ", for 8 h\n"; r.Offers[1].Scope != approval.ForChat || !strings.Contains(m.Text(), want) {
		t.Errorf("no %q in\n%s", want, m.Text())
	}
	reply := phone.Say(t, sure("1", channeltest.Token(t, m, "Approve for this chat")))
	channeltest.Until(t, "it is amended", func() bool { return len(phone.Amended(r.ID)) == 1 })
	got, err := s.Service.Get(t.Context(), r.ID)
	if err != nil || len(got.Decision.Saved) == 0 || got.Decision.Scope != approval.ForChat {
		t.Fatalf("%+v, %v", got.Decision, err)
	}
	for _, text := range []string{reply.Text, phone.Amended(r.ID)[0].Outcome} {
		if !strings.HasPrefix(text, "approved for this chat by phone:ann at ") || !strings.Contains(text, "; saved: "+strings.Fields(got.Decision.Saved[0])[0]) {
			t.Errorf("%q, saved %q", text, got.Decision.Saved)
		}
	}
}

func ExampleMessage_Text() {
	m := channel.Message{Head: "[APPROVAL REQUIRED]", Command: "make deploy", Fields: []channel.Field{{Name: "Risk", Value: "medium"}}, Link: "https://policy.example.com/ui/requests/req_1"}
	fmt.Println(m.Text())
	// Output:
	// [APPROVAL REQUIRED]
	//
	// │ make deploy
	//
	// Risk: medium
	// https://policy.example.com/ui/requests/req_1
}

package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

const (
	botToken  = "xoxb-1111-2222-botsecretbotsecret"
	appToken  = "xapp-1-A0123-3333-appsecretappsecret"
	testKey   = "8f742231b10e8888abcd99yyyzzz85a5"
	workspace = "T0123ABCD"
	room      = "C0123ABCD"
)

// A posted is a message in a channel.
type posted struct {
	outgoing
	ephemeral bool
}

// texts are all texts of a message's blocks, by lines.
func (p *posted) texts() string {
	var all []string
	for _, b := range p.Blocks {
		if b.Text != nil {
			all = append(all, b.Text.Text)
		}
	}
	return strings.Join(all, "\n")
}

func (p *posted) buttons() []element {
	for _, b := range p.Blocks {
		if b.Type == "actions" {
			return b.Elements
		}
	}
	return nil
}

// A standIn is Slack with one workspace: the Web API and sockets.
type standIn struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	messages map[string]*posted
	told     []*posted // ephemeral
	next     int
	calls    map[string]int
	answer   func(method string, w http.ResponseWriter, r *http.Request) bool
	tickets  map[string]bool
	sockets  []*websocket.Conn // the open ones
	opened   int
	acks     map[string]int
	mute     bool // answers no ping
	address  func(ticket string) string
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{t: t, messages: map[string]*posted{}, calls: map[string]int{}, tickets: map[string]bool{}, acks: map[string]int{}}
	s.Server = httptest.NewServer(s)
	s.address = func(ticket string) string {
		return "ws" + strings.TrimPrefix(s.URL, "http") + "/link/?ticket=" + ticket
	}
	t.Cleanup(func() { s.drop(); s.Close() })
	return s
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/link/" {
		s.socket(w, r)
		return
	}
	method, ok := strings.CutPrefix(r.URL.Path, "/api/")
	if !ok || r.Method != http.MethodPost || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.calls[method]++
	answer := s.answer
	s.mu.Unlock()
	if answer != nil && answer(method, w, r) {
		return
	}
	want := botToken
	if method == "apps.connections.open" {
		want = appToken
	}
	if got := r.Header.Get("Authorization"); got != "Bearer "+want {
		say(w, map[string]any{"ok": false, "error": "invalid_auth"})
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "auth.test":
		say(w, map[string]any{"ok": true, "team_id": workspace, "user_id": "U0BOT"})
	case "apps.connections.open":
		s.next++
		ticket := fmt.Sprintf("ticketsecret-%d", s.next)
		s.tickets[ticket] = true
		say(w, map[string]any{"ok": true, "url": s.address(ticket)})
	case "chat.postMessage", "chat.update", "chat.postEphemeral":
		s.put(w, method, body)
	default:
		say(w, map[string]any{"ok": false, "error": "unknown_method"})
	}
}

func say(w http.ResponseWriter, what map[string]any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(what)
}

// put takes a message as Slack does.
func (s *standIn) put(w http.ResponseWriter, method string, body []byte) {
	p := new(posted)
	if err := json.Unmarshal(body, &p.outgoing); err != nil {
		say(w, map[string]any{"ok": false, "error": "invalid_json"})
		return
	}
	if p.Channel != room {
		say(w, map[string]any{"ok": false, "error": "channel_not_found"})
		return
	}
	if why := wrong(p); why != "" {
		say(w, map[string]any{"ok": false, "error": "invalid_blocks", "response_metadata": map[string]any{"messages": []string{"[ERROR] " + why}}})
		return
	}
	switch method {
	case "chat.postEphemeral":
		p.ephemeral = true
		s.told = append(s.told, p)
	case "chat.update":
		if s.messages[p.TS] == nil {
			say(w, map[string]any{"ok": false, "error": "message_not_found"})
			return
		}
		s.messages[p.TS] = p
	default:
		s.next++
		p.TS = fmt.Sprintf("1700000000.%06d", s.next)
		s.messages[p.TS] = p
	}
	say(w, map[string]any{"ok": true, "channel": p.Channel, "ts": p.TS})
}

// wrong says why Slack takes no such blocks.
func wrong(p *posted) string {
	text := func(w *words, most int) string {
		if w == nil || w.Type != "plain_text" || w.Text == "" || len([]rune(w.Text)) > most {
			return fmt.Sprintf("must be plain text of 1 to %d characters", most)
		}
		return ""
	}
	if len(p.Blocks) == 0 || len(p.Blocks) > 50 || p.Text == "" {
		return "no blocks, or too many"
	}
	for _, b := range p.Blocks {
		switch b.Type {
		case "header":
			if why := text(b.Text, 150); why != "" {
				return "header: " + why
			}
		case "section":
			if why := text(b.Text, 3000); why != "" {
				return "section: " + why
			}
		case "actions":
			ids := map[string]bool{}
			for _, e := range b.Elements {
				if why := text(e.Text, 75); why != "" || e.Type != "button" || ids[e.Action] || len(e.Value) > 2000 || e.Style != "" && e.Style != "primary" && e.Style != "danger" {
					return "button: " + why
				}
				ids[e.Action] = true
				if c := e.Confirm; c != nil && text(c.Title, 100)+text(c.Text, 300)+text(c.Confirm, 30)+text(c.Deny, 30) != "" {
					return "confirm"
				}
			}
			if len(b.Elements) == 0 || len(b.Elements) > 25 {
				return "actions"
			}
		default:
			return "unsupported type: " + b.Type
		}
	}
	return ""
}

// socket is a websocket behind a ticket, which is good once.
func (s *standIn) socket(w http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	s.mu.Lock()
	good := s.tickets[ticket]
	delete(s.tickets, ticket)
	mute := s.mute
	s.mu.Unlock()
	if !good {
		http.Error(w, "no such ticket "+ticket, http.StatusForbidden)
		return
	}
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	s.mu.Lock()
	s.sockets = append(s.sockets, c)
	s.opened++
	n := len(s.sockets)
	s.mu.Unlock()
	hello := fmt.Sprintf(`{"type":"hello","num_connections":%d,"connection_info":{"app_id":"A0123"},"debug_info":{"host":"applink-1","approximate_connection_time":18060}}`, n)
	if c.Write(context.Background(), websocket.MessageText, []byte(hello)) != nil || mute {
		<-r.Context().Done()
	}
	for {
		_, data, err := c.Read(context.Background())
		if err != nil {
			s.mu.Lock()
			for i := range s.sockets {
				if s.sockets[i] == c {
					s.sockets = append(s.sockets[:i], s.sockets[i+1:]...)
					break
				}
			}
			s.mu.Unlock()
			return
		}
		var ack struct {
			ID string `json:"envelope_id"`
		}
		if json.Unmarshal(data, &ack) != nil || ack.ID == "" {
			s.t.Errorf("what was acknowledged is %s", data)
		}
		s.mu.Lock()
		s.acks[ack.ID]++
		s.mu.Unlock()
	}
}

// over sends something over the newest socket, or the one of a number from its end.
func (s *standIn) over(back int, data string) {
	s.t.Helper()
	var c *websocket.Conn
	eventually(s.t, "there is no socket", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.sockets) <= back {
			return false
		}
		c = s.sockets[len(s.sockets)-1-back]
		return true
	})
	_ = c.Write(context.Background(), websocket.MessageText, []byte(data)) // who is gone hears nothing
}

// drop ends all sockets without a word.
func (s *standIn) drop() {
	s.mu.Lock()
	open := append([]*websocket.Conn{}, s.sockets...)
	s.mu.Unlock()
	for _, c := range open {
		_ = c.CloseNow()
	}
}

// pressing is what Slack sends of a press.
func pressing(who, ts, value, at string) map[string]any {
	return map[string]any{
		"type": "block_actions", "api_app_id": "A0123", "trigger_id": "1.2.3", "response_url": "http://127.0.0.1:1/elsewhere",
		"user":      map[string]any{"id": who, "username": "alice", "name": "alice", "team_id": workspace},
		"team":      map[string]any{"id": workspace, "domain": "example"},
		"channel":   map[string]any{"id": room, "name": "approvals"},
		"container": map[string]any{"type": "message", "message_ts": ts, "channel_id": room, "is_ephemeral": false},
		"message":   map[string]any{"type": "message", "bot_id": "B1", "ts": ts},
		"actions":   []any{map[string]any{"type": "button", "action_id": "answer-0", "block_id": "x", "value": value, "style": "primary", "action_ts": at}},
	}
}

func enveloped(id string, payload any) string {
	data, err := json.Marshal(map[string]any{"type": "interactive", "envelope_id": id, "accepts_response_payload": false, "payload": payload})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func (s *standIn) answers(f func(method string, w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

func (s *standIn) message(ts string) *posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.messages[ts]; p != nil {
		return p
	}
	return new(posted)
}

func (s *standIn) ephemeral() []*posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*posted{}, s.told...)
}

func (s *standIn) acknowledged(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acks[id]
}

// open is how many sockets are open, and how many were.
func (s *standIn) open() (now, ever int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets), s.opened
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 4000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

package telegram

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

const (
	testToken = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
	testChat  = 4711
	testBot   = 99
)

// A sentMessage is what stands in a chat.
type sentMessage struct {
	Chat     int64
	Text     string
	Entities []entity
	Keyboard *keyboard
	Reply    int64
	Preview  bool
}

// part is the text of an entity.
func (m *sentMessage) part(e entity) string {
	units := utf16.Encode([]rune(m.Text))
	return string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
}

// A queued is an update, as Telegram writes it: the number comes first.
type queued struct {
	id   int64
	text string
}

// A standIn is the Bot API, with one bot, as it answers by its documentation and in
// fact.
type standIn struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	messages map[int64]*sentMessage
	nextID   int64
	updates  []*queued
	nextUp   int64
	toasts   map[string]string // by callback id; "!" before an alert
	calls    map[string]int
	answer   func(method string, w http.ResponseWriter, r *http.Request) bool
	poll     chan struct{} // closed when another poll takes over
	changed  chan struct{}
	hook     string // the webhook that is set
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{t: t, messages: map[int64]*sentMessage{}, nextID: 100, nextUp: 7000, toasts: map[string]string{}, calls: map[string]int{}, changed: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+testToken+"/")
	if !ok {
		fail(w, 401, "Unauthorized", nil)
		return
	}
	s.mu.Lock()
	s.calls[method]++
	answer := s.answer
	s.mu.Unlock()
	if answer != nil && answer(method, w, r) {
		return
	}
	var in struct {
		Chat     int64            `json:"chat_id"`
		Message  int64            `json:"message_id"`
		Text     string           `json:"text"`
		Parse    string           `json:"parse_mode"`
		Entities []entity         `json:"entities"`
		Preview  map[string]bool  `json:"link_preview_options"`
		Reply    map[string]any   `json:"reply_parameters"`
		Keyboard *json.RawMessage `json:"reply_markup"`
		Offset   int64            `json:"offset"`
		Limit    int              `json:"limit"`
		Timeout  int              `json:"timeout"`
		Allowed  []string         `json:"allowed_updates"`
		Callback string           `json:"callback_query_id"`
		Alert    bool             `json:"show_alert"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Method != http.MethodPost {
		fail(w, 400, "Bad Request: can't parse the request", nil)
		return
	}
	switch method {
	case "getMe":
		succeed(w, map[string]any{"id": testBot, "is_bot": true, "username": "PolicyBot"})
	case "sendMessage", "editMessageText":
		if in.Parse != "" {
			s.t.Errorf("parse_mode is %q", in.Parse)
		}
		m := &sentMessage{Chat: in.Chat, Text: in.Text, Entities: in.Entities, Preview: !in.Preview["is_disabled"]}
		if id, ok := in.Reply["message_id"].(float64); ok {
			m.Reply = int64(id)
		}
		if in.Keyboard != nil {
			m.Keyboard = new(keyboard)
			if err := json.Unmarshal(*in.Keyboard, m.Keyboard); err != nil {
				s.t.Error(err)
			}
		}
		if why := wrong(m); why != "" {
			fail(w, 400, "Bad Request: "+why, nil)
			return
		}
		s.put(w, method, in.Message, m)
	case "answerCallbackQuery":
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, there := s.toasts[in.Callback]; there || len([]rune(in.Text)) > 200 {
			fail(w, 400, "Bad Request: query is too old and response timeout expired or query ID is invalid", nil)
			return
		}
		if in.Alert {
			in.Text = "!" + in.Text
		}
		s.toasts[in.Callback] = in.Text
		succeed(w, true)
	case "getUpdates":
		s.getUpdates(w, r, in.Offset, in.Limit, time.Duration(in.Timeout)*time.Second)
	default:
		fail(w, 404, "Not Found", nil)
	}
}

// wrong says why Telegram takes no such message.
func wrong(m *sentMessage) string {
	units := utf16.Encode([]rune(m.Text))
	switch {
	case m.Chat != testChat:
		return "chat not found"
	case strings.TrimSpace(m.Text) == "":
		return "message text is empty"
	case len(units) > 4096:
		return "message is too long"
	}
	for _, e := range m.Entities {
		if e.Length <= 0 || e.Offset < 0 || e.Offset+e.Length > len(units) {
			return "ENTITY_BOUNDS_INVALID"
		}
	}
	if m.Keyboard == nil {
		return ""
	}
	for _, row := range m.Keyboard.Rows {
		for _, b := range row {
			u, err := url.Parse(b.URL)
			switch {
			case b.Text == "" || (b.Data == "") == (b.URL == ""):
				return "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
			case len(b.Data) > 64:
				return "BUTTON_DATA_INVALID"
			case b.URL != "" && (err != nil || !strings.Contains(u.Hostname(), ".")):
				return "inline keyboard button URL '" + b.URL + "' is invalid: Wrong HTTP URL"
			}
		}
	}
	return ""
}

func (s *standIn) put(w http.ResponseWriter, method string, id int64, m *sentMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == "editMessageText" {
		old := s.messages[id]
		switch {
		case old == nil:
			fail(w, 400, "Bad Request: message to edit not found", nil)
			return
		case old.Text == m.Text && fmt.Sprint(old.Keyboard) == fmt.Sprint(m.Keyboard):
			fail(w, 400, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message", nil)
			return
		}
	} else {
		s.nextID++
		id = s.nextID
	}
	s.messages[id] = m
	succeed(w, map[string]any{"message_id": id, "chat": map[string]any{"id": m.Chat}})
}

// getUpdates acknowledges what is below the offset, and waits for more. A poll ends the
// one before.
func (s *standIn) getUpdates(w http.ResponseWriter, r *http.Request, offset int64, limit int, wait time.Duration) {
	own := make(chan struct{})
	s.mu.Lock()
	if s.hook != "" {
		s.mu.Unlock()
		fail(w, 409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first", nil)
		return
	}
	if s.poll != nil {
		close(s.poll)
	}
	s.poll = own
	for len(s.updates) > 0 && s.updates[0].id < offset {
		s.updates = s.updates[1:]
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for len(s.updates) == 0 {
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-own:
			fail(w, 409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", nil)
			return
		case <-timer.C:
			succeed(w, []any{})
			s.mu.Lock()
			s.poll = nil
			s.mu.Unlock()
			return
		case <-r.Context().Done():
			s.mu.Lock()
			if s.poll == own {
				s.poll = nil
			}
			s.mu.Unlock()
			return
		}
		s.mu.Lock()
	}
	defer s.mu.Unlock()
	s.poll = nil
	var texts []string
	for _, u := range s.updates[:min(limit, len(s.updates))] {
		texts = append(texts, u.text)
	}
	_, _ = io.WriteString(w, `{"ok":true,"result":[`+strings.Join(texts, ",")+"]}")
}

func fail(w http.ResponseWriter, code int, text string, parameters map[string]any) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": false, "error_code": code, "description": text, "parameters": parameters})
}

func succeed(w http.ResponseWriter, result any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
}

// says puts an update into the queue.
func (s *standIn) says(kind string, what map[string]any) (id int64) {
	data, err := json.Marshal(what)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextUp++
	s.updates = append(s.updates, &queued{s.nextUp, fmt.Sprintf(`{"update_id":%d,%q:%s}`, s.nextUp, kind, data)})
	close(s.changed)
	s.changed = make(chan struct{})
	return s.nextUp
}

// presses is somebody who presses a button of a message.
func (s *standIn) presses(callback string, who, message int64, data string) {
	s.mu.Lock()
	m := s.messages[message]
	s.mu.Unlock()
	s.says("callback_query", map[string]any{
		"id": callback, "from": map[string]any{"id": who, "is_bot": false}, "data": data,
		"message": map[string]any{"message_id": message, "chat": map[string]any{"id": testChat}, "reply_markup": m.Keyboard},
	})
}

// writes is somebody who writes to the chat.
func (s *standIn) writes(who int64, text string, more map[string]any) {
	what := map[string]any{"message_id": 5, "from": map[string]any{"id": who}, "chat": map[string]any{"id": testChat}, "text": text}
	for key, value := range more {
		what[key] = value
	}
	s.says("message", what)
}

func (s *standIn) answers(f func(method string, w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

func (s *standIn) message(id int64) sentMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.messages[id]; m != nil {
		return *m
	}
	return sentMessage{}
}

// last is the newest message.
func (s *standIn) last() sentMessage {
	s.mu.Lock()
	id := s.nextID
	s.mu.Unlock()
	return s.message(id)
}

func (s *standIn) toast(callback string) (text string, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, there = s.toasts[callback]
	return text, there
}

// waiting is how many updates nobody has acknowledged.
func (s *standIn) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}

// newStandInForFuzz is the address of a Bot API that takes everything.
func newStandInForFuzz(f *testing.F) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { succeed(w, true) }))
	f.Cleanup(s.Close)
	return s.URL
}

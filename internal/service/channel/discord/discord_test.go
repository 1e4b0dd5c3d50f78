package discord

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

const (
	token = "MTA.secret.of-the-bot"
	place = "41771983423143937"
)

// A standIn is a Discord with one channel.
type standIn struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	messages []post
	byNonce  map[string]int
	serve    http.HandlerFunc
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{t: t, byNonce: make(map[string]int)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serve != nil {
		s.serve(w, r)
		return
	}
	if r.Header.Get("Authorization") != "Bot "+token || !strings.HasPrefix(r.Header.Get("User-Agent"), "DiscordBot (") {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"message":"401: Unauthorized `+r.Header.Get("Authorization")+`","code":0}`)
		return
	}
	var p post
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		s.t.Error(err)
	}
	s.check(p)
	number, edits := strings.CutPrefix(r.URL.Path, "/channels/"+place+"/messages/")
	var at int
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/channels/"+place+"/messages":
		known, ok := s.byNonce[p.Nonce]
		if at = known; !ok || !p.Enforce {
			at = len(s.messages)
			s.messages = append(s.messages, p)
			s.byNonce[p.Nonce] = at
		}
	case r.Method == http.MethodPatch && edits:
		if _, err := fmt.Sscan(number, &at); err != nil || at >= len(s.messages) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"message":"Unknown Message","code":10008}`)
			return
		}
		s.messages[at] = p
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"Unknown Channel","code":10003}`)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"id": fmt.Sprint(at)})
}

// check says what Discord would refuse, or make of a text.
func (s *standIn) check(p post) {
	if len(p.Nonce) > 25 || units(p.Content) > 2000 || p.Content == "" || p.Mentions.Parse == nil || len(p.Mentions.Parse) > 0 || p.Flags != flagNoEmbeds || len(p.Components) > 5 {
		s.t.Errorf("Discord refuses %+v", p)
	}
	for _, r := range p.Components {
		if len(r.Components) == 0 || len(r.Components) > 5 {
			s.t.Errorf("a row of %d", len(r.Components))
		}
		for _, b := range r.Components {
			if len([]rune(b.Label)) > 80 || len(b.CustomID) > 100 || (b.URL == "") == (b.CustomID == "") || strings.Contains(b.URL, "localhost") {
				s.t.Errorf("Discord refuses %+v", b)
			}
		}
	}
}

// shown is what a reader sees of a content: what a backslash stands before, and the rest
// where it has no meaning.
func shown(t *testing.T, content string) string {
	t.Helper()
	var b strings.Builder
	runes := []rune(content)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if r == '\\' {
			i++
			b.WriteRune(runes[i])
			continue
		}
		if r > ' ' && r < 0x7f && !isAlnum(r) {
			t.Errorf("%q has a meaning in %q", r, content)
		}
		b.WriteRune(r)
	}
	return b.String()
}

var public, private = func() (string, ed25519.PrivateKey) {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("d", ed25519.SeedSize)))
	return hex.EncodeToString(key.Public().(ed25519.PublicKey)), key
}()

func newDriver(t *testing.T, api string, change func(*Options)) *Driver {
	t.Helper()
	o := Options{Token: token, Channel: place, PublicKey: public, API: api}
	if change != nil {
		change(&o)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostile is a command with all that Discord would take for more than text.
const hostile = "# @everyone @here <@1> <@&2> <#3> </x:4> <t:5:R> <a:e:6> :smile: [x](https://evil.example) **b** __u__ ~~s~~ ||p|| `c` ```d``` \\* discord.gg/x mailto:a@b\n> q\n- l\n1. n\n-# s \u202e\r\nx"

func message() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_1", Link: "https://desk.example/ui/requests/req_1", Head: "[APPROVAL REQUIRED]",
		Fields: []channel.Field{{Name: "tool", Value: "shell_*_"}}, Command: hostile, Risk: "high",
		Buttons: []channel.Button{
			{Label: "Approve", Style: channel.Primary, Token: "tok-a"}, {Label: "Session", Token: "tok-s", Confirm: "Sure?"}, {Label: "Deny", Style: channel.Danger, Token: "tok-d"},
			{Label: "Open", URL: "https://desk.example/ui/requests/req_1"}, {Label: "Here", URL: "http://localhost:8765/"},
		},
	}
}

// A channel shows what is asked as text, once, and then how it ended.
func TestPost(t *testing.T) {
	s := newStandIn(t)
	d := newDriver(t, s.URL, nil)
	ref, err := d.Post(t.Context(), message())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Post(t.Context(), message()); err != nil || again != ref || len(s.messages) != 1 || d.Repeats() {
		t.Errorf("again: %s, %v, %d messages", again, err, len(s.messages))
	}
	text, ok := strings.CutSuffix(s.messages[0].Content, "\n<https://desk.example/ui/requests/req_1>")
	want := "[APPROVAL REQUIRED]\n\n" + strings.ReplaceAll(message().Framed(), "\r", "␍") + "\n\ntool: shell_*_"
	if got := shown(t, text); got != want || !ok {
		t.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
	rows := s.messages[0].Components
	if len(rows) != 1 || fmt.Sprint(rows[0].Components) != "[{2 1 Approve tok-a } {2 2 Session confirm:tok-s } {2 4 Deny tok-d } {2 5 Open  https://desk.example/ui/requests/req_1}]" {
		t.Errorf("the buttons are %v", rows)
	}
	ended := &channel.Message{ID: "dlv_2", Head: "[DENIED]", Command: "ls", Outcome: "denied by @everyone"}
	if err := d.Amend(t.Context(), ref, ended); err != nil {
		t.Fatal(err)
	}
	if got := s.messages[0]; shown(t, got.Content) != "[DENIED]\ndenied by @everyone\n\n│ ls\n" || got.Components == nil || len(got.Components) != 0 {
		t.Errorf("it shows %+v", got)
	}
	if _, ok := errors.AsType[*channel.Refusal](d.Amend(t.Context(), "99", ended)); !ok {
		t.Error("a message that somebody has deleted is edited again and again")
	}
	if err := d.Amend(t.Context(), "../../users/@me", ended); err != nil {
		t.Error(err)
	}
}

// Texts that are too long are cut, buttons fill rows, and without a key none is heard.
func TestLimits(t *testing.T) {
	s := newStandIn(t)
	m := message()
	m.Command, m.Link = strings.Repeat("*", 1500)+strings.Repeat("😀", 500), "javascript:alert(1)"
	m.Buttons, m.Risk = nil, "low"
	for i := range 30 {
		m.Buttons = append(m.Buttons, channel.Button{Label: strings.Repeat("é", 60+i), Token: fmt.Sprint(i)})
	}
	if _, err := newDriver(t, s.URL, nil).Post(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := s.messages[0]; !strings.Contains(shown(t, got.Content), channel.Cut) || len(got.Components) != 5 {
		t.Errorf("it shows %+v", got)
	}
	m.Risk, m.ID = "medium", "another"
	if _, err := newDriver(t, s.URL, nil).Post(t.Context(), m); err != nil || len(s.messages[1].Components) != 0 {
		t.Errorf("what is not shown whole has buttons that approve: %+v, %v", s.messages[1], err)
	}
	silent := newDriver(t, s.URL, func(o *Options) { o.PublicKey = "" })
	if rows := silent.rows(message().Buttons); len(rows) != 1 || len(rows[0].Components) != 1 || rows[0].Components[0].URL == "" || silent.Webhook(nil) != nil {
		t.Errorf("without a key the buttons are %v", rows)
	}
}

// A Discord that says no, or is busy, has its way; nothing tells the token.
func TestAnswers(t *testing.T) {
	s := newStandIn(t)
	for name, row := range map[string]struct {
		serve  http.HandlerFunc
		change func(*Options)
		want   string
		kind   string
	}{
		"wrong token":   {nil, func(o *Options) { o.Token = "hunter2" }, "answers 401: 401: Unauthorized Bot ***", "refusal"},
		"wrong channel": {nil, func(o *Options) { o.Channel = "1" }, "answers 404: Unknown Channel", "refusal"},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "65")
			w.WriteHeader(429)
			_, _ = io.WriteString(w, `{"message":"You are being rate limited.","retry_after":64.57,"global":false}`)
		}, nil, "answers 429: You are being rate limited.", "pause 1m4.57s"},
		"down": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, nil, "answers 500", "again"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/", http.StatusTemporaryRedirect)
		}, nil, "sends elsewhere", "refusal"},
		"no Discord": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"id":"../x"}`) }, nil, "no Discord", "refusal"},
	} {
		s.mu.Lock()
		s.serve = row.serve
		s.mu.Unlock()
		_, err := newDriver(t, s.URL, row.change).Post(t.Context(), message())
		kind := "again"
		if _, ok := errors.AsType[*channel.Refusal](err); ok {
			kind = "refusal"
		}
		if p, ok := errors.AsType[*channel.Pause](err); ok {
			kind = "pause " + p.For.String()
		}
		if err == nil || !strings.Contains(err.Error(), row.want) || kind != row.kind || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %s: %v", name, kind, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := newDriver(t, s.URL, nil)
	if _, err := d.Post(ctx, message()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := d.Listen(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is wrong with the options is said, without the token.
func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"api is no address":         {Token: token, Channel: place, API: "discord.com"},
		"token_file has no token":   {Channel: place},
		"in one line":               {Token: "secret\r\nX-Evil: 1", Channel: place},
		"channel is no id":          {Token: token, Channel: "1/messages"},
		"public_key is not 64 hexa": {Token: token, Channel: place, PublicKey: "abcd"},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", want, err)
		}
	}
	if d := newDriver(t, "", nil); !strings.HasPrefix(d.messages, "https://discord.com/api/v10/channels/") {
		t.Error(d.messages)
	}
}

func sealed(key ed25519.PrivateKey, at time.Time, body string) *http.Request {
	stamp := fmt.Sprint(at.Unix())
	q := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	q.Header.Set("X-Signature-Timestamp", stamp)
	q.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, []byte(stamp+body))))
	return q
}

func press(id, at string, flags int) string {
	return fmt.Sprintf(`{"type":3,"id":"1","version":1,"channel_id":%q,"data":{"custom_id":%q,"component_type":2},"member":{"nick":"alice","user":{"id":"80351110224678912","username":"alice"}},
		"message":{"id":"9","flags":%d,"components":[{"type":1,"id":1,"components":[{"type":2,"id":2,"style":4,"label":"Deny","custom_id":"confirm:tok-d"}]}]}}`, at, id, flags)
}

// Only what Discord has signed, a short time ago, is heard, of the one channel.
func TestInteractions(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	other := ed25519.NewKeyFromSeed([]byte(strings.Repeat("o", ed25519.SeedSize)))
	good := press("tok-a", place, 0)
	changed := sealed(private, now, good)
	changed.Body = io.NopCloser(strings.NewReader(strings.Replace(good, "80351110224678912", "1", 1)))
	moved := sealed(private, now.Add(-time.Hour), good)
	moved.Header.Set("X-Signature-Timestamp", fmt.Sprint(now.Unix()))
	unsigned := sealed(private, now, good)
	unsigned.Header.Del("X-Signature-Ed25519")
	done, refused := channel.Reply{Text: "approved by @alice", Done: true}, channel.Reply{Text: "mallory is *unknown*", Refused: true}
	for name, row := range map[string]struct {
		q     *http.Request
		reply channel.Reply
		code  int
		want  string // of the body
		heard bool
	}{
		"a ping":                  {sealed(private, now, `{"type":1,"id":"1","application_id":"2"}`), done, 200, `{"type":1}`, false},
		"a forged ping":           {sealed(other, now, `{"type":1}`), done, 401, "not-proved", false},
		"a press":                 {sealed(private, now, good), done, 200, `{"type":7,"data":{"components":[]}}`, true},
		"a press that confirms":   {sealed(private, now, press("tok-a", place, flagEphemeral)), done, 200, `{"type":7,"data":{"content":"approved by \\@alice","allowed_mentions":{"parse":[]},"components":[]}}`, true},
		"a press to be confirmed": {sealed(private, now, press("confirm:tok-d", place, 0)), done, 200, `"label":"Deny","custom_id":"sure:tok-d"`, false},
		"by somebody unknown":     {sealed(private, now, good), refused, 200, `{"type":4,"data":{"content":"mallory is \\*unknown\\*","allowed_mentions":{"parse":[]},"flags":68,"components":[]}}`, true},
		"when nothing is stored":  {sealed(private, now, good), channel.Reply{Text: "again", Again: true}, 200, `{"type":4,"data":{"content":"again"`, true},
		"of two":                  {sealed(private, now, good), channel.Reply{Text: "1 of 2"}, 200, `{"type":4,`, true},
		"in another channel":      {sealed(private, now, press("tok-a", "1", 0)), done, 200, "own channel alone", false},
		"without a token":         {sealed(private, now, press("", place, 0)), done, 200, `{"type":4,`, false},
		"to confirm nothing":      {sealed(private, now, press("confirm:", place, 0)), done, 200, `{"type":4,`, false},
		"a command":               {sealed(private, now, strings.Replace(good, `"type":3`, `"type":2`, 1)), done, 200, `{"type":4,`, false},
		"by another key":          {sealed(other, now, good), done, 401, "not-proved", false},
		"changed on the way":      {changed, done, 401, "not-proved", false},
		"with a new time":         {moved, done, 401, "not-proved", false},
		"without a signature":     {unsigned, done, 401, "not-proved", false},
		"replayed after a while":  {sealed(private, now.Add(-10*time.Minute), good), done, 401, "not-proved", false},
		"clock 10 minutes ahead":  {sealed(private, now.Add(10*time.Minute), good), done, 401, "not-proved", false},
		"10 MB":                   {sealed(private, now, strings.Repeat("x", 10<<20)), done, 413, "body-too-long", false},
		"no JSON":                 {sealed(private, now, "x"), done, 400, "wrong-body", false},
		"two buttons in one":      {sealed(private, now, strings.Replace(good, `"custom_id":"tok-a"`, `"custom_id":"tok-a","custom_id":"tok-b"`, 1)), done, 400, "wrong-body", false},
	} {
		var heard []channel.Answer
		hook := newDriver(t, "", func(o *Options) { o.Now = func() time.Time { return now } }).Webhook(func(_ context.Context, a channel.Answer) channel.Reply {
			heard = append(heard, a)
			return row.reply
		})
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, row.q)
		if w.Code != row.code || !strings.Contains(w.Body.String(), row.want) || (len(heard) == 1) != row.heard {
			t.Errorf("%s: %d %s, heard %v", name, w.Code, w.Body, heard)
		}
		if row.heard && heard[0] != (channel.Answer{Sender: "80351110224678912", Place: place, Token: "tok-a"}) {
			t.Errorf("%s: heard %+v", name, heard[0])
		}
	}
	direct := `{"type":3,"channel_id":"` + place + `","data":{"custom_id":"tok-a"},"user":{"id":"7"}}`
	newDriver(t, "", func(o *Options) { o.Now = func() time.Time { return now } }).Webhook(func(_ context.Context, a channel.Answer) channel.Reply {
		if a.Sender != "7" {
			t.Errorf("heard %+v", a)
		}
		return done
	}).ServeHTTP(httptest.NewRecorder(), sealed(private, now, direct))
}

// A decision that takes long keeps Discord waiting less than 3 seconds, and counts.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counted := false
		hook := newDriver(t, "", nil).Webhook(func(ctx context.Context, _ channel.Answer) channel.Reply {
			select {
			case <-time.After(10 * time.Second):
				counted = true
			case <-ctx.Done():
			}
			return channel.Reply{Done: true}
		})
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, sealed(private, began, press("tok-a", place, 0)).WithContext(ctx))
		cancel()
		if d := time.Since(began); d >= 3*time.Second || strings.TrimSpace(w.Body.String()) != `{"type":6}` {
			t.Errorf("after %s: %s", d, w.Body)
		}
		time.Sleep(wholeTime)
		synctest.Wait()
		if !counted {
			t.Error("what was pressed does not count")
		}
	})
}

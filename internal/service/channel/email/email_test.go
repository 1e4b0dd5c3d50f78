package email

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A server takes mail on the loopback interface.
type server struct {
	net.Listener
	t        *testing.T
	cert     tls.Certificate
	roots    *x509.CertPool
	implicit bool
	plain    bool              // no STARTTLS
	says     map[string]string // answers instead of the usual ones, by verb
	work     sync.WaitGroup

	mu    sync.Mutex
	verbs []string
	boxes [][]byte // the mails
	to    []string
	login string
}

func newServer(t *testing.T, change func(*server)) *server {
	t.Helper()
	keys := httptest.NewTLSServer(nil)
	defer keys.Close()
	s := &server{t: t, cert: keys.TLS.Certificates[0], roots: x509.NewCertPool(), says: map[string]string{}}
	s.roots.AddCert(keys.Certificate())
	if change != nil {
		change(s)
	}
	s.listen("127.0.0.1:0")
	return s
}

func (s *server) listen(at string) {
	s.t.Helper()
	var err error
	if s.Listener, err = net.Listen("tcp", at); err != nil {
		s.t.Fatal(err)
	}
	l := s.Listener
	s.work.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.work.Go(func() { defer conn.Close(); s.talk(conn) })
		}
	})
	s.t.Cleanup(func() { l.Close(); s.work.Wait() })
}

func (s *server) talk(conn net.Conn) {
	if s.implicit {
		conn = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}})
	}
	r := bufio.NewReader(conn)
	say := func(text string) { fmt.Fprint(conn, text+"\r\n") }
	say("220 stand-in")
	for secure := s.implicit; ; {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		verb = strings.ToUpper(verb)
		s.mu.Lock()
		s.verbs = append(s.verbs, verb)
		said, special := s.says[verb]
		s.mu.Unlock()
		switch {
		case said == "hang":
			_, _ = r.ReadString('\n')
			return
		case said == "close":
			return
		case special:
			say(strings.ReplaceAll(said, "LOGIN", rest))
		case verb == "EHLO":
			say("250-stand-in")
			if !secure && !s.plain {
				say("250-STARTTLS")
			}
			say("250-8BITMIME\r\n250 AUTH PLAIN LOGIN")
		case verb == "STARTTLS":
			say("220 go on")
			conn, secure = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}}), true
			r = bufio.NewReader(conn)
		case verb == "AUTH":
			s.login = rest
			say("235 welcome")
		case verb == "RCPT":
			s.mu.Lock()
			s.to = append(s.to, rest)
			s.mu.Unlock()
			say("250 fine")
		case verb == "DATA":
			say("354 go on")
			data, err := io.ReadAll(textproto.NewReader(r).DotReader())
			if err != nil {
				return
			}
			s.mu.Lock()
			s.boxes = append(s.boxes, data)
			s.mu.Unlock()
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func (s *server) set(verb, says string) { s.mu.Lock(); defer s.mu.Unlock(); s.says[verb] = says }

// read returns the mail of a number, and its text.
func (s *server) read(n int) (*mail.Message, string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.boxes) <= n {
		s.t.Fatalf("there are %d mails", len(s.boxes))
	}
	m, err := mail.ReadMessage(bytes.NewReader(s.boxes[n]))
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		s.t.Fatal(err)
	}
	return m, strings.ReplaceAll(string(text), "\r\n", "\n")
}

func newDriver(t *testing.T, s *server, change func(*Options)) *Driver {
	t.Helper()
	o := Options{
		Server: s.Addr().String(), TLS: StartTLS, User: "policyctl", Password: "hunter2", From: "policyctl <policyctl@example.com>", To: []string{"alice@example.com"},
		Roots: s.roots, Now: func() time.Time { return time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC) },
	}
	if change != nil {
		change(&o)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostile is a command that would end a mail, or add a header to it.
const hostile = "echo '<b>@everyone</b> =3D =?utf-8?q?x?= é \u202e'\nBcc: eve@evil.example\n.\nQUIT\n\nMAIL FROM:<eve@evil.example>\n " + "long"

// askedText is what a subject says of it.
const askedText = "echo '<b>@everyone</b> =3D = ?utf-8?q?x?= é ' Bcc: eve@evil.…"

func subjectOf(t *testing.T, h mail.Header) string {
	t.Helper()
	text, err := new(mime.WordDecoder).DecodeHeader(h.Get("Subject"))
	if err != nil {
		t.Error(err)
	}
	return text
}

func message() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_1", Link: "https://desk.example/ui/requests/req_1", Head: "[APPROVAL REQUIRED]",
		Fields: []channel.Field{{Name: "tool", Value: "shell"}}, Command: hostile + strings.Repeat("g", 2000), Risk: "high",
		Buttons: []channel.Button{{Label: "Approve", Token: "tok-a"}, {Label: "Deny", Token: "tok-d"}},
	}
}

// A mail tells what is asked as text, with a link and no token; how it ended is a reply to
// it.
func TestPost(t *testing.T) {
	for name, row := range map[string]struct {
		server func(*server)
		driver func(*Options)
		verbs  string
	}{
		"starttls": {nil, nil, "EHLO STARTTLS EHLO AUTH MAIL RCPT DATA QUIT"},
		"tls":      {func(s *server) { s.implicit = true }, func(o *Options) { o.TLS = Implicit }, "EHLO AUTH MAIL RCPT DATA QUIT"},
		"own":      {func(s *server) { s.plain = true }, func(o *Options) { o.TLS, o.User, o.Password = Automatic, "", "" }, "EHLO MAIL RCPT DATA QUIT"},
	} {
		s := newServer(t, row.server)
		d := newDriver(t, s, row.driver)
		ref, err := d.Post(t.Context(), message())
		if err != nil {
			t.Fatal(name, err)
		}
		m, text := s.read(0)
		h := m.Header
		if h.Get("Message-ID") != ref || subjectOf(t, h) != "Approval required: "+askedText || h.Get("From") != `"policyctl" <policyctl@example.com>` || h.Get("To") != "<alice@example.com>" ||
			h.Get("Bcc") != "" || h.Get("Auto-Submitted") != "auto-generated" || h.Get("Date") != "Wed, 02 Jan 2030 03:04:05 +0000" || h.Get("Content-Type") != "text/plain; charset=utf-8" || len(h) != 10 {
			t.Errorf("%s: %v", name, h)
		}
		want := "[APPROVAL REQUIRED]\n\n" + message().Framed() + "\n\ntool: shell\n\n-- \nDecide on this page. Replies are not read.\nhttps://desk.example/ui/requests/req_1\n"
		if text != want || strings.Contains(string(s.boxes[0]), "tok-") {
			t.Errorf("%s: it says\n%s", name, text)
		}
		for line := range bytes.Lines(s.boxes[0]) {
			if len(line) > 78 {
				t.Errorf("%s: a line of %d bytes", name, len(line))
			}
		}
		if got := strings.Join(s.verbs, " "); got != row.verbs || len(s.to) != 1 || s.to[0] != "TO:<alice@example.com>" {
			t.Errorf("%s: %s, to %v", name, got, s.to)
		}
		if again, err := d.Post(t.Context(), message()); err != nil || again != ref || !d.Repeats() {
			t.Errorf("%s: again: %s, %v", name, again, err)
		}
		if err := d.Amend(t.Context(), ref, &channel.Message{ID: "dlv_1", Request: "req_1", Head: "[DENIED]", Command: "ls", Outcome: "denied by bob", Link: "https://desk.example/1"}); err != nil {
			t.Fatal(err)
		}
		m, text = s.read(2)
		if h := m.Header; h.Get("In-Reply-To") != ref || h.Get("References") != ref || h.Get("Message-ID") == ref || subjectOf(t, h) != "Re: Approval required: ls" || text != "[DENIED]\ndenied by bob\n\n│ ls\n\n\n-- \nhttps://desk.example/1\n" {
			t.Errorf("%s: %v\n%q", name, h, text)
		}
	}
}

// Nothing of a message or of the settings adds a header.
func TestInjection(t *testing.T) {
	s := newServer(t, nil)
	d := newDriver(t, s, func(o *Options) {
		o.From = "=?utf-8?q?a=0D=0ABcc=3A_eve=40evil.example?= <policyctl@example.com>"
		o.To = []string{"alice@example.com", "Bob <bob@example.com>"}
	})
	m := message()
	m.Request, m.Link = "req_1\r\nBcc: eve@evil.example\r\n\r\nx"+strings.Repeat("é", 300), ""
	m.Head, m.Command = "x\r\nBcc: eve@evil.example", "\r\nBcc: eve@evil.example\r\n\r\n=?utf-8?q?=0D=0ABcc:_eve?= "+strings.Repeat("é", 300)
	if _, err := d.Post(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := d.Amend(t.Context(), "<x>\r\nBcc: eve@evil.example", m); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		got, text := s.read(n)
		subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
		if err != nil || got.Header.Get("Bcc") != "" || got.Header.Get("In-Reply-To") != "" || !strings.Contains(subject, "Approval required: Bcc: eve@evil.example = ?utf-8?q?=0D=0ABcc:_eve?= éé") || strings.ContainsAny(subject, "\r\n") || utf8.RuneCountInString(subject) > 90 || len(got.Header) != 10 || !strings.Contains(text, "policyctl requests") {
			t.Errorf("%v, %v", err, got.Header)
		}
		for _, to := range s.to {
			if strings.Contains(to, "eve") {
				t.Errorf("to %v", s.to)
			}
		}
	}
	if got := s.to[:2]; !slices.Equal(got, []string{"TO:<alice@example.com>", "TO:<bob@example.com>"}) {
		t.Errorf("to %v", got)
	}
}

// A server that says no or nothing has its way; nothing tells the password, and nothing is
// sent in plain text.
func TestServerAnswers(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte("\x00policyctl\x00hunter2"))
	for name, row := range map[string]struct {
		server func(*server)
		driver func(*Options)
		want   string
		lasts  bool
		verbs  string
	}{
		"no STARTTLS":         {func(s *server) { s.plain = true }, nil, "offers no STARTTLS", true, "EHLO"},
		"STARTTLS fails":      {func(s *server) { s.says["STARTTLS"] = "454 not now" }, nil, "454 not now", false, "EHLO STARTTLS"},
		"unknown authority":   {nil, func(o *Options) { o.Roots = x509.NewCertPool() }, "certificate", true, "EHLO STARTTLS"},
		"wrong password":      {func(s *server) { s.says["AUTH"] = "535 no LOGIN" }, nil, "535 no", true, "EHLO STARTTLS EHLO AUTH * QUIT"},
		"password in plain":   {func(s *server) { s.says["AUTH"] = "535 hunter2 is wrong" }, nil, "535 *** is wrong", true, "EHLO STARTTLS EHLO AUTH * QUIT"},
		"no AUTH PLAIN":       {func(s *server) { s.says["EHLO"] = "250-stand-in\r\n250-STARTTLS\r\n250 AUTH LOGIN" }, nil, "AUTH PLAIN", true, "EHLO STARTTLS EHLO"},
		"unknown recipient":   {func(s *server) { s.says["RCPT"] = "550 no such user" }, nil, "550 no such user", true, ""},
		"greylisted":          {func(s *server) { s.says["RCPT"] = "451 try again later" }, nil, "451 try again later", false, ""},
		"many lines":          {func(s *server) { s.says["MAIL"] = "552-a\r\n552 b\u202elevel=ERROR" }, nil, "a b level=ERROR", true, ""},
		"closed":              {func(s *server) { s.says["DATA"] = "close" }, nil, "EOF", false, ""},
		"no SMTP":             {func(s *server) { s.says["EHLO"], s.says["HELO"] = "HTTP/1.1 400 Bad Request", "close" }, nil, "127.0.0.1: EOF", false, ""},
		"plain where TLS":     {nil, func(o *Options) { o.TLS = Implicit }, "tls", false, ""},
		"nobody is listening": {nil, func(o *Options) { o.Server = "127.0.0.1:1" }, "refused", false, ""},
	} {
		s := newServer(t, row.server)
		_, err := newDriver(t, s, row.driver).Post(t.Context(), message())
		_, lasts := errors.AsType[*channel.Refusal](err)
		if err == nil || !strings.Contains(err.Error(), row.want) || lasts != row.lasts || strings.ContainsAny(err.Error(), "\r\n\u202e") || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), encoded) {
			t.Errorf("%s: %#v", name, err)
		}
		s.Close()
		s.mu.Lock()
		if got := strings.Join(s.verbs, " "); row.verbs != "" && got != row.verbs || len(s.boxes) != 0 {
			t.Errorf("%s: %s", name, got)
		}
		s.mu.Unlock()
	}
}

// A server that hangs keeps nobody waiting who goes; one that comes back is used again.
func TestTimes(t *testing.T) {
	s := newServer(t, nil)
	s.set("MAIL", "hang")
	d := newDriver(t, s, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := d.Post(ctx, message()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if err := d.Listen(ctx, nil); err == nil || d.Webhook(nil) != nil {
		t.Error("it hears")
	}
	at := s.Addr().String()
	s.Close()
	if _, err := d.Post(t.Context(), message()); err == nil {
		t.Error("it is off")
	}
	s.mu.Lock()
	delete(s.says, "MAIL")
	s.mu.Unlock()
	s.listen(at)
	if _, err := d.Post(t.Context(), message()); err != nil {
		t.Errorf("it is back: %v", err)
	}
}

// What is wrong with the options is said, without the password.
func TestOptions(t *testing.T) {
	good := Options{Server: "smtp.example.com", From: "policyctl@example.com", To: []string{"alice@example.com"}}
	for want, change := range map[string]func(*Options){
		"server is no host":          func(o *Options) { o.Server = "https://smtp.example.com" },
		"server is no host; write o": func(o *Options) { o.Server = "" },
		"tls is \"none\"":            func(o *Options) { o.TLS = "none" },
		"a password without a user":  func(o *Options) { o.Password = "hunter2" },
		"from is no address":         func(o *Options) { o.From = "policyctl@example.com\r\nBcc: eve@evil.example" },
		"to[1] is no address":        func(o *Options) { o.To = []string{"a@b.c", "a@b.c, d@e.f"} },
		"to is missing":              func(o *Options) { o.To = nil },
	} {
		o := good
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, row := range []struct{ server, tls, host, port string }{
		{"smtp.example.com", "", "smtp.example.com", "587"}, {"smtp.example.com", "tls", "smtp.example.com", "465"}, {"smtp.example.com:25", "starttls", "smtp.example.com", "25"},
		{"::1", "", "::1", "587"}, {"[::1]:2525", "", "::1", "2525"},
	} {
		o := good
		o.Server, o.TLS = row.server, Encryption(row.tls)
		if d, err := New(o); err != nil || d.host != row.host || d.port != row.port || d.isOwn() != (row.host == "::1") {
			t.Errorf("%s: %+v, %v", row.server, d, err)
		}
	}
	o := good
	o.From = "policyctl@bücher.example"
	if d, err := New(o); err != nil || !strings.HasSuffix(d.idOf("x"), "@policyctl.invalid>") || !messageIDs().MatchString(d.idOf("x")) {
		t.Error(err)
	}
}

package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// The times of the socket: between two tries whether it is alive, for one of them, and
// how long an old one is heard beside its successor.
const (
	pingPause = 30 * time.Second
	pingTime  = 10 * time.Second
	drainTime = 30 * time.Second
)

// maxTurns bounds the presses that are heard at once, maxEnvelope what comes over the
// socket in one piece, in bytes, and maxQuick how many sockets in a row may end before
// quick is over.
const (
	maxTurns    = 16
	maxEnvelope = 256 << 10
	maxQuick    = 3
	quick       = 10 * time.Second
)

// An envelope is what comes over the socket.
type envelope struct {
	Type        string          `json:"type"`
	ID          string          `json:"envelope_id"`
	Reason      string          `json:"reason"`
	Connections int             `json:"num_connections"`
	Payload     json.RawMessage `json:"payload"`
}

// Listen hears presses over a socket, until ctx is done or the socket fails; where Slack
// wants a new one it opens that before it leaves the old one. Each press is acknowledged
// after it was heard. Without a token of the app it waits for ctx: presses come as
// signed requests.
func (d *Driver) Listen(ctx context.Context, hear channel.Hear) error {
	if err := d.checkWorkspace(ctx); err != nil {
		return err
	}
	if d.appToken == "" {
		<-ctx.Done()
		return ctx.Err()
	}
	var work sync.WaitGroup
	defer work.Wait()
	listening, stop := context.WithCancel(ctx)
	defer stop()
	for ended := 0; ; {
		began := time.Now()
		s, err := d.dial(ctx, hear, &work)
		if err != nil {
			return err
		}
		if err := s.serve(ctx); !errors.Is(err, errRenew) {
			s.conn.CloseNow()
			return err
		}
		work.Go(func() { s.drain(ctx, listening) })
		if ended++; time.Since(began) > quick {
			ended = 0
		}
		if ended > maxQuick {
			return errors.New("slack ends each socket at once")
		}
	}
}

// A socket is one connection.
type socket struct {
	*Driver
	conn *websocket.Conn
	hear channel.Hear
	work *sync.WaitGroup
}

// dial asks for a socket and opens it.
func (d *Driver) dial(ctx context.Context, hear channel.Hear, work *sync.WaitGroup) (*socket, error) {
	var open struct {
		URL string `json:"url"`
	}
	if err := d.api.call(ctx, "apps.connections.open", d.appToken, struct{}{}, &open); err != nil {
		return nil, err
	}
	if err := d.api.mayDial(open.URL); err != nil {
		return nil, err
	}
	dialing, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	conn, _, err := websocket.Dial(dialing, open.URL, &websocket.DialOptions{HTTPClient: d.api.client})
	if err != nil {
		return nil, d.api.unanswered("the socket", err)
	}
	conn.SetReadLimit(maxEnvelope)
	return &socket{d, conn, hear, work}, nil
}

// mayDial says what is wrong with the address of a socket: it is Slack's, and encrypted
// unless all of it is on this machine.
func (a *api) mayDial(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "wss" && (u.Scheme != "ws" || a.base.Scheme != "http") {
		return &channel.Refusal{Text: "slack: the address of the socket is not one of wss: correct api"}
	}
	own := a.base.Hostname()
	if host := u.Hostname(); host != own && !strings.HasSuffix(host, "."+own) {
		return &channel.Refusal{Text: fmt.Sprintf("slack: the socket is at %s, which is not below %s: correct api", a.clean(host), own)}
	}
	return nil
}

// errRenew is that Slack wants another socket.
var errRenew = errors.New("slack wants a new socket")

// serve hears what comes until the socket is to be renewed, or fails.
func (s *socket) serve(ctx context.Context) error {
	alive, stop := context.WithCancel(ctx)
	defer stop()
	s.work.Go(func() { s.ping(alive) })
	for {
		_, data, err := s.conn.Read(ctx)
		if err != nil {
			return s.ended(ctx, err)
		}
		var e envelope
		if err := json.Unmarshal(data, &e); err != nil {
			s.log.WarnContext(ctx, "what came over the socket of Slack cannot be read", "error", s.api.clean(err.Error()))
			continue
		}
		if e.Type == "disconnect" {
			return leave(e.Reason)
		}
		if err := s.take(ctx, &e); err != nil {
			return err
		}
	}
}

// leave is what a disconnect means.
func leave(reason string) error {
	switch reason {
	case "warning", "refresh_requested", "":
		return errRenew
	case "link_disabled":
		return &channel.Refusal{Text: "slack: socket mode is off: turn it on in the settings of the app"}
	case "too_many_websockets":
		return errors.New("slack: the app has too many sockets: stop what else uses its token")
	}
	return fmt.Errorf("slack ends the socket: %q", channel.Limit(reason, 40))
}

// take hears an envelope in a turn of its own, so that none waits for another.
func (s *socket) take(ctx context.Context, e *envelope) error {
	if e.Type == "hello" {
		if e.Connections > 2 { // two while one takes over from the other
			s.log.WarnContext(ctx, "other programs use the token of this Slack app, and get a part of the presses: stop them", "connections", e.Connections)
		}
		return nil
	}
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.work.Go(func() {
		defer func() { <-s.turns }()
		s.answer(ctx, e)
	})
	return nil
}

// answer hears an envelope, acknowledges it and tells the person what came of it.
func (s *socket) answer(ctx context.Context, e *envelope) {
	in := new(interaction)
	say := ""
	if e.Type == "interactive" {
		if err := json.Unmarshal(e.Payload, in); err != nil {
			s.log.WarnContext(ctx, "what was pressed in Slack cannot be read", "error", s.api.clean(err.Error()))
		} else {
			say = s.pressed(ctx, in, s.hear)
		}
	}
	if e.ID != "" && ctx.Err() == nil {
		s.acknowledge(ctx, e.ID)
	}
	s.tell(ctx, in.User.ID, say)
}

func (s *socket) acknowledge(ctx context.Context, id string) {
	data, err := json.Marshal(struct {
		ID string `json:"envelope_id"`
	}{id})
	if err == nil {
		err = s.conn.Write(ctx, websocket.MessageText, data)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a press was heard, and Slack not told so: it may come again", "error", s.ended(ctx, err))
	}
}

// ping tries whether the socket is alive, and closes it where it is not.
func (s *socket) ping(ctx context.Context) {
	tick := time.NewTicker(s.pings)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		trying, cancel := context.WithTimeout(ctx, min(pingTime, s.pings))
		err := s.conn.Ping(trying)
		cancel()
		if err != nil {
			s.conn.CloseNow()
			return
		}
	}
}

// drain hears what still comes over a socket that is replaced, as long as somebody
// listens. What is being heard then is not interrupted.
func (s *socket) drain(ctx, listening context.Context) {
	open, cancel := context.WithTimeout(listening, drainTime)
	defer cancel()
	context.AfterFunc(open, func() { s.conn.CloseNow() })
	for err := errRenew; errors.Is(err, errRenew); {
		err = s.serve(ctx)
	}
}

// ended is why a socket ended.
func (s *socket) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.api.unanswered("the socket", err)
}

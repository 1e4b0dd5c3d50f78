package requests

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A notice is what the stream of events has to say: that it runs, that it was
// lost, an event, or that it cannot go on.
type notice struct {
	began, lost bool
	event       *approval.Event
	err         error
}

// A follow reads the stream of events (server-sent events, HTML Standard,
// section 9.2), and goes on where it left off.
type follow struct {
	client *approval.Client
	last   string // the id of the last event
}

// How long the stream may be silent, since the service sends a comment every
// 15 seconds; and the pause before it is opened anew.
const (
	silence   = 45 * time.Second
	reconnect = time.Second
)

// run tells of the stream until ctx is done.
func (f *follow) run(ctx context.Context, tell func(notice)) {
	for ctx.Err() == nil {
		err := f.read(ctx, tell)
		if refused(err) {
			tell(notice{err: err})
			return
		}
		tell(notice{lost: true})
		select {
		case <-ctx.Done():
		case <-time.After(reconnect):
		}
	}
}

// refused says that the service does not want this caller.
func refused(err error) bool {
	var answer *approval.ServiceError
	return errors.As(err, &answer) && answer.Status >= 400 && answer.Status < 500 && answer.Status != http.StatusTooManyRequests
}

// read follows one connection.
func (f *follow) read(ctx context.Context, tell func(notice)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alive := time.AfterFunc(silence, cancel)
	defer alive.Stop()
	path := "/v1/events"
	if f.last != "" {
		path += "?last_event_id=" + url.QueryEscape(f.last)
	}
	res, err := f.client.Open(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	tell(notice{began: true})
	return f.events(bufio.NewReader(res.Body), func() { alive.Reset(silence) }, tell)
}

// events reads lines, and tells of each event when it is whole.
func (f *follow) events(in *bufio.Reader, heard func(), tell func(notice)) error {
	id, kind, data := f.last, "", ""
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		heard()
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			id = value
		case "event":
			kind = value
		case "data":
			data = value // one line, as the service writes it
		}
		if strings.TrimRight(line, "\r\n") == "" {
			f.last = id // what broke off before this is sent again
			deliver(kind, data, tell)
			kind, data = "", ""
		}
	}
}

// deliver tells of one event. That some were missed is like a new beginning.
func deliver(kind, data string, tell func(notice)) {
	var e approval.Event
	switch {
	case kind == "resync":
		tell(notice{began: true})
	case kind == "request" && json.Unmarshal([]byte(data), &e) == nil:
		tell(notice{event: &e})
	}
}

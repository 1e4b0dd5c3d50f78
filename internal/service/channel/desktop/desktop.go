// Package desktop tells the user of the machine of requests, by notifications of their
// desktop: notify-send on Linux, osascript on macOS.
//
// A notification approves nothing. An agent that runs as the same user can press its
// button, or show one of its own: the button opens the page of the request, where a
// person logs in. Texts are arguments of programs; no shell reads them.
package desktop

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Options are what the settings of a desktop say. All may be left out.
type Options struct {
	// System is the operating system; "" stands for [runtime.GOOS].
	System string
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// A Driver shows notifications. It implements [channel.Driver].
type Driver struct {
	system string
	now    func() time.Time

	mu    sync.Mutex
	shown map[string]context.CancelFunc // those that wait for a press, by reference
	work  sync.WaitGroup
}

// New returns a driver. Where the machine cannot show anything, [Driver.Post] says so.
func New(o Options) (*Driver, error) {
	d := &Driver{system: cmp.Or(o.System, runtime.GOOS), now: o.Now, shown: make(map[string]context.CancelFunc)}
	if d.now == nil {
		d.now = time.Now
	}
	return d, nil
}

// programs are what shows notifications and opens pages, by operating system.
var programs = map[string]struct{ show, open, install string }{
	"linux":  {"notify-send", "xdg-open", "install libnotify-bin, or the package of your system that has it"},
	"darwin": {"osascript", "open", "it is part of macOS"},
}

// Post shows a notification, and returns its number where the desktop tells one.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	program, known := programs[d.system]
	if !known {
		return "", &channel.Refusal{Text: fmt.Sprintf("there are no notifications on %s; use another type of channel", d.system)}
	}
	path, err := exec.LookPath(program.show)
	if err != nil {
		return "", &channel.Refusal{Text: fmt.Sprintf("there is no %s in the PATH of the service; %s", program.show, program.install)}
	}
	if d.system == "darwin" {
		return "", d.script(ctx, path, m)
	}
	return d.notify(ctx, path, m)
}

// Amend makes the notification say how its request ended, where the desktop can.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	path, err := exec.LookPath(programs["linux"].show)
	if d.system != "linux" || err != nil || !isNumber(ref) {
		return nil
	}
	d.end(ref)
	return d.replace(ctx, path, ref, m)
}

// Listen waits, and ends what waits for a press when ctx is done.
func (d *Driver) Listen(ctx context.Context, _ channel.Hear) error {
	<-ctx.Done()
	d.mu.Lock()
	for _, cancel := range d.shown {
		cancel()
	}
	d.mu.Unlock()
	d.work.Wait()
	return ctx.Err()
}

// Webhook returns nil.
func (d *Driver) Webhook(channel.Hear) http.Handler { return nil }

// Repeats reports false: a desktop knows no message of before.
func (d *Driver) Repeats() bool { return false }

var _ channel.Driver = (*Driver)(nil)

// maxText bounds what a notification shows, in bytes.
const maxText = 1000

// text is what a notification shows below its title.
func text(m *channel.Message) string {
	write := func(m *channel.Message) string {
		plain := *m
		plain.Head, plain.Link = m.Outcome, ""
		return strings.Trim(plain.Text(), "\n")
	}
	said := write(m.Fit(maxText, func(m *channel.Message) int { return len(write(m)) }))
	return strings.ReplaceAll(said, "\x00", "␀") // no program takes one as an argument
}

// page is where the button leads, "" for nowhere.
func page(m *channel.Message) string {
	u, err := url.Parse(m.Link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return ""
	}
	return u.String()
}

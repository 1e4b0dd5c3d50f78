package desktop

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/bounded"
)

// maxWait is how long a notification waits for a press if its request says nothing else;
// maxShown bounds those that wait.
const (
	maxWait  = 10 * time.Minute
	maxShown = 32
)

// notify shows a notification of Linux. Its button opens the page, where notify-send can
// wait for a press (0.8 and above).
func (d *Driver) notify(ctx context.Context, path string, m *channel.Message) (ref string, err error) {
	help, err := run(ctx, path, "--help")
	if err != nil {
		return "", err
	}
	args := []string{"--app-name=policyctl", "--urgency=" + urgency(m.Risk)}
	d.mu.Lock()
	full := len(d.shown) >= maxShown
	d.mu.Unlock()
	link := page(m)
	if link == "" || full || !strings.Contains(help, "--action") || !strings.Contains(help, "--print-id") {
		_, err = run(ctx, path, append(args, "--", title(m), markup(strings.TrimSpace(text(m)+"\n"+link)))...)
		return "", err
	}
	args = append(args, "--print-id", "--action=default=Open", "--action=open=Open the page", "--", title(m), markup(text(m)))
	return d.wait(ctx, path, args, link, m.Until)
}

// urgency is how loud a request is: what is critical stays until somebody looks.
func urgency(risk string) string {
	if risk == "low" || risk == "medium" {
		return "normal"
	}
	return "critical"
}

var errNoNumber = errors.New("it prints no number of a notification")

// wait starts a program that prints the number of its notification, and then what is
// pressed. It stays behind Post, until the request is over.
func (d *Driver) wait(ctx context.Context, path string, args []string, link string, until time.Time) (ref string, err error) {
	left := maxWait
	if !until.IsZero() {
		left = min(max(until.Sub(d.now()), time.Second), maxWait)
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), left)
	problems := bounded.Buffer{Max: maxPrinted}
	c := exec.CommandContext(own, path, args...)
	c.Stderr, c.WaitDelay = &problems, time.Second
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		cancel()
		return "", failed(ctx, path, err, nil)
	}
	lines := make(chan string)
	go scan(out, lines)
	ctx, stop := context.WithTimeout(ctx, showTime)
	defer stop()
	select {
	case ref = <-lines:
	case <-ctx.Done():
	}
	if !isNumber(ref) {
		cancel()
		for range lines { // until it has ended
		}
		if err = c.Wait(); ref != "" || err == nil {
			err = errNoNumber
		}
		return "", failed(ctx, path, err, problems.Bytes())
	}
	d.mu.Lock()
	d.shown[ref] = cancel
	d.mu.Unlock()
	d.work.Go(func() {
		defer d.end(ref)
		pressed := ""
		for line := range lines {
			pressed = line
		}
		_ = c.Wait() // ended by us, or pressed
		if pressed == "default" || pressed == "open" {
			open(link)
		}
	})
	return ref, nil
}

// scan sends the first lines of what a program prints, and closes lines at its end.
func scan(out io.Reader, lines chan<- string) {
	defer close(lines)
	s := bufio.NewScanner(io.LimitReader(out, maxPrinted))
	for s.Scan() {
		lines <- strings.TrimSpace(s.Text())
	}
}

// end ends the waiting for a press.
func (d *Driver) end(ref string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cancel := d.shown[ref]; cancel != nil {
		cancel()
	}
	delete(d.shown, ref)
}

// replace shows how a request ended in the place of its notification.
func (d *Driver) replace(ctx context.Context, path, ref string, m *channel.Message) error {
	_, err := run(ctx, path, "--app-name=policyctl", "--urgency=low", "--replace-id="+ref, "--", title(m), markup(text(m)))
	return err
}

// open opens a page in the browser of the user.
func open(link string) {
	path, err := exec.LookPath(programs["linux"].open)
	if err != nil {
		return // the notification was pressed in vain: its page is at the desk
	}
	ctx, cancel := context.WithTimeout(context.Background(), showTime)
	defer cancel()
	_, _ = run(ctx, path, link)
}

func title(m *channel.Message) string { return channel.Saying(m.Head) }

// markup escapes a text for notify-send, which takes backslashes for itself, and for
// desktops, which know some of HTML.
func markup(text string) string {
	return strings.NewReplacer(`\`, `\\`, "&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

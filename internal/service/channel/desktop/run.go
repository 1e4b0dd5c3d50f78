package desktop

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/bounded"
)

// showTime bounds a program that only shows something; maxPrinted is how much of what it
// prints is read, in bytes.
const (
	showTime   = 5 * time.Second
	maxPrinted = 64 << 10
)

// run runs a program to its end, and returns what it prints.
func run(ctx context.Context, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, showTime)
	defer cancel()
	out, problems := bounded.Buffer{Max: maxPrinted}, bounded.Buffer{Max: maxPrinted}
	c := exec.CommandContext(ctx, path, args...)
	c.Stdout, c.Stderr, c.WaitDelay = &out, &problems, time.Second
	if err := c.Run(); err != nil {
		return "", failed(ctx, path, err, problems.Bytes())
	}
	return string(out.Bytes()), nil
}

// failed says why a program showed nothing.
func failed(ctx context.Context, path string, err error, printed []byte) error {
	name := filepath.Base(path)
	if why := ctx.Err(); why != nil {
		return fmt.Errorf("%s showed nothing in time: %w", name, why)
	}
	if said := channel.Saying(string(printed)); said != "" {
		return fmt.Errorf("%s: %s", name, said)
	}
	return errors.New(name + ": " + channel.Saying(err.Error()))
}

// script shows a notification of macOS. It has no button, so that it shows the link.
func (d *Driver) script(ctx context.Context, path string, m *channel.Message) error {
	body := text(m)
	if link := page(m); link != "" {
		body += "\n" + link
	}
	_, err := run(ctx, path, "-e", "on run argv", "-e", "display notification (item 3 of argv) with title (item 1 of argv) subtitle (item 2 of argv)", "-e", "end run",
		"policyctl", channel.Saying(m.Head), body)
	return err
}

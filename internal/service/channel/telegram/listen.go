package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// pollTime is how long Telegram waits for something to be said; maxUpdates bounds what
// one answer holds.
const (
	pollTime   = 50 * time.Second
	maxUpdates = 20
)

// A poll is what getUpdates is called with.
type poll struct {
	Offset  int64    `json:"offset,omitempty"`
	Limit   int      `json:"limit"`
	Timeout int      `json:"timeout"`
	Allowed []string `json:"allowed_updates"`
}

// A bot is who the token belongs to.
type bot struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
}

// Listen asks Telegram for what is said, and acknowledges each of it after it was heard:
// what a crash interrupts is told again. It returns the first error; what was heard is
// not heard again when it is called again.
func (d *Driver) Listen(ctx context.Context, hear channel.Hear) error {
	var me bot
	if err := d.api.call(ctx, "getMe", struct{}{}, &me); err != nil {
		return err
	}
	l := &listener{d, me, hear}
	size := maxUpdates
	for {
		updates, err := d.updates(ctx, size)
		if long, ok := errors.AsType[*tooLong](err); ok {
			if size == 1 && !d.skip(long) {
				return err
			}
			size = 1 // to find the one that is too long
			continue
		}
		if err != nil {
			return err
		}
		for i := range updates {
			if err := l.update(ctx, updates[i]); err != nil {
				return err
			}
		}
		if len(updates) == 0 {
			// Everything before was acknowledged. Telegram may begin again with a lower
			// number after a quiet week.
			d.offset.Store(0)
		}
		size = maxUpdates
	}
}

// updates waits for what is said, and acknowledges what was heard before.
func (d *Driver) updates(ctx context.Context, size int) ([]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTime+callTime)
	defer cancel()
	in := poll{d.offset.Load(), size, int(pollTime / time.Second), []string{"message", "callback_query"}}
	data, err := d.api.ask(ctx, "getUpdates", in)
	if err != nil {
		return nil, err
	}
	var updates []json.RawMessage
	if err := json.Unmarshal(data, &updates); err != nil {
		return nil, d.api.unreadable("getUpdates", err)
	}
	return updates, nil
}

var updateID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"update_id"\s*:\s*([0-9]{1,18})\b`) })

// skip passes an update over that is too long to be read.
func (d *Driver) skip(long *tooLong) bool {
	found := updateID().FindSubmatch(long.beginning)
	if found == nil {
		return false
	}
	id, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		return false
	}
	d.log.Warn("something that was said in Telegram is not heard: it is too long", "update", id)
	d.offset.Store(id + 1)
	return true
}

// Package telegram tells a chat of Telegram about requests, and hears the buttons and
// commands of its members through a bot (https://core.telegram.org/bots/api).
//
//	d, err := telegram.New(telegram.Options{Token: token, Chat: "123456789"})
//
// The bot asks Telegram for what was said, so nothing has to reach this machine. Only
// the configured chat is told and heard; who in it may decide is not known here. What
// is told stands on Telegram's servers, where it can be read: it is not encrypted end
// to end.
package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Options are what the settings of a channel say. Token and Chat are required.
type Options struct {
	// Token is that of the bot, as @BotFather gave it.
	Token string
	// Chat is the number of the chat, negative for groups.
	Chat string
	// API is where the methods are, "" for https://api.telegram.org. It is https, or on
	// this machine.
	API string
	// HTTP does the asking; nil stands for a client that goes by the proxy of the
	// environment. It follows no redirect, and its time-out is that of each call.
	HTTP *http.Client
	// Log gets who was not heard, and why; nil stands for none.
	Log *slog.Logger
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// A Driver is one bot in one chat. It is safe for concurrent use; [Driver.Listen] runs
// once at a time, because Telegram lets one program alone ask for updates.
type Driver struct {
	api    *api
	chat   int64
	log    *slog.Logger
	now    func() time.Time
	second confirmations
	// offset is the update to ask for next, 0 for the first that was not acknowledged.
	offset atomic.Int64
}

const defaultAPI = "https://api.telegram.org"

var tokenForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$`) })

// New returns a driver, or says what is wrong with the options. It asks nobody.
func New(o Options) (*Driver, error) {
	if o.Token == "" {
		return nil, errors.New("the token is missing: ask @BotFather for a bot, and write its token to token_file")
	}
	if !tokenForm().MatchString(o.Token) {
		return nil, errors.New("the token is not one of a bot, such as 123456789:AAE… from @BotFather")
	}
	chat, err := strconv.ParseInt(o.Chat, 10, 64)
	if err != nil || chat == 0 || strconv.FormatInt(chat, 10) != o.Chat {
		return nil, fmt.Errorf("chat %q is not the number of a chat, such as \"123456789\", or \"-1001234567890\" for a group", o.Chat)
	}
	a, err := newAPI(o)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Driver{api: a, chat: chat, log: o.Log.With("chat", chat), now: o.Now}, nil
}

// Post sends a message to the chat. The reference is the chat and the number of the
// message, with a slash between.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	d.second.remember(m.Buttons)
	var sent struct {
		ID int64 `json:"message_id"`
	}
	out := d.render(m)
	err = d.api.call(ctx, "sendMessage", out, &sent)
	if refusesLinks(err) {
		out.linksInText(m)
		err = d.api.call(ctx, "sendMessage", out, &sent)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d/%d", d.chat, sent.ID), nil
}

// Amend replaces a message and its buttons. A message that says so already is left as
// it is.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	chat, number, found := strings.Cut(ref, "/")
	id, err := strconv.ParseInt(number, 10, 64)
	if !found || err != nil || chat != strconv.FormatInt(d.chat, 10) {
		return &channel.Refusal{Text: fmt.Sprintf("the message %q is not in the chat %d of the settings", ref, d.chat)}
	}
	d.second.remember(m.Buttons)
	out := d.render(m)
	out.Message = id
	err = d.api.call(ctx, "editMessageText", out, nil)
	if refusesLinks(err) {
		out.linksInText(m)
		err = d.api.call(ctx, "editMessageText", out, nil)
	}
	if f, ok := errors.AsType[*failure](err); ok && strings.Contains(f.text, "message is not modified") {
		return nil
	}
	return err
}

// Webhook returns nil: the bot asks for what is said.
func (d *Driver) Webhook(channel.Hear) http.Handler { return nil }

// Repeats reports false: Telegram shows a message that is sent twice twice.
func (d *Driver) Repeats() bool { return false }

var _ channel.Driver = (*Driver)(nil)

package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An update is something that was said.
type update struct {
	ID       int64     `json:"update_id"`
	Message  *message  `json:"message"`
	Callback *callback `json:"callback_query"`
}

type message struct {
	ID     int64 `json:"message_id"`
	From   *user `json:"from"`
	Chat   chat  `json:"chat"`
	Sender *chat `json:"sender_chat"`
	// Bot and Origin are of messages that a program wrote, or somebody else.
	Bot      *user           `json:"via_bot"`
	Origin   json.RawMessage `json:"forward_origin"`
	Text     string          `json:"text"`
	ReplyTo  *message        `json:"reply_to_message"`
	Keyboard *keyboard       `json:"reply_markup"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

type chat struct {
	ID int64 `json:"id"`
}

type user struct {
	ID    int64 `json:"id"`
	IsBot bool  `json:"is_bot"`
}

// A listener hears one bot.
type listener struct {
	*Driver
	me   bot
	hear channel.Hear
}

// update hears one update. An error is that ctx is done before it was heard.
func (l *listener) update(ctx context.Context, data json.RawMessage) error {
	var u update
	if err := json.Unmarshal(data, &u); err != nil {
		// The number is read alone, so that what cannot be read comes once.
		var id struct {
			ID int64 `json:"update_id"`
		}
		if json.Unmarshal(data, &id) != nil || id.ID == 0 {
			return l.api.unreadable("getUpdates", err)
		}
		l.log.WarnContext(ctx, "something that was said in Telegram is not heard: it cannot be read", "update", id.ID, "error", l.api.clean(err.Error()))
		l.offset.Store(id.ID + 1)
		return nil
	}
	if u.ID < l.offset.Load() {
		return nil // heard before
	}
	switch {
	case u.Callback != nil:
		l.pressed(ctx, u.Callback)
	case u.Message != nil:
		l.written(ctx, u.Message)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.offset.Store(u.ID + 1)
	return nil
}

// maxToast is how much is told to who presses a button, in runes.
const maxToast = 200

// maxData bounds what a button sends, in bytes, as Telegram does.
const maxData = 64

// pressed hears a button.
func (l *listener) pressed(ctx context.Context, c *callback) {
	if why := l.foreign(c); why != "" {
		l.log.WarnContext(ctx, "a button of Telegram is not heard: "+why, "sender", c.From.ID)
		l.toast(ctx, c.ID, "Nothing was decided: "+why+".", true)
		return
	}
	token, doubt := strings.CutPrefix(c.Data, doubtful)
	if doubt {
		question, sure := l.second.sure(press{c.From.ID, token}, labelOf(c), l.now())
		if !sure {
			l.toast(ctx, c.ID, question, true)
			return
		}
	}
	reply := l.hear(ctx, channel.Answer{Sender: strconv.FormatInt(c.From.ID, 10), Place: l.place(), Token: token, Confirmed: doubt})
	l.toast(ctx, c.ID, reply.Text, reply.Refused)
}

// foreign says why a button is not heard, "" if it is.
func (l *listener) foreign(c *callback) string {
	switch {
	case c.Message == nil:
		return "nothing tells in which chat it was pressed"
	case c.Message.Chat.ID != l.chat:
		return fmt.Sprintf("it was pressed in the chat %d, which is not that of the settings", c.Message.Chat.ID)
	case c.From.ID == 0 || c.From.IsBot:
		return "no person pressed it"
	case c.Data == "" || len(c.Data) > maxData:
		return "it is none of ours"
	}
	return ""
}

// labelOf is what stands on the button that was pressed.
func labelOf(c *callback) string {
	if c.Message.Keyboard == nil {
		return ""
	}
	for _, row := range c.Message.Keyboard.Rows {
		for _, b := range row {
			if b.Data == c.Data {
				return b.Text
			}
		}
	}
	return ""
}

func (l *listener) place() string { return strconv.FormatInt(l.chat, 10) }

// toast tells who pressed a button what came of it. It is lost where Telegram does not
// take it: the message says it too.
func (l *listener) toast(ctx context.Context, id, text string, alert bool) {
	in := struct {
		ID    string `json:"callback_query_id"`
		Text  string `json:"text,omitempty"`
		Alert bool   `json:"show_alert,omitempty"`
	}{id, channel.Limit(oneLine(text), maxToast), alert}
	if err := l.api.call(ctx, "answerCallbackQuery", in, nil); err != nil {
		l.log.WarnContext(ctx, "who pressed a button of Telegram was not told what came of it", "error", err)
	}
}

// written hears a command, and nothing else.
func (l *listener) written(ctx context.Context, m *message) {
	c, ok := parse(m.Text, l.me.Username)
	if !ok {
		return
	}
	if why := l.unsure(m); why != "" {
		sender := int64(0)
		if m.From != nil {
			sender = m.From.ID
		}
		l.log.WarnContext(ctx, "a command of Telegram is not heard: "+why, "from", m.Chat.ID, "sender", sender)
		if m.Chat.ID == l.chat {
			l.say(ctx, m, "Nothing was decided: "+why+".")
		}
		return
	}
	if c.request == "" {
		c.request = l.requestOf(m.ReplyTo)
	}
	if c.wrong {
		c.request = ""
	}
	if c.word == "start" || c.word == "help" {
		l.say(ctx, m, "Requests of policyctl come here. "+usage("approve or /deny"))
		return
	}
	if c.request == "" {
		l.say(ctx, m, usage(c.word))
		return
	}
	reply := l.hear(ctx, channel.Answer{
		Sender: strconv.FormatInt(m.From.ID, 10), Place: l.place(),
		Request: c.request, Approve: c.word == "approve", Reason: c.reason,
	})
	l.say(ctx, m, reply.Text)
}

// unsure says why nothing tells that a person of the chat wrote a message, "" if it does.
func (l *listener) unsure(m *message) string {
	switch {
	case m.Chat.ID != l.chat:
		return "the chat is not that of the settings"
	case m.Sender != nil || m.From == nil || m.From.ID == 0:
		return "it is written in the name of a chat; write as yourself"
	case m.From.IsBot || m.Bot != nil:
		return "a program wrote it"
	case len(m.Origin) > 0:
		return "it is forwarded; write it yourself"
	}
	return ""
}

// requestOf is the request of a message of ours, "" for another message: its last line
// is always ours.
func (l *listener) requestOf(m *message) string {
	if m == nil || m.From == nil || m.From.ID != l.me.ID {
		return ""
	}
	last := m.Text[strings.LastIndexByte(m.Text, '\n')+1:]
	id, found := strings.CutPrefix(last, requestMark)
	if !found || !requestForm().MatchString(id) {
		return ""
	}
	return id
}

// say answers a message.
func (l *listener) say(ctx context.Context, m *message, what string) {
	t := text{left: maxUnits}
	if t.literal("code", oneLine(what)); t.units == 0 {
		return
	}
	out := &outgoing{Chat: l.chat, Text: t.String(), Entities: t.entities, Preview: preview{true}, Reply: &reply{m.ID, true}}
	if err := l.api.call(ctx, "sendMessage", out, nil); err != nil {
		l.log.WarnContext(ctx, "who wrote in Telegram was not told what came of it", "error", err)
	}
}

package telegram

import (
	"strings"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// maxUnits bounds a message, in units of UTF-16, as Telegram counts.
const maxUnits = 4096

// An outgoing is what sendMessage and editMessageText are called with. It has no parse
// mode: the entities say all there is to say about the text.
type outgoing struct {
	Chat     int64     `json:"chat_id"`
	Message  int64     `json:"message_id,omitempty"`
	Text     string    `json:"text"`
	Entities []entity  `json:"entities,omitempty"`
	Preview  preview   `json:"link_preview_options"`
	Reply    *reply    `json:"reply_parameters,omitempty"`
	Keyboard *keyboard `json:"reply_markup,omitempty"`
}

type preview struct {
	Disabled bool `json:"is_disabled"`
}

type reply struct {
	Message int64 `json:"message_id"`
	Without bool  `json:"allow_sending_without_reply"`
}

// An entity is how Telegram shows a part of a text, which is counted in UTF-16. Within
// code and pre nothing becomes a mention, a command or a link, as it does elsewhere
// even without a parse mode.
type entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
}

// render is what the chat is told: a request with its buttons, or in one line how it
// ended.
func (d *Driver) render(m *channel.Message) *outgoing {
	out := &outgoing{Chat: d.chat, Preview: preview{true}}
	if m.Outcome != "" {
		t := text{left: maxUnits}
		t.literal("code", oneLine(m.Outcome))
		out.Text, out.Entities = t.String(), t.entities
		return out
	}
	out.Keyboard = keyboardOf(m.Buttons)
	out.write(m, "")
	return out
}

// linksInText takes the buttons that open pages out of the keyboard, and writes their
// addresses below the text.
func (o *outgoing) linksInText(m *channel.Message) {
	if m.Outcome != "" {
		return
	}
	var kept []channel.Button
	links := ""
	for _, b := range m.Buttons {
		if b.URL == "" {
			kept = append(kept, b)
		} else if b.URL != m.Link {
			links += "\n" + b.Label + ": " + b.URL
		}
	}
	o.Keyboard = keyboardOf(kept)
	o.write(m, links)
}

const cut = "\ncut: the rest is on the page"

// requestMark begins the last line, by which a reply to the message finds its request.
const requestMark = "Request "

// write fills the text. What does not fit is cut, with a note; links and the request
// are always there.
func (o *outgoing) write(m *channel.Message, links string) {
	tail := links
	if m.Link != "" {
		tail = "\n" + m.Link + tail
	}
	end := text{}
	end.left = maxUnits
	end.plain(tail)
	if m.Request != "" {
		end.plain("\n" + requestMark)
		end.literal("code", m.Request)
	}
	t := text{left: maxUnits - end.units - len(cut)}
	t.plain(m.Head)
	if m.Command != "" {
		t.plain("\n\n")
		t.literal("pre", m.Framed())
	}
	if m.Note != "" {
		t.plain("\n" + m.Note)
	}
	t.plain("\n")
	for _, f := range m.Fields {
		t.plain("\n" + f.Name + ": ")
		t.literal("code", f.Value)
	}
	if m.Held != "" {
		t.plain("\n" + channel.HeldName + ": " + m.Held)
	}
	if t.full {
		t.left = len(cut)
		t.full = false
		t.plain(cut)
	}
	t.add(&end)
	o.Text, o.Entities = t.String(), t.entities
}

// A text is written from front to back, and takes no more than left units.
type text struct {
	strings.Builder
	units, left int
	full        bool
	entities    []entity
}

func (t *text) plain(s string) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for i, r := range s {
		n := utf16.RuneLen(r)
		if t.full = t.full || t.left < n; t.full {
			s = s[:i]
			break
		}
		t.units, t.left = t.units+n, t.left-n
	}
	t.WriteString(s)
}

// literal writes a text of which Telegram makes nothing else.
func (t *text) literal(kind, s string) {
	from := t.units
	if t.plain(s); t.units > from {
		t.entities = append(t.entities, entity{kind, from, t.units - from})
	}
}

// add appends another text, for which there is room.
func (t *text) add(end *text) {
	for _, e := range end.entities {
		e.Offset += t.units
		t.entities = append(t.entities, e)
	}
	t.WriteString(end.String())
	t.units += end.units
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Package channel reaches people where they are: it tells of requests in chats, on
// phones and by mail, and brings back what they answer.
//
// A [Driver] speaks to one service, such as Telegram. What is the same for all of
// them is here: what a message says, who may answer, the tokens behind buttons, and
// deliveries that survive a crash. A channel that fails decides nothing.
package channel

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// A Driver speaks to the service behind a channel. It is safe for concurrent use, and
// its methods return when ctx is done.
type Driver interface {
	// Post tells of a request, and returns what names the message at the service, ""
	// where nothing does. An error that is no [Refusal] has it tried again.
	Post(ctx context.Context, m *Message) (ref string, err error)
	// Amend makes a message say how its request ended, or that a newer one asks, and takes
	// its buttons away. It does nothing where the service cannot change what was sent.
	Amend(ctx context.Context, ref string, m *Message) error
	// Listen hears what people press and write, until ctx is done or the connection
	// fails. A driver that only hears webhooks, or nothing, waits for ctx.
	Listen(ctx context.Context, hear Hear) error
	// Webhook answers requests below /api/approvers/NAME/, of which it must prove who
	// sends them; nil for none.
	Webhook(hear Hear) http.Handler
	// Repeats reports whether the service, or who receives, knows a message of which
	// [Message.ID] came before, so that one may be sent again when nobody knows
	// whether it arrived.
	Repeats() bool
}

// Hear takes what somebody said and returns what they are to be told. It decides
// nothing twice.
type Hear func(ctx context.Context, a Answer) Reply

// An Answer is what somebody said by a channel.
type Answer struct {
	// Sender is who said it, as the service proves it, in the form in which people are
	// named in the settings of the channel: the number of a Telegram user, the id of
	// a member of Slack.
	Sender string
	// Place is where it was said, "" where the service has no such thing: the chat, or
	// the workspace and channel with a slash between.
	Place string
	// Token is that of the button that was pressed. Where there is none, Request and
	// Approve are what was written, as in /approve ID.
	Token   string
	Request string
	Approve bool
	// Confirmed says that they were asked again, as [Button.Confirm] wants, and meant it.
	Confirmed bool
	// Reason is for the agent, "" for none.
	Reason string
}

// A Reply is what somebody is told who said something.
type Reply struct {
	// Text is one line.
	Text string
	// Done reports that a request is decided now, by them or by somebody else: its
	// message is amended anyway.
	Done bool
	// Refused reports that the sender is unknown, or may not decide.
	Refused bool
	// Again reports that nothing came of it because something is wrong here: the same
	// may be said again.
	Again bool
}

// A Message is what is told of a request. All of its texts are plain: drivers have to
// escape what their service would take for more, such as markup, mentions and links.
type Message struct {
	// ID names the delivery, and stays the same when it is tried again.
	ID string
	// Request is the id of the request, Link its page at the desk, "" for none.
	Request, Link string
	// Head is the first line; Fields follow, in the order in which they are shown.
	Head   string
	Fields []Field
	// Command is what is to run: secrets are masked, nothing in it hides, and it may
	// be cut, which Note says then.
	Command, Note string
	// Buttons are the ways to answer; none when the request is over.
	Buttons []Button
	// Outcome is how the request ended, in one line, "" while it waits.
	Outcome string
	// Replaced says that a newer message is about the same request: a service that cannot
	// change what was sent is told nothing of this one.
	Replaced bool
	// Held says why no button approves, "" where one does.
	Held string
	// Risk is "low", "medium", "high" or "critical", "" where it is unknown.
	Risk string
	// Until is when nobody can decide any more.
	Until time.Time
}

// A Field is one line of a message.
type Field struct{ Name, Value string }

// A Style is how a button looks.
type Style int

// The styles.
const (
	Plain Style = iota
	Primary
	Danger
)

// A Button is one way to answer. Either Token or URL is set: a button with a URL opens
// a page, and the decision is made there.
type Button struct {
	Label string
	Style Style
	// Token is what the service sends back when it is pressed. It is good once, has at
	// most 43 characters of base64url, and says nothing.
	Token string
	URL   string
	// Confirm asks the person again, in one sentence, "" where that is not needed.
	Confirm string
}

// HeldName is what [Message.Held] is called where fields have names.
const HeldName = "To approve"

// Text is the whole message without markup, for services that have none.
func (m *Message) Text() string {
	var b strings.Builder
	b.WriteString(m.Head)
	if m.Command != "" {
		b.WriteString("\n\n" + m.Framed())
	}
	if m.Note != "" {
		b.WriteString("\n" + m.Note)
	}
	b.WriteString("\n")
	for _, f := range m.Fields {
		b.WriteString("\n" + f.Name + ": " + f.Value)
	}
	if m.Held != "" {
		b.WriteString("\n" + HeldName + ": " + m.Held)
	}
	if m.Link != "" {
		b.WriteString("\n" + m.Link)
	}
	return b.String()
}

// Framed is the command with a bar before each line, so that none passes for a line or a
// link of ours.
func (m *Message) Framed() string {
	const bar = "│ "
	return bar + strings.ReplaceAll(m.Command, "\n", "\n"+bar)
}

package slack

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An outgoing is what chat.postMessage, chat.update and chat.postEphemeral are called
// with. Text is what notifications show; it is the one place where Slack reads markup.
type outgoing struct {
	Channel     string  `json:"channel"`
	TS          string  `json:"ts,omitempty"`
	User        string  `json:"user,omitempty"`
	Text        string  `json:"text"`
	Blocks      []block `json:"blocks"`
	Markdown    bool    `json:"mrkdwn"`
	Parse       string  `json:"parse"`
	LinkNames   bool    `json:"link_names"`
	UnfurlLinks bool    `json:"unfurl_links"`
	UnfurlMedia bool    `json:"unfurl_media"`
}

type block struct {
	Type     string    `json:"type"`
	Text     *words    `json:"text,omitempty"`
	Elements []element `json:"elements,omitempty"`
}

// words are a text object.
type words struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji bool   `json:"emoji"`
}

type element struct {
	Type    string   `json:"type"`
	Action  string   `json:"action_id"`
	Text    *words   `json:"text"`
	Style   string   `json:"style,omitempty"`
	Value   string   `json:"value,omitempty"`
	URL     string   `json:"url,omitempty"`
	Confirm *confirm `json:"confirm,omitempty"`
}

type confirm struct {
	Title   *words `json:"title"`
	Text    *words `json:"text"`
	Confirm *words `json:"confirm"`
	Deny    *words `json:"deny"`
	Style   string `json:"style,omitempty"`
}

// What Slack takes, in characters, and in sections of a message.
const (
	maxSection     = 3000
	maxHeader      = 150
	maxLabel       = 75
	maxConfirmText = 300
	maxConfirmWord = 30
	maxNotice      = 300
	maxSections    = 16
)

// confirmed is before the token of a button that Slack has confirmed.
const confirmed = "sure:"

// cut is in place of what does not fit.
const cut = " … cut: the rest is on the page"

// reference is what Slack would read as another character, even in plain text.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`&(amp|lt|gt);`) })

// plain is a text of which Slack makes nothing else: no mention, no link, no emoji. What
// is longer than most is cut, with a mark.
func plain(text string, most int) *words {
	text = reference().ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "&amp;$1;")
	mark := cut
	if most < 2*len(cut) {
		mark = "…"
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-len([]rune(mark))]) + mark
	}
	return &words{Type: "plain_text", Text: text}
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// notice is a text of one line for notifications.
func notice(text string) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\uFFFD")
	return escaper.Replace(channel.Limit(text, maxNotice))
}

// render is what the channel is told: a request with its buttons, or in one line how it
// ended.
func (d *Driver) render(m *channel.Message) *outgoing {
	if m.Outcome != "" {
		line := strings.Join(strings.Fields(m.Outcome), " ")
		return d.outgoing(line, []block{section(line)})
	}
	head := cmp.Or(m.Head, "Approval required")
	blocks := []block{{Type: "header", Text: plain(head, maxHeader)}}
	for _, text := range []string{m.Framed(), m.Note} {
		if text != "" {
			blocks = append(blocks, section(text))
		}
	}
	blocks = append(blocks, fields(m)...)
	if buttons := elements(m); len(buttons) > 0 {
		blocks = append(blocks, block{Type: "actions", Elements: buttons})
	}
	return d.outgoing(head+" "+m.Command, blocks)
}

func (d *Driver) outgoing(text string, blocks []block) *outgoing {
	return &outgoing{Channel: d.channel, Text: notice(text), Blocks: blocks, Parse: "none"}
}

func section(text string) block { return block{Type: "section", Text: plain(text, maxSection)} }

// fields are the fields in as few sections as they fit, and the request.
func fields(m *channel.Message) []block {
	var lines []string
	for _, f := range m.Fields {
		lines = append(lines, f.Name+": "+f.Value)
	}
	if m.Held != "" {
		lines = append(lines, channel.HeldName+": "+m.Held)
	}
	if m.Request != "" {
		lines = append(lines, "Request: "+m.Request)
	}
	var blocks []block
	text := ""
	flush := func() {
		if text != "" {
			blocks, text = append(blocks, section(text)), ""
		}
	}
	for _, line := range lines {
		if len([]rune(text))+len([]rune(line))+1 > maxSection/2 {
			flush()
		}
		text += "\n" + line
		text = strings.TrimPrefix(text, "\n")
	}
	flush()
	if len(blocks) > maxSections {
		blocks = append(blocks[:maxSections-1], section(strings.TrimSpace(cut)))
	}
	return blocks
}

var styles = map[channel.Style]string{channel.Primary: "primary", channel.Danger: "danger"}

// elements are the buttons, and one for the page where none of them opens it.
func elements(m *channel.Message) []element {
	buttons := m.Buttons
	opens := func(b channel.Button) bool { return b.URL == m.Link }
	if m.Link != "" && !slices.ContainsFunc(buttons, opens) {
		buttons = append(slices.Clone(buttons), channel.Button{Label: "Open the page", URL: m.Link})
	}
	var all []element
	for i, b := range buttons {
		e := element{
			Type: "button", Action: fmt.Sprintf("answer-%d", i), Text: plain(b.Label, maxLabel),
			Style: styles[b.Style], Value: b.Token, URL: b.URL,
		}
		if b.Confirm != "" {
			e.Value = confirmed + b.Token // Slack sends it when its dialog was confirmed
			e.Confirm = &confirm{
				Title: plain(b.Label, maxConfirmWord), Text: plain(b.Confirm, maxConfirmText),
				Confirm: plain(b.Label, maxConfirmWord), Deny: plain("Back", maxConfirmWord), Style: cmp.Or(e.Style, "primary"),
			}
		}
		all = append(all, e)
	}
	return all
}

package discord

import (
	"net/url"
	"strings"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A content is what a message shows, when it is written and when it is edited.
type content struct {
	Content    string   `json:"content"`
	Mentions   mentions `json:"allowed_mentions"`
	Flags      int      `json:"flags"`
	Components []row    `json:"components"`
}

// A post is a message that is new.
type post struct {
	content
	Nonce   string `json:"nonce"`
	Enforce bool   `json:"enforce_nonce"`
}

// mentions are those that Discord is to make of a text: none.
type mentions struct {
	Parse []string `json:"parse"`
}

func nobody() mentions { return mentions{[]string{}} }

// A row holds buttons.
type row struct {
	Type       int      `json:"type"`
	Components []button `json:"components"`
}

type button struct {
	Type     int    `json:"type"`
	Style    int    `json:"style"`
	Label    string `json:"label"`
	CustomID string `json:"custom_id,omitempty"`
	URL      string `json:"url,omitempty"`
}

// The numbers of Discord for components, styles and flags.
const (
	typeRow, typeButton            = 1, 2
	stylePrimary, stylePlain       = 1, 2
	styleDanger, styleLink         = 4, 5
	flagNoEmbeds, flagEphemeral    = 1 << 2, 1 << 6
	maxContent, maxLabel, maxInRow = 2000, 80, 5
	maxRows, maxURL                = 5, 512
)

// confirms is before the token of a button that asks once more, confirmed before that of
// the button that it asks with.
const (
	confirms  = "confirm:"
	confirmed = "sure:"
)

func (d *Driver) content(m *channel.Message) content {
	fitting := m.Fit(maxContent, func(m *channel.Message) int { return units(write(m)) })
	return content{Content: write(fitting), Mentions: nobody(), Flags: flagNoEmbeds, Components: d.rows(fitting.Buttons)}
}

// units is the length of a text as Discord counts it, or more.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// write is a message as text of Discord.
func write(m *channel.Message) string {
	plain := *m
	plain.Link = ""
	head := escape(m.Head)
	if m.Outcome != "" {
		head += "\n" + escape(m.Outcome)
	}
	plain.Head = ""
	text := head + escape(plain.Text())
	if m.Link != "" {
		text += "\n" + link(m.Link)
	}
	return text
}

// link is a URL that can be followed and is not unfolded.
func link(text string) string {
	if u, err := url.Parse(text); err != nil || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(text, "<> \n") {
		return escape(text)
	}
	return "<" + text + ">"
}

// escape makes a text show as it is: a backslash takes the meaning of every sign of
// ASCII, which markup, mentions, emoji, times and links all have.
func escape(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r", "␍") {
		if r > ' ' && r < 0x7f && !isAlnum(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// rows are the buttons that can be pressed or followed, never nil: an empty list takes
// away those of before.
func (d *Driver) rows(buttons []channel.Button) []row {
	rows := []row{}
	for _, b := range buttons {
		made, ok := d.button(b)
		if !ok {
			continue
		}
		last := len(rows) - 1
		if last < 0 || len(rows[last].Components) == maxInRow {
			if len(rows) == maxRows {
				break
			}
			rows, last = append(rows, row{Type: typeRow}), last+1
		}
		rows[last].Components = append(rows[last].Components, made)
	}
	return rows
}

var styles = map[channel.Style]int{channel.Plain: stylePlain, channel.Primary: stylePrimary, channel.Danger: styleDanger}

func (d *Driver) button(b channel.Button) (made button, ok bool) {
	label := b.Label
	if runes := []rune(label); len(runes) > maxLabel {
		label = string(runes[:maxLabel-1]) + "…"
	}
	if b.URL != "" {
		return button{Type: typeButton, Style: styleLink, Label: label, URL: b.URL}, isLinkable(b.URL)
	}
	id := b.Token
	if b.Confirm != "" {
		id = confirms + id
	}
	return button{Type: typeButton, Style: styles[b.Style], Label: label, CustomID: id}, d.key != nil
}

// isLinkable reports whether Discord takes a URL for a button: it refuses a whole message
// where a host has no dot, such as localhost. The text of the message has the link too.
func isLinkable(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && strings.Contains(u.Hostname(), ".") && len(text) <= maxURL
}

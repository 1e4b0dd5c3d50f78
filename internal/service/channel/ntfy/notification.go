package ntfy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A notification is what is published, in the JSON of ntfy.
type notification struct {
	Topic    string   `json:"topic"`
	Sequence string   `json:"sequence_id,omitempty"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Priority int      `json:"priority"`
	Tags     []string `json:"tags,omitempty"`
	Click    string   `json:"click,omitempty"`
	Actions  []action `json:"actions,omitempty"`
}

// An action is a button.
type action struct {
	Action  string            `json:"action"` // view or http
	Label   string            `json:"label"`
	URL     string            `json:"url"`
	Method  string            `json:"method,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Clear   bool              `json:"clear,omitempty"`
}

// What ntfy takes: bytes of a text, beyond which it makes a file of it, and buttons.
const (
	maxMessage = 4096
	maxActions = 3
)

// The priorities of ntfy: those below the usual one make no sound.
const quiet, usual, high, highest = 2, 3, 4, 5

// risks say how loud a request is, and by which emoji.
var risks = map[string]struct {
	priority int
	tag      string
}{
	"low": {usual, "white_circle"}, "medium": {high, "large_orange_diamond"}, "high": {highest, "warning"},
	"critical": {highest, "rotating_light"}, "": {high, "grey_question"},
}

func (d *Driver) waiting(m *channel.Message, sequence string) *notification {
	r, known := risks[m.Risk]
	if !known {
		r = risks[""]
	}
	m = fitting(m)
	return &notification{
		Topic: d.o.Topic, Sequence: sequence, Title: m.Head, Message: text(m), Priority: r.priority, Tags: []string{r.tag},
		Click: m.Link, Actions: d.actions(m),
	}
}

func (d *Driver) ended(m *channel.Message, sequence string) *notification {
	return &notification{Topic: d.o.Topic, Sequence: sequence, Title: m.Head, Message: text(fitting(m)), Priority: quiet, Click: m.Link}
}

// text is a message below its title, without the page that a tap opens. ntfy shows it as
// it is: it knows markup only where it is asked to.
func text(m *channel.Message) string {
	below := *m
	below.Head, below.Link = m.Outcome, ""
	return strings.Trim(below.Text(), "\n")
}

// fitting is a message of which ntfy takes the text.
func fitting(m *channel.Message) *channel.Message {
	return m.Fit(maxMessage, func(m *channel.Message) int { return len(text(m)) })
}

// actions are the buttons that ntfy can show. Where there are too many, the page has the
// others; a tap on the notification opens it.
func (d *Driver) actions(m *channel.Message) []action {
	buttons := slices.Clone(m.Buttons)
	for len(buttons) > maxActions {
		last := len(buttons) - 1
		for i, b := range buttons {
			if b.Style == channel.Plain {
				last = i
			}
		}
		buttons = slices.Delete(buttons, last, last+1)
	}
	var all []action
	for _, b := range buttons {
		if a, ok := d.action(b, m.Link); ok {
			all = append(all, a)
		}
	}
	if len(all) == 0 && m.Link != "" {
		all = append(all, action{Action: "view", Label: "Open", URL: m.Link})
	}
	return all
}

// action is a button that posts its token, or opens a page. ntfy asks nobody again, so
// that what is to be confirmed is decided on the page.
func (d *Driver) action(b channel.Button, page string) (a action, ok bool) {
	switch {
	case b.URL != "":
		return action{Action: "view", Label: b.Label, URL: b.URL}, true
	case b.Confirm != "" && page != "":
		return action{Action: "view", Label: b.Label + " …", URL: page}, true
	case b.Confirm != "" || d.o.Callback == "":
		return action{}, false
	}
	body, err := json.Marshal(press{b.Token})
	if err != nil {
		panic(err) // a text is always JSON
	}
	return action{
		Action: "http", Label: b.Label, URL: d.o.Callback, Method: "POST", Clear: true,
		Headers: map[string]string{"Content-Type": "application/json"}, Body: string(body),
	}, true
}

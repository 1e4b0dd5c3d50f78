package webhook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A notice is what is posted.
type notice struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      data   `json:"data"`
}

type data struct {
	Request string   `json:"request"`
	Link    string   `json:"link,omitempty"`
	Risk    string   `json:"risk"`
	Until   string   `json:"until,omitempty"`
	Head    string   `json:"head"`
	Command string   `json:"command,omitempty"`
	Note    string   `json:"note,omitempty"`
	Fields  []field  `json:"fields"`
	Buttons []button `json:"buttons"`
	Held    string   `json:"held,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type button struct {
	Label   string `json:"label"`
	Style   string `json:"style"`
	Token   string `json:"token,omitempty"`
	URL     string `json:"url,omitempty"`
	Confirm string `json:"confirm,omitempty"`
}

var styles = map[channel.Style]string{channel.Plain: "plain", channel.Primary: "primary", channel.Danger: "danger"}

// encode writes a message. Its texts are those of the message: JSON has no markup.
func encode(kind string, now time.Time, m *channel.Message) ([]byte, error) {
	d := data{
		Request: m.Request, Link: m.Link, Risk: riskOf(m), Head: m.Head, Command: m.Command, Note: m.Note, Held: m.Held, Outcome: m.Outcome,
		Fields: make([]field, 0, len(m.Fields)), Buttons: make([]button, 0, len(m.Buttons)),
	}
	if !m.Until.IsZero() {
		d.Until = m.Until.UTC().Format(time.RFC3339)
	}
	for _, f := range m.Fields {
		d.Fields = append(d.Fields, field(f))
	}
	for _, b := range m.Buttons {
		d.Buttons = append(d.Buttons, button{b.Label, styles[b.Style], b.Token, b.URL, b.Confirm})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(notice{kind, now.UTC().Format(time.RFC3339), d})
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// riskOf is how a risk is written; what is unknown has a word too.
func riskOf(m *channel.Message) string { return cmp.Or(m.Risk, "unknown") }

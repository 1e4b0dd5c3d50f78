package telegram

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A keyboard is the buttons below a message, by rows.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

type button struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
}

var styles = map[channel.Style]string{channel.Primary: "primary", channel.Danger: "danger"}

// Two buttons share a row where their labels are short; longest bounds them, in runes.
const (
	perRow  = 2
	longest = 20
)

// doubtful begins the data of a button that has to be pressed twice.
const doubtful = "?"

// keyboardOf is the keyboard of some buttons, nil for none.
func keyboardOf(buttons []channel.Button) *keyboard {
	var k keyboard
	for _, b := range buttons {
		out := button{Text: b.Label, Style: styles[b.Style], URL: b.URL}
		if b.Token != "" {
			out.Data = b.Token
			if b.Confirm != "" {
				out.Data = doubtful + b.Token
			}
		}
		last := len(k.Rows) - 1
		if last >= 0 && len(k.Rows[last]) < perRow && isShort(out) && isShort(k.Rows[last][0]) {
			k.Rows[last] = append(k.Rows[last], out)
			continue
		}
		k.Rows = append(k.Rows, []button{out})
	}
	if k.Rows == nil {
		return nil
	}
	return &k
}

func isShort(b button) bool { return len([]rune(b.Text)) <= longest }

// A button that is to be confirmed counts when the same person presses it again, no
// sooner than minAgain, which is a double press, and no later than maxAgain.
const (
	minAgain = time.Second
	maxAgain = time.Minute
)

// maxSentences bounds how many sentences and first presses are remembered. A button of
// which the sentence is forgotten asks by its label, and a press that is forgotten was
// none.
const maxSentences = 512

// confirmations are what people are asked again. The zero value is ready.
type confirmations struct {
	mu        sync.Mutex
	sentences map[string]string // by token
	order     []string
	asked     map[press]time.Time
}

type press struct {
	by    int64
	token string
}

// remember keeps the sentences of buttons.
func (c *confirmations) remember(buttons []channel.Button) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range buttons {
		if b.Token == "" || b.Confirm == "" {
			continue
		}
		if c.sentences == nil {
			c.sentences = make(map[string]string)
		}
		if _, known := c.sentences[b.Token]; !known {
			c.order = append(c.order, b.Token)
		}
		c.sentences[b.Token] = b.Confirm
	}
	if over := len(c.order) - maxSentences; over > 0 {
		for _, token := range c.order[:over] {
			delete(c.sentences, token)
		}
		c.order = slices.Delete(c.order, 0, over)
	}
}

// sure reports whether this is the second press; the question is for the first.
func (c *confirmations) sure(p press, label string, now time.Time) (question string, sure bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other, at := range c.asked {
		if now.Sub(at) > maxAgain {
			delete(c.asked, other)
		}
	}
	at, before := c.asked[p]
	if before && now.Sub(at) >= minAgain {
		delete(c.asked, p)
		return "", true
	}
	if c.asked == nil || len(c.asked) >= maxSentences {
		c.asked = make(map[press]time.Time)
	}
	if !before {
		c.asked[p] = now
	}
	label = cmp.Or(label, "the button")
	sentence := c.sentences[p.token]
	if sentence == "" {
		sentence = label + "?"
	}
	const again = " Press %s again within a minute to confirm."
	end := fmt.Sprintf(again, channel.Limit(label, 40))
	return channel.Limit(sentence, maxToast-len([]rune(end))) + end, false
}

package slack

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An interaction is what Slack sends when somebody uses what is below a message.
type interaction struct {
	Type string `json:"type"`
	User struct {
		ID   string `json:"id"`
		Team string `json:"team_id"`
	} `json:"user"`
	Team      *named `json:"team"`
	Channel   *named `json:"channel"`
	Container struct {
		Type    string `json:"type"`
		TS      string `json:"message_ts"`
		Channel string `json:"channel_id"`
	} `json:"container"`
	Actions []struct {
		Type  string `json:"type"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

type named struct {
	ID string `json:"id"`
}

// maxValue bounds what a button sends, in bytes; tokens are shorter.
const maxValue = 64

// foreign says why a press is not heard, "" if it is.
func (d *Driver) foreign(in *interaction) string {
	switch {
	case in.Team == nil || in.Team.ID != d.workspace || in.User.Team != "" && in.User.Team != d.workspace:
		return "it comes from another workspace than that of the settings"
	case in.Channel == nil || in.Channel.ID != d.channel || in.Container.Channel != d.channel || in.Container.Type != "message":
		return "it comes from another channel than that of the settings"
	case in.User.ID == "":
		return "nobody pressed it"
	case len(in.Actions) != 1 || in.Actions[0].Type != "button" || in.Actions[0].TS == "" || in.Container.TS == "" || len(in.Actions[0].Value) > maxValue:
		return "it is none of ours"
	}
	return ""
}

// pressed hears one press, and returns what the person is to be told, "" for nothing.
func (d *Driver) pressed(ctx context.Context, in *interaction, hear channel.Hear) (say string) {
	if in.Type != "block_actions" {
		return ""
	}
	if why := d.foreign(in); why != "" {
		d.log.WarnContext(ctx, "a button of Slack is not heard: "+why, "sender", in.User.ID)
		return ""
	}
	action := in.Actions[0]
	if action.Value == "" {
		return "" // it opens a page
	}
	key := press{in.User.ID, in.Container.TS, action.TS, action.Value}
	switch d.presses.first(key, d.now()) {
	case again:
		d.log.WarnContext(ctx, "a button of Slack is not heard: this press came before", "sender", in.User.ID)
		return ""
	case tooMany:
		d.log.WarnContext(ctx, "a button of Slack is not heard: too many were pressed", "sender", in.User.ID)
		return "Nothing was decided: too many buttons were pressed. Try again in a few minutes."
	}
	token, sure := strings.CutPrefix(action.Value, confirmed)
	reply := hear(ctx, channel.Answer{Sender: in.User.ID, Place: d.workspace + "/" + d.channel, Token: token, Confirmed: sure})
	if ctx.Err() != nil {
		d.presses.forget(key) // Slack may send it again
	}
	if reply.Done && !reply.Refused {
		return "" // the message says it
	}
	return reply.Text
}

// A press is what is the same where Slack sends one twice: who pressed, the message, when
// and what.
type press struct{ user, message, at, value string }

// A request that Slack signed may come again for 10 minutes; presses are remembered for
// longer. maxPresses bounds how many.
const (
	pressTime  = 15 * time.Minute
	maxPresses = 4096
)

// presses remembers what was pressed. The zero value is ready.
type presses struct {
	mu   sync.Mutex
	seen map[press]time.Time
}

// A novelty is whether a press came before.
type novelty int

const (
	tooMany novelty = iota
	again
	fresh
)

// first notes a press.
func (p *presses) first(key press, now time.Time) novelty {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, before := p.seen[key]; before {
		return again
	}
	if len(p.seen) >= maxPresses {
		for other, at := range p.seen {
			if now.Sub(at) > pressTime {
				delete(p.seen, other)
			}
		}
	}
	if len(p.seen) >= maxPresses {
		return tooMany
	}
	if p.seen == nil {
		p.seen = make(map[press]time.Time)
	}
	p.seen[key] = now
	return fresh
}

func (p *presses) forget(key press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.seen, key)
}

// tell says something that only one person sees.
func (d *Driver) tell(ctx context.Context, user, text string) {
	if text == "" {
		return
	}
	out := d.outgoing(text, []block{section(text)})
	out.User = user
	if err := d.api.call(ctx, "chat.postEphemeral", d.api.token, out, nil); err != nil {
		d.log.WarnContext(ctx, "who pressed a button of Slack was not told what came of it", "sender", user, "error", err)
	}
}

// A place is what auth.test says of a token.
type place struct {
	Team string `json:"team_id"`
}

// checkWorkspace says what is wrong where the token of the bot is for another workspace.
func (d *Driver) checkWorkspace(ctx context.Context) error {
	var at place
	if err := d.api.call(ctx, "auth.test", d.api.token, struct{}{}, &at); err != nil {
		return err
	}
	if at.Team != d.workspace {
		return &channel.Refusal{Text: fmt.Sprintf("slack: the token is for the workspace %s, and the settings say %s: correct one of them", d.api.clean(at.Team), d.workspace)}
	}
	return nil
}

package discord

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/callback"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// tolerance is how far the time of an interaction may be from ours, and maxBody bounds
// one, in bytes. Discord waits 3 seconds for an answer; what takes longer than answerIn
// goes on without one, for wholeTime at most.
const (
	tolerance = 5 * time.Minute
	maxBody   = 256 << 10
	answerIn  = 2500 * time.Millisecond
	wholeTime = 30 * time.Second
)

// An interaction is what Discord posts. It has more than that.
type interaction struct {
	Type    int    `json:"type"`
	Channel string `json:"channel_id"`
	Data    struct {
		CustomID string `json:"custom_id"`
	} `json:"data"`
	Member struct {
		User user `json:"user"`
	} `json:"member"` // in a server
	User    user `json:"user"` // in a direct message
	Message struct {
		Flags      int   `json:"flags"`
		Components []row `json:"components"`
	} `json:"message"`
}

type user struct {
	ID string `json:"id"`
}

// The types of interactions and of responses.
const (
	ping, pressed          = 1, 3
	pong, say, acknowledge = 1, 4, 6
	update                 = 7
)

// A response is what Discord is answered.
type response struct {
	Type int   `json:"type"`
	Data *said `json:"data,omitempty"`
}

// A said is a text for who pressed a button alone, or what becomes of the message.
type said struct {
	Content    string    `json:"content,omitempty"`
	Mentions   *mentions `json:"allowed_mentions,omitempty"`
	Flags      int       `json:"flags,omitempty"`
	Components []row     `json:"components"`
}

// Webhook hears presses; nil where there is no key to prove them by.
func (d *Driver) Webhook(hear channel.Hear) http.Handler {
	if d.key == nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := callback.Body(w, r, maxBody)
		if !ok {
			return
		}
		if !d.isProved(r.Header, body) {
			callback.Refuse(w, http.StatusUnauthorized, "not-proved", "no signature of the application holds for the present time", "name the public key of the application in public_key, and set the clock")
			return
		}
		var i interaction
		if err := strictjson.DecodeOpen(body, &i); err != nil {
			webguard.Write(w, &webguard.Refusal{Status: http.StatusBadRequest, Code: "wrong-body", Detail: err.Error(), Hint: "send an interaction of Discord"})
			return
		}
		callback.JSON(w, http.StatusOK, d.respond(r.Context(), &i, hear))
	})
}

// isProved reports whether Discord has sent a body, a short time ago.
func (d *Driver) isProved(h http.Header, body []byte) bool {
	stamps, signatures := h.Values("X-Signature-Timestamp"), h.Values("X-Signature-Ed25519")
	if len(stamps) != 1 || len(signatures) != 1 {
		return false
	}
	seconds, err := strconv.ParseInt(stamps[0], 10, 64)
	signature, wrong := hex.DecodeString(signatures[0])
	return err == nil && wrong == nil && ed25519.Verify(d.key, append([]byte(stamps[0]), body...), signature) &&
		d.now().Sub(time.Unix(seconds, 0)).Abs() <= tolerance
}

// respond is what an interaction is answered.
func (d *Driver) respond(ctx context.Context, i *interaction, hear channel.Hear) response {
	token, again := strings.CutPrefix(i.Data.CustomID, confirms)
	token, sure := strings.CutPrefix(token, confirmed)
	sender := i.Member.User.ID
	if sender == "" {
		sender = i.User.ID
	}
	switch {
	case i.Type == ping:
		return response{Type: pong}
	case i.Type != pressed || token == "":
		return whisper("Only the buttons of requests do something here.")
	case i.Channel != d.channel:
		return whisper("Requests are decided in their own channel alone.")
	case again:
		return i.confirm(token)
	}
	reply, ok := within(ctx, answerIn, func(ctx context.Context) channel.Reply {
		return hear(ctx, channel.Answer{Sender: sender, Place: i.Channel, Token: token, Confirmed: sure})
	})
	switch {
	case !ok:
		return response{Type: acknowledge}
	case !reply.Done || reply.Refused:
		return whisper(reply.Text)
	case i.Message.Flags&flagEphemeral != 0: // the question whether it is meant
		return response{update, &said{Content: escape(reply.Text), Mentions: new(nobody()), Components: []row{}}}
	}
	return response{update, &said{Components: []row{}}} // the text follows when the message is amended
}

// confirm asks who has pressed a button whether it is meant, by the same button.
func (i *interaction) confirm(token string) response {
	b := button{Type: typeButton, Style: stylePrimary, Label: "Confirm"}
	for _, r := range i.Message.Components {
		for _, shown := range r.Components {
			if shown.CustomID == i.Data.CustomID {
				b.Style, b.Label = shown.Style, shown.Label
			}
		}
	}
	b.CustomID = confirmed + token
	r := whisper("Is it meant? Press “" + b.Label + "” here to confirm it.")
	r.Data.Components = []row{{typeRow, []button{b}}}
	return r
}

// whisper tells something to who pressed a button, and to nobody else.
func whisper(text string) response {
	return response{say, &said{Content: escape(text), Mentions: new(nobody()), Flags: flagEphemeral | flagNoEmbeds, Components: []row{}}}
}

// within returns what ask says, if it does in time. It goes on without anybody who
// waits: what was pressed counts.
func within(ctx context.Context, d time.Duration, ask func(context.Context) channel.Reply) (reply channel.Reply, ok bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wholeTime)
	done := make(chan channel.Reply, 1)
	go func() {
		defer cancel()
		done <- ask(ctx)
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case reply := <-done:
		return reply, true
	case <-timer.C:
		return channel.Reply{}, false
	}
}

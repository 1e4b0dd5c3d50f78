package ntfy

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/callback"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A press is what a button posts.
type press struct {
	Token string `json:"token"`
}

// maxBody bounds a press, in bytes.
const maxBody = 1 << 10

// Webhook hears presses; nil where no phone reaches the service.
func (d *Driver) Webhook(hear channel.Hear) http.Handler {
	if d.o.Callback == "" {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := callback.Body(w, r, maxBody)
		if !ok {
			return
		}
		var p press
		if err := callback.Decode(body, &p); err != nil {
			webguard.Write(w, webguard.OfBody(err))
			return
		}
		if p.Token == "" {
			callback.Refuse(w, http.StatusUnauthorized, "not-proved", "there is no token, which alone proves who presses", "press a button of the notification")
			return
		}
		callback.Write(w, hear(r.Context(), channel.Answer{Sender: d.o.Person, Token: p.Token}))
	})
}

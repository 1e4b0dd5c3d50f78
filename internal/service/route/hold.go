package route

import (
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// Hold takes a place for an answer that is held back so long, before anything
// is done. free gives it back.
func (x *Exchange) Hold(waits *webguard.Waits, most time.Duration) (free func(), err error) {
	if most == 0 {
		return func() {}, nil
	}
	if free, err = waits.Begin(x.Who.Name); err != nil {
		return nil, Refuse(http.StatusTooManyRequests, "too-many-waiting", err.Error(), "wait for those, or ask without wait")
	}
	if err := webguard.Hold(x.W, most); err != nil {
		free()
		return nil, err
	}
	return free, nil
}

// Follow answers with the events that a filter lets through, as long as the
// credentials hold.
func (x *Exchange) Follow(hub *stream.Hub, filter func(stream.Event) (stream.Event, bool)) error {
	ctx, cancel := x.Auth.While(x.R)
	defer cancel()
	if err := hub.Serve(x.W, x.R.WithContext(auth.NewContext(ctx, x.Who)), filter); err != nil {
		x.Log.InfoContext(x.Context(), "a stream ended", "route", x.R.Pattern, "who", x.Who.Name, "why", err)
	}
	return nil
}

package backend

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/pkg/approval"
)

// ChannelOptions are what the dispatcher of a backend works with, which is put together
// after it: b returns it when the first request has come. link is the page of a request,
// "" for none.
func ChannelOptions(channels []channel.Channel, data Data, log *slog.Logger, b func() *Backend, link func(id string) string) channel.Options {
	return channel.Options{
		Store: data, Channels: channels, Events: data.EventsAfter, Bounds: data.EventBounds, Record: data.Record, Log: log, Link: link,
		Get: func(ctx context.Context, id string) (*approval.Request, error) { return b().Service.Get(ctx, id) },
		Pending: func(ctx context.Context) ([]*approval.Request, error) {
			return b().Service.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Limit: approval.MaxLimit})
		},
		Decide: func(ctx context.Context, by, id string, a approval.Answer) (*approval.Request, error) {
			return b().Decide(ctx, auth.Identity{Name: by, Scopes: auth.Approve}, id, a, nil)
		},
		Told:         func() []string { return b().Decider.Engine().NotifyChannels() },
		NeedsPasskey: func(risk string) bool { return b().PasskeyAbove().Needs(risk) },
		Now:          func() time.Time { return b().Now() },
	}
}

// DownChannels returns the names of the channels that are down, sorted.
func (b *Backend) DownChannels() []string {
	if b.Channels == nil {
		return nil
	}
	var names []string
	for name := range b.Channels.Down() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

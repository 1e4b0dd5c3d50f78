package backend

import (
	"context"
	"log/slog"
	"strings"
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
		TurnedAway: func() {
			if b := b(); b.Reach != nil {
				b.Reach.TurnedAway(b.Now())
			}
		},
	}
}

// ChannelProblems says what is wrong with the channels: those that are down, and those that
// the policy names and nobody has.
func (b *Backend) ChannelProblems() (list []string) {
	if b.Channels == nil {
		return nil
	}
	if wrong := b.Channels.Misnamed(); wrong != nil {
		list = strings.Split(wrong.Error(), "\n")
	}
	down := b.Channels.Down()
	for _, name := range b.Channels.Names() {
		if why := down[name]; why != "" {
			list = append(list, "the channel "+name+" is down: "+why)
		}
	}
	return list
}

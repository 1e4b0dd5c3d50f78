package serve

import (
	"cmp"
	"slices"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
)

// channels returns the dispatcher of the channels of approvers.yaml. A policy that names
// another one is an error at the start.
func (s *serve) channels(r *instance, data backend.Data, live *layers.Live, b func() *backend.Backend) (*channel.Dispatcher, error) {
	path, err := s.models.path(s.Process)
	if err != nil {
		return nil, err
	}
	file, made, err := settings.Load(path, s.models.File != "", settings.Types(r.log))
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	if file.Path() != "" {
		r.approvers = append([]string{file.Path()}, file.Secrets()...)
	}
	var list []channel.Channel
	for i := range made {
		list = append(list, made[i].Channel)
	}
	for _, name := range live.Engine().NotifyChannels() {
		if !slices.Contains(settings.Names(made), name) {
			return nil, console.Usagef("%v", channel.Unknown(name, settings.Names(made)))
		}
	}
	link := func(id string) string { // the channels run only once the address is known
		if desk := cmp.Or(s.public, r.url); desk != "" {
			return desk + "/ui/requests/" + id
		}
		return ""
	}
	return channel.New(backend.ChannelOptions(list, data, r.log, b, link)), nil
}

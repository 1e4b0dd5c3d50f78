package desk_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Who decides sees on the pages that others are not told.
func TestChannelDown(t *testing.T) {
	chat := &channeltest.Driver{OnPost: func(*channel.Message) error { return &channel.Refusal{Text: "<b>there is no chat 7</b>"} }}
	settings := policy.Defaults()
	settings.Approval.NotifyChannel = "chat,pager"
	r := newRig(t, func(o *servertest.Options) {
		o.Settings, o.Channels = &settings, []channel.Channel{{Name: "chat", Type: "memory", Driver: chat}}
	})
	person := r.cookie(t)
	if page := r.visit(t, "/ui", person); strings.Contains(page.Text, "is down") {
		t.Errorf("before anything was sent: %s", page.Text)
	}
	r.submit(t, "s1", "make deploy")
	channeltest.Until(t, "the chat is down", func() bool { return len(r.Channels.Down()) > 0 })
	for _, path := range []string{"/ui", "/ui/policy"} {
		page := r.visit(t, path, person)
		for _, want := range []string{"the channel chat is down: &lt;b&gt;there is no chat 7&lt;/b&gt;", "no channel &#34;pager&#34; is configured"} {
			if !strings.Contains(page.Text, want) {
				t.Errorf("%s lacks %q:\n%s", path, want, page.Text)
			}
		}
	}
}

package settings

import (
	"log/slog"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/desktop"
	"github.com/policyctl/policyctl/internal/service/channel/discord"
	"github.com/policyctl/policyctl/internal/service/channel/email"
	"github.com/policyctl/policyctl/internal/service/channel/ntfy"
	"github.com/policyctl/policyctl/internal/service/channel/slack"
	"github.com/policyctl/policyctl/internal/service/channel/telegram"
	"github.com/policyctl/policyctl/internal/service/channel/webhook"
)

// Types returns the types of channels that this program has. The log gets who was not
// heard; nil stands for none.
func Types(log *slog.Logger) []Type {
	return []Type{
		{Name: "desktop", Make: func(Values) (channel.Driver, error) { return desktop.New(desktop.Options{}) }},
		{Name: "discord", Place: "channel",
			Keys: []Key{{Name: "token", Secret: true, Required: true}, {Name: "channel", Required: true}, {Name: "public_key"}},
			Make: func(v Values) (channel.Driver, error) {
				return discord.New(discord.Options{Token: v.Text("token"), Channel: v.Text("channel"), PublicKey: v.Text("public_key"), API: v.API})
			}},
		{Name: "email",
			Keys: []Key{{Name: "server", Required: true}, {Name: "tls"}, {Name: "user"}, {Name: "password", Secret: true}, {Name: "from", Required: true}, {Name: "to", Required: true, List: true}},
			Make: func(v Values) (channel.Driver, error) {
				return email.New(email.Options{
					Server: v.Text("server"), TLS: email.Encryption(v.Text("tls")), User: v.Text("user"), Password: v.Text("password"), From: v.Text("from"), To: v.List("to"),
				})
			}},
		{Name: "ntfy", Person: "person",
			Keys: []Key{{Name: "topic", Secret: true, Required: true}, {Name: "token", Secret: true}, {Name: "person", Required: true}, {Name: "service"}},
			Make: func(v Values) (channel.Driver, error) {
				return ntfy.New(ntfy.Options{Server: v.API, Topic: v.Text("topic"), Token: v.Text("token"), Person: v.Text("person"), Callback: v.callback()})
			}},
		{Name: "slack", Place: "channel",
			Keys: []Key{{Name: "token", Secret: true, Required: true}, {Name: "app_token", Secret: true}, {Name: "secret", Secret: true}, {Name: "workspace", Required: true}, {Name: "channel", Required: true}},
			Make: func(v Values) (channel.Driver, error) {
				return slack.New(slack.Options{
					Token: v.Text("token"), AppToken: v.Text("app_token"), Secret: v.Text("secret"), Workspace: v.Text("workspace"), Channel: v.Text("channel"), API: v.API, Log: log,
				})
			}},
		{Name: "telegram", Place: "chat",
			Keys: []Key{{Name: "token", Secret: true, Required: true}, {Name: "chat", Required: true}},
			Make: func(v Values) (channel.Driver, error) {
				return telegram.New(telegram.Options{Token: v.Text("token"), Chat: v.Text("chat"), API: v.API, Log: log})
			}},
		{Name: "webhook",
			Keys: []Key{{Name: "url", Required: true}, {Name: "secret", Secret: true}, {Name: "key", Secret: true}, {Name: "peer"}, {Name: "allow_private", Flag: true}},
			Make: func(v Values) (channel.Driver, error) {
				return webhook.New(webhook.Options{URL: v.Text("url"), Secret: v.Text("secret"), Key: v.Text("key"), Peer: v.Text("peer"), AllowPrivate: v.Flag("allow_private")})
			}},
	}
}

// callback is where a phone reaches what hears the answers of the channel, "" for
// nowhere.
func (v Values) callback() string {
	if v.Text("service") == "" {
		return ""
	}
	return v.Text("service") + "/api/approvers/" + v.Channel + "/"
}

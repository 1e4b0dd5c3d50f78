package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/policy"
)

// channelCommand runs policyctl channel with the token of somebody who may approve.
func channelCommand(t *testing.T, token string, args ...string) (out, said string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), console.Process{
		Args: append([]string{"channel"}, args...), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string {
			return map[string]string{"POLICYCTL_TOKEN": token, "HOME": t.TempDir()}[name]
		},
		Getwd: func() (string, error) { return t.TempDir(), nil },
	})
	return stdout.String(), stderr.String(), code
}

func TestChannelCommands(t *testing.T) {
	phone := &channeltest.Driver{}
	down := &channeltest.Driver{OnPost: func(*channel.Message) error { return &channel.Refusal{Text: "the bot is not in the chat 7: invite it"} }}
	people := map[string]string{"1": "ann"}
	settings := policy.Defaults()
	settings.Approval.NotifyChannel = "phone"
	s := servertest.New(t, servertest.Options{Settings: &settings, Channels: []channel.Channel{
		{Name: "phone", Type: "memory", Driver: phone, People: people, OneTap: "low"}, {Name: "chat", Type: "memory", Driver: down},
	}})
	token := s.Token(t, "boss", "approve")
	run := func(args ...string) (string, string, int) {
		return channelCommand(t, token, append(args, "--service", s.URL)...)
	}
	go func() {
		m := phone.Await(t, "")
		phone.Say(t, channel.Answer{Sender: "1", Token: channeltest.Token(t, m, "Deny")})
	}()
	out, said, code := run("test", "phone")
	if code != 0 || !strings.Contains(out, "phone:ann denied after ") || !strings.Contains(out, "the channel works") {
		t.Errorf("test: %d\n%s%s", code, out, said)
	}
	for _, row := range []struct {
		code int
		want string
		args []string
	}{
		{2, "there is no channel phon: did you mean phone?", []string{"test", "phon"}},
		{2, "--timeout 1ms: give a time from 1s", []string{"test", "phone", "--timeout", "1ms"}},
		{1, "the channel chat does not take the message: the bot is not in the chat 7: invite it", []string{"test", "chat", "--timeout", "30s"}},
		{1, "nobody answered on phone within 1s", []string{"test", "phone", "--timeout", "1s"}},
		{2, "policyctl channel test NAME", []string{"test"}},
	} {
		if out, said, code := run(row.args...); code != row.code || !strings.Contains(said, row.want) {
			t.Errorf("%v: %d, want %d\n%s%s", row.args, code, row.code, out, said)
		}
	}
	out, said, code = run("list")
	for _, want := range []string{"phone", "works", "ann", "chat is down: the bot is not in the chat 7"} {
		if !strings.Contains(out, want) {
			t.Errorf("list lacks %q:\n%s%s", want, out, said)
		}
	}
	if code != 1 {
		t.Errorf("list: %d", code)
	}
	if out, _, _ := run("list", "--json"); !strings.Contains(out, `"name": "phone"`) && !strings.Contains(out, `"name":"phone"`) {
		t.Errorf("list --json: %s", out)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, said, code := run("test", "phone"); code != 1 || !strings.Contains(said, "see whether policyctl serve runs") {
		t.Errorf("no service: %d %s", code, said)
	}
	if _, said, code := channelCommand(t, "", "list"); code != 1 || !strings.Contains(said, "no approval service runs here") {
		t.Errorf("no service here: %d %s", code, said)
	}
}

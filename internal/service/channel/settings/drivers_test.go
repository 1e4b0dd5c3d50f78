package settings_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/channel/settings"
)

// What the pages of the channels show is what the program reads.
func TestPages(t *testing.T) {
	secrets := map[string]string{
		"telegram.token": "123456789:AAEabcdefghijklmnopqrstuvwxyz0123456", "slack.token": "xoxb-1-2-abcdefghijklmnop", "slack-app.token": "xapp-1-A1-2-abcdefghijklmnop",
		"discord.token": "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "mail.secret": "hunter2", "phone.secret": "abcdefghijklmnopqrstuvwxyz",
		"lister.secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
	}
	pages, err := filepath.Glob("../../../../docs/channels/*.md")
	if err != nil || len(pages) != len(settings.Types(nil)) {
		t.Fatalf("%d pages for %d types: %v", len(pages), len(settings.Types(nil)), err)
	}
	pages = append(pages, "../../../../docs/channels.md")
	blocks := regexp.MustCompile("(?ms)^ *```yaml\n(.*?)```")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(block[1], "channels:") {
				continue
			}
			dir := t.TempDir()
			for name, secret := range secrets {
				write(t, filepath.Join(dir, name), secret+"\n")
			}
			example := strings.NewReplacer("5f2b…e1", strings.Repeat("5f", 32)).Replace(block[1])
			path := write(t, filepath.Join(dir, settings.Name), example)
			if _, made, err := settings.Load(path, true, settings.Types(nil)); err != nil || len(made) == 0 {
				t.Errorf("%s: %v\n%s", page, err, example)
			}
			read++
		}
		if read == 0 {
			t.Errorf("%s shows no settings", page)
		}
	}
}

// What is wrong with a channel is told with its place.
func TestWrongDrivers(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"{type: telegram}", "a has no token: add token_file or token_env"},
		{"{type: telegram, token_file: t, chat: me}", "chat"},
		{"{type: ntfy, topic_file: t, person: alice, people: {x: bob}}", "does not tell people apart"},
		{"{type: ntfy, topic_file: t, person: Alice}", "the name"},
		{"{type: webhook, url: 'https://127.0.0.1/', secret_file: w}", "allow_private"},
		{"{type: webhook, url: 'https://127.0.0.1/', secret_file: w, allow_private: maybe}", "true or false"},
		{"{type: slak, token_file: t}", "slack"},
		{"{type: desktop, chat: x}", "chat"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "t"), "123456789:AAEabcdefghijklmnopqrstuvwxyz0123456")
		write(t, filepath.Join(dir, "w"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
		path := write(t, filepath.Join(dir, settings.Name), "channels:\n  a: "+row.text+"\n")
		_, _, err := settings.Load(path, true, settings.Types(nil))
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), ":2:") {
			t.Errorf("%s: %v", row.text, err)
		}
	}
}

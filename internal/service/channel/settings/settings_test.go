package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/channel/settings"
)

// types are those of these tests; got has the values of which the last driver was made.
func types(got *settings.Values) []settings.Type {
	return []settings.Type{
		{Name: "chat", Place: "room", Keys: []settings.Key{{Name: "token", Secret: true, Required: true}, {Name: "room", Required: true}, {Name: "to", List: true}},
			Make: func(v settings.Values) (channel.Driver, error) {
				*got = v
				if v.Text("room") == "nowhere" {
					return nil, errors.New("there is no room nowhere: give the number of a room")
				}
				return &channeltest.Driver{}, nil
			}},
		{Name: "plain", Make: func(settings.Values) (channel.Driver, error) { return &channeltest.Driver{}, nil }},
	}
}

// write writes a file that only its owner may read.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func getenv(name string) string {
	return map[string]string{"TOKEN": "from the variable", "BROKEN": "a\nb"}[name]
}

func TestChannels(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "chat.token"), "s3cret\n")
	path := write(t, filepath.Join(dir, settings.Name), `
channels:
  phone:
    type: chat
    token_file: chat.token
    room: 123456789
    people: {"17": alice, "18": bob}
    one_tap: medium
    after: 2m
    api: http://127.0.0.1:8080/
    to: [a, b]
  desk: {type: plain}
reviewers:
  anything: [goes, here]
`)
	f, err := settings.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var got settings.Values
	made, err := f.Channels(types(&got), getenv)
	if err != nil || len(made) != 2 {
		t.Fatal(made, err)
	}
	c := made[0]
	if c.Name != "phone" || c.Type != "chat" || c.People["17"] != "alice" || c.People["18"] != "bob" || c.OneTap != "medium" || c.After != 2*time.Minute || c.Place != "123456789" || c.Line != 3 {
		t.Errorf("%+v", c)
	}
	if got.Text("token") != "s3cret" || got.API != "http://127.0.0.1:8080" || strings.Join(got.List("to"), " ") != "a b" || got.Channel != "phone" || got.Dir != dir {
		t.Errorf("%+v", got)
	}
	if d := made[1]; d.Name != "desk" || d.OneTap != "low" || d.After != 0 || d.Place != "" {
		t.Errorf("%+v", d)
	}
	if names := strings.Join(f.Secrets(), " "); names != filepath.Join(dir, "chat.token") {
		t.Errorf("secrets: %s", names)
	}
	if n := f.Section("reviewers"); n == nil || n.Entry("anything") == nil {
		t.Errorf("reviewers: %+v", n)
	}
}

func TestProblems(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "good.token"), "s3cret")
	write(t, filepath.Join(dir, "empty.token"), "\n")
	write(t, filepath.Join(dir, "two.token"), "a\nb\n")
	open := write(t, filepath.Join(dir, "open.token"), "s3cret")
	if err := os.Chmod(open, 0o640); err != nil {
		t.Fatal(err)
	}
	const chat = "type: chat, token_file: good.token, room: x"
	for _, row := range []struct{ text, want string }{
		{"[]", `:1:1: the file must be a mapping`},
		{"chanels: {}", `:1:1: unknown key "chanels" (did you mean channels?)`},
		{"channels: [a]", `:1:11: channels must be a mapping`},
		{"channels: {a: {type: plain}, a: {type: plain}}", `duplicate key`},
		{"channels: {Phone: {type: plain}}", `:1:12: the name of a channel has small letters`},
		{"channels: {token: {type: plain}}", `:1:12: no channel can be called token`},
		{"channels: {dashboard-approval: {type: plain}}", `no channel can be called`},
		{"channels: {a: x}", `:1:15: a must be a mapping with a type`},
		{"channels: {a: {}}", `:1:12: a has no type: give one of chat, plain`},
		{"channels: {a: {type: chatt}}", `:1:22: there is no type "chatt" of channels (did you mean chat?)`},
		{"channels: {a: {type: zzzzz}}", `the types are chat, plain`},
		{"channels: {a: {type: 7}}", `there is no type "7"`},
		{"channels: {a: {type: plain, one_tab: low}}", `:1:29: unknown key "channels.a.one_tab" (did you mean one_tap?)`},
		{"channels: {a: {type: plain, one_tap: lwo}}", `(did you mean low?)`},
		{"channels: {a: {type: plain, one_tap: critical}}", `one_tap is the highest risk`},
		{"channels: {a: {type: plain, after: soon}}", `after is a time from 0s to 24h`},
		{"channels: {a: {type: plain, after: -1s}}", `after is a time`},
		{"channels: {a: {type: plain, after: 25h}}", `after is a time`},
		{"channels: {a: {type: plain, people: [x]}}", `people must be a mapping`},
		{"channels: {a: {type: plain, people: {\"1\": Alice}}}", `the name "Alice" has other characters`},
		{"channels: {a: {type: plain, people: {\"1\": \"a:b\"}}}", `has other characters`},
		{"channels: {a: {type: plain, people: {\"1\": {}}}}", `must be text`},
		{"channels: {a: {type: plain, api: ftp://x}}", `api is the base of an API`},
		{"channels: {a: {type: plain, api: https://user@x}}", `api is the base of an API`},
		{"channels: {a: {type: chat, room: x}}", `:1:12: a has no token: add token_file or token_env`},
		{"channels: {a: {type: chat, token_file: good.token}}", `a has no room: add room`},
		{"channels: {a: {" + chat + ", token_env: TOKEN}}", `leave one out`},
		{"channels: {a: {type: chat, token: s3cret, token_file: good.token, room: x}}", `:1:28: secrets never stand in this file`},
		{"channels: {a: {type: chat, token_file: none.token, room: x}}", `there is no such file`},
		{"channels: {a: {type: chat, token_file: empty.token, room: x}}", `is empty`},
		{"channels: {a: {type: chat, token_file: two.token, room: x}}", `in one line`},
		{"channels: {a: {type: chat, token_file: ., room: x}}", `token_file:`},
		{"channels: {a: {type: chat, token_env: NONE, room: x}}", `the variable NONE is empty`},
		{"channels: {a: {type: chat, token_env: BROKEN, room: x}}", `in one line`},
		{"channels: {a: {type: chat, token_file: good.token, room: nowhere}}", `:1:12: a: there is no room nowhere`},
		{"channels: {a: {" + chat + ", to: []}}", `to is an empty list`},
		{"channels: {a: {" + chat + ", to: [{}]}}", `to must be text`},
		{"channels: {a: {type: chat, token_file: good.token, room: [x]}}", `room must be text`},
		{"channels: {a: {type: plain, token_file: good.token}}", `unknown key`},
		{"channels: &a {}", `anchors are not supported`},
		{"channels: {}\n---\nchannels: {}", `second document`},
	} {
		path := filepath.Join(dir, settings.Name)
		f, err := settings.Parse(path, []byte(row.text))
		if err == nil {
			var made []settings.Made
			made, err = f.Channels(types(new(settings.Values)), getenv)
			if len(made) > 0 {
				t.Errorf("%s: made %+v", row.text, made)
			}
		}
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), path+":") {
			t.Errorf("%s:\n%v, want\n%s", row.text, err, row.want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error tells the secret: %v", row.text, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	f, err := settings.Parse(filepath.Join(dir, settings.Name), []byte("channels: {a: {type: chat, token_file: open.token, room: x}}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Channels(types(new(settings.Values)), getenv); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a secret that others read: %v", err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, settings.Name)
	if _, err := settings.Read(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if f, made, err := settings.Load(path, false, nil); err != nil || len(made) > 0 || f.Section("channels") != nil {
		t.Errorf("no file, not named: %v, %v", made, err)
	}
	if _, _, err := settings.Load(path, true, nil); err == nil || !strings.Contains(err.Error(), "--approvers") {
		t.Errorf("no file, named: %v", err)
	}
	write(t, path, "")
	if f, made, err := settings.Load(path, true, nil); err != nil || len(made) > 0 || f.Path() != path {
		t.Errorf("empty: %v, %v", made, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, err := settings.Read(path); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("others may write: %v", err)
	}
}

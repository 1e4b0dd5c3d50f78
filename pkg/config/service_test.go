package config

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

func TestService(t *testing.T) {
	file := func(layer, text string) File {
		return File{Layer: layer, Name: layer, Data: []byte("version: 1\nsecurity: {approval: {" + text + "}}\n"), Admit: Everything}
	}
	l := load(t, policy.Defaults(),
		file(Managed, "service: https://a.example, keys_file: /etc/keys.json"), file(User, "token_file: ~/token"))
	if want := (Service{"https://a.example", "~/token", "/etc/keys.json"}); l.Service != want || len(l.Warnings) > 0 {
		t.Errorf("%+v, %v", l.Service, l.Warnings)
	}
	l = load(t, policy.Defaults(), file(User, "service: http://a.example"))
	if got, want := l.Warnings.Error(), "user:2:32: no effect: an approval service needs security.approval.keys_file too, with the keys that sign its receipts"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for text, want := range map[string]string{
		"service: unix:/s":   "user:2:32: security.approval.service must begin with one of https://, http://",
		"token_file: token":  `user:2:35: the path "token" must begin with / or ~/`,
		"keys_file: ../keys": `user:2:34: the path "../keys" must begin with / or ~/`,
	} {
		_, err := Load(policy.Defaults(), file(User, text))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

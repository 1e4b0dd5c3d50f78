package weburl_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/support/weburl"
)

func TestOrdinary(t *testing.T) {
	for _, s := range []string{
		"https://example.com", "http://EXAMPLE.com:8080/a?b#c", "https://api.github.com/repos/o/r", "http://localhost:3000/health", "http://127.0.0.1:3000/", "http://[::1]/", "http://app.localhost/",
		"https://1.example.com/", "https://a-1.example.com/", "https://deadbeef0.example.com/",
	} {
		if !weburl.Ordinary(s) {
			t.Errorf("%s is not ordinary", s)
		}
	}
	for _, s := range []string{
		"", "example.com", "file:///etc/passwd", "ftp://example.com/", "http://user:pw@example.com/", "http://example.com\\@169.254.169.254/", "http:///x", "javascript:alert(1)",
		"http://169.254.169.254/", "http://169.254.169.254./", "http://[::ffff:169.254.169.254]/", "http://[fd00:ec2::254]/", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://169.254.43518/",
		"http://169.254.169.254.nip.io/", "http://169-254-169-254.sslip.io/", "http://x.169.254.169.254.nip.io/", "http://a9fea9fe.nip.io/", "http://metadata/", "http://metadata.google.internal/", "http://metadata.google.internal./",
		"http://10.0.0.1/", "http://192.168.1.1/", "http://8.8.8.8/", "http://0.0.0.0/", "http://printer.local/", "http://intranet/", "http://x.corp/", "http://%6d%65tadata/", "http://exa mple.com/", "http://example.com/\n",
	} {
		if weburl.Ordinary(s) {
			t.Errorf("%s is ordinary", s)
		}
	}
	if name, ok := weburl.Host("Example.com:80/x"); name != "example.com" || !ok {
		t.Error(name, ok)
	}
	if name, ok := weburl.Host("169.254.169.254/latest"); ok {
		t.Error(name)
	}
}

package weburl_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/support/weburl"
)

func TestFile(t *testing.T) {
	for text, want := range map[string]string{
		"file:///etc/x": "/etc/x", "FILE:///etc/x": "/etc/x", "file:/etc/x": "/etc/x", "file://localhost/etc/x": "/etc/x", "file:////etc/x": "/etc/x", "file:///%65tc/x%20y": "/etc/x y",
		"file:///%zz": "/%zz", "file://host/x": "", "file:x": "", "file:": "", "files:/x": "", "/etc/x": "", "": "",
	} {
		if got, ok := weburl.File(text); ok != (want != "") || ok && got != want || !ok && got != text {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

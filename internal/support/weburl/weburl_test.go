package weburl

import (
	"slices"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ want, url string }{
		{"https://go.dev/", "https://go.dev"},
		{"https://go.dev/a", "HTTPS://GO.dev.:443/x/../a"},
		{"http://h:8080/a/", "http://h:8080/a/b/%2E%2e"},
		{"https://h/?a=/../%2e@x#y", "https://h?a=/../%2e@x#y"},
		{"https://h/a;b/c%2Fd", "https://h/a;b/c%2Fd"},
		{"http://127.0.0.1/", "http://127.0.0.1/"},
		{"http://[::1]:81/", "http://[0:0::1]:81/"},
		{"", "https://u@h/"}, {"", `https://h\x`}, {"", "https://h/a b"}, {"", "https://h%61/"}, {"", "https://bücher/"},
		{"", "http://2130706433/"}, {"", "http://127.1/"}, {"", "http://0177.0.0.1/"}, {"", "https:///h"}, {"", "https://"}, {"", "h/x"},
		{"", "https://h/a/..%2fb"}, {"", "https://h/a/..;/b"}, {"", "https://h..x/"}, {"", "0://0.."}, {"", "https://h:a/"}, {"", "http://[fe80::1%25en0]/"},
	} {
		got, ok := Canonical(c.url)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q %v, want %q", c.url, got, ok, c.want)
		}
		if again, _ := Canonical(got); ok && again != got {
			t.Errorf("%s: %q becomes %q", c.url, got, again)
		}
	}
}

func TestReadings(t *testing.T) {
	for _, c := range []struct{ want, url string }{
		{"https://h/x", "https://H/x"}, {"https://h/x", " https:h/x"}, {"https://h/x", "ht\ntps://h/x"}, {"https://h/x", `https:\\h\x`},
		{"https://h/x", `https://h\@other/../x`}, {"https://other/", `https://h\@other/`}, {"https://h", "https://a:b@h./"},
		{"https://h/x", "https://h//x"}, {"https://h/x", "https://h/%78"}, {"https://xn--bcher-kva.example/", "https://BÜCHER。example"},
		{"https://xn--fiqs8s/", "https://中国/"}, {"http://127.0.0.1/", "http://0x7f.0.0x1"}, {"http://127.0.0.1/", "http://[::ffff:7f00:1]/"},
		{"http://192.168.0.1/", "http://0300.0250.1"}, {"http://1.2.3.4.5/", "http://1.2.3.4.5/"}, {"h.example", "H.example."},
	} {
		if got := Readings(c.url); !slices.Contains(got, c.want) || got[0] != c.url {
			t.Errorf("%q: got %q, want %q", c.url, got, c.want)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct{ want, pattern string }{
		{"https://h.example/X*", "HTTPS://H.Example/X*"}, {"https://*.example/*", "https://*.EXAMPLE/*"}, {"*H.example*", "*H.example*"},
		{"https://xn--bcher-kva.example:81/*", "https://Bücher.example:81/*"}, {"http://[::1]/*", "http://[0::1]/*"}, {"http://127.0.0.1*", "http://127.0.0.1*"},
	} {
		if got := Pattern(c.pattern); got != c.want {
			t.Errorf("%s: got %s, want %s", c.pattern, got, c.want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add("https://h/a/../b?c#d")
	f.Add(`https://h\@x`)
	f.Fuzz(func(t *testing.T, s string) {
		Pattern(s)
		all := Readings(s)
		one, ok := Canonical(s)
		if !ok {
			return
		}
		if again, ok := Canonical(one); !ok || again != one {
			t.Errorf("%q becomes %q and %q", s, one, again)
		}
		if !slices.Contains(all, one) && !slices.Contains(all, decoded(one)) {
			t.Errorf("%q: %q is none of %q", s, one, all)
		}
	})
}

package weburl

import (
	"net/netip"
	"strings"
)

// Ordinary reports whether a URL is one of the web by the name of its host, or of this
// machine: http or https, without a login, and with no name or address behind which a
// provider hands out the secrets of a machine. Where programs read it in different
// ways it is not.
func Ordinary(s string) bool {
	_, ok := host(s)
	return ok
}

// Host returns the host of an ordinary URL, before which http:// may be missing.
func Host(s string) (name string, ok bool) {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	return host(s)
}

func host(s string) (name string, ok bool) {
	canonical, ok := Canonical(s)
	if !ok {
		return "", false
	}
	scheme, rest, _ := strings.Cut(canonical, "://")
	if scheme != "http" && scheme != "https" {
		return "", false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	name, _ = splitPort(rest[:end])
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return name, addr.IsLoopback()
	}
	return name, name == "localhost" || strings.HasSuffix(name, ".localhost") || isPublicName(name)
}

// isPublicName reports whether a name is one that the whole world may resolve, and spells
// no address, as those of services do that answer with what they are asked for.
func isPublicName(host string) bool {
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return false
	}
	switch labels[len(labels)-1] {
	case "internal", "local", "localdomain", "lan", "intranet", "corp", "home", "arpa", "onion", "test", "invalid":
		return false
	}
	return !spellsAddress(host)
}

// spellsAddress reports whether a name has the four numbers of an address in it, or
// eight hexadecimal digits that may be one.
func spellsAddress(host string) bool {
	run := 0
	for part := range strings.FieldsFuncSeq(host, func(r rune) bool { return r == '.' || r == '-' }) {
		isNumber := strings.Trim(part, "0123456789") == "" && len(part) <= 3
		if run++; !isNumber {
			run = 0
		}
		if run == 4 || len(part) == 8 && strings.Trim(part, "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}

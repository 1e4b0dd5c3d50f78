package weburl

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isPlainHost reports whether a host is spelt as every program reads it.
func isPlainHost(host string) bool {
	if v6, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(v6, "]"))
		return err == nil && strings.HasSuffix(host, "]") && addr.Is6() && addr.Zone() == ""
	}
	for i := range len(host) {
		if c := host[i]; !isAlnum(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	name := strings.TrimSuffix(host, ".")
	if name == "" || name[0] == '.' || strings.HasSuffix(name, ".") || strings.Contains(name, "..") {
		return false
	}
	if last := name[strings.LastIndexByte(name, '.')+1:]; last[0] >= '0' && last[0] <= '9' {
		addr, err := netip.ParseAddr(name)
		return err == nil && addr.Is4()
	}
	return true
}

// canonicalHost returns a host in lower case and ASCII, without a dot at its
// end; an address in its usual form.
func canonicalHost(host string) string {
	host = strings.ToLower(strings.Map(foldHost, unescaped(host)))
	if v6, ok := strings.CutPrefix(host, "["); ok {
		if addr, err := netip.ParseAddr(strings.TrimSuffix(v6, "]")); err == nil {
			if addr = addr.Unmap(); addr.Is4() {
				return addr.String()
			}
			return "[" + addr.String() + "]"
		}
		return host
	}
	host = strings.TrimSuffix(host, ".")
	if addr, ok := parseIPv4(host); ok {
		return addr
	}
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if strings.IndexFunc(l, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			labels[i] = "xn--" + punycode(l)
		}
	}
	return strings.Join(labels, ".")
}

func unescaped(s string) string { return unescape(s, func(byte) bool { return true }) }

// unescape returns a text with some of the encoded characters in plain.
func unescape(s string, plain func(byte) bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c, ok := octet(s[i:]); ok && plain(c) {
			b.WriteByte(c)
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// foldHost maps a character of a host to the one that names are looked up by
// (UTS 46): full width to ASCII, other full stops to a dot, and what is not
// seen to nothing.
func foldHost(r rune) rune {
	switch {
	case r == '\u3002' || r == '\uff0e' || r == '\uff61':
		return '.'
	case r >= '\uff01' && r <= '\uff5e':
		return r - 0xfee0
	case r >= '①' && r <= '⑨':
		return '1' + r - '①'
	case r == '⓪':
		return '0'
	case r >= '\U0001d7ce' && r <= '\U0001d7ff': // digits of mathematics
		return '0' + (r-'\U0001d7ce')%10
	case r == 'ſ':
		return 's'
	case r == '\u212a': // the Kelvin sign
		return 'k'
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		return -1
	}
	return r
}

// parseIPv4 reads an address as inet_aton(3) does: of one to four numbers, in
// decimal, octal or hexadecimal, of which the last fills what is left.
func parseIPv4(host string) (string, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var sum uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 33)
		limit := uint64(256)
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		if err != nil || n >= limit || strings.ContainsAny(p, "_+-bo") && !strings.HasPrefix(p, "0x") {
			return "", false
		}
		if i == len(parts)-1 {
			sum = sum<<(8*(5-len(parts))) | n
		} else {
			sum = sum<<8 | n
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String(), true
}

// The parameters of punycode (RFC 3492, section 5).
const base, tMin, tMax, skew, damp = 36, 1, 26, 38, 700

// punycode encodes a label (RFC 3492, section 6.3).
func punycode(label string) string {
	runes := []rune(label)
	var out []byte
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(utf8.RuneSelf), 0, 72
	for done := basic; done < len(runes) && len(runes) <= 63; {
		next := rune(unicode.MaxRune)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			switch {
			case r < n:
				delta++
			case r == n:
				out = appendNumber(out, delta, bias)
				bias = adapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
		n++
	}
	return string(out)
}

// appendNumber appends a number as digits of varying weight.
func appendNumber(out []byte, n, bias int) []byte {
	for k := base; ; k += base {
		t := min(max(k-bias, tMin), tMax)
		if n < t {
			return append(out, digit(n))
		}
		out = append(out, digit(t+(n-t)%(base-t)))
		n = (n - t) / (base - t)
	}
}

// adapt returns the next bias (RFC 3492, section 6.1).
func adapt(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tMin)*tMax/2; k += base {
		delta /= base - tMin
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}

func digit(n int) byte {
	if n < 26 {
		return 'a' + byte(n)
	}
	return '0' + byte(n-26)
}

//go:build !race

package rego

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// Values on which two implementations of an operator are likely to differ,
// each shown to each rule about such values.
func TestOddValues(t *testing.T) {
	for _, r := range []struct {
		operators string
		arguments []document.Node
		values    []string
	}{
		{"cidr", []document.Node{textNode("::/0"), textNode("0.0.0.0/0"), textNode("fe80::1"), textNode("::ffff:10.0.0.0/104")}, []string{
			"fe80::1", "fe80::1%eth0", "fe80::1%a\nb", "fe80::1%\n", "fe80::1%", "fe80::1%a%b", "fe80::1%/", "fe80::1%25eth0", "FE80::1", "fe80:0:0:0:0:0:0:1", "fe80::1/128",
			"::ffff:10.1.2.3", "::ffff:10.1.2.3%eth0", "::ffff:a01:203", "10.1.2.3", "10.1.2.3%eth0", "10.1.2.03", "10.1.2.3 ", "\n10.1.2.3", "10.1.2.3\n", "10.1.2", "0x0a.1.2.3", "167838211",
			"::", "::1", ":::", "1::2::3", "[::1]", "::1.2.3.4", "::1.2.3.04", "1.2.3.4:80", "%eth0", ":%", "", "١.2.3.4",
		}},
		{"semver", []document.Node{
			textNode("1.2.3"), textNode("=1.2.3-rc.1"), textNode(">=1.2.0 <2.0.0"), textNode("^1.0.0-alpha"), textNode("~0.3.1"), textNode("<1.0.0-beta.2"), textNode(">1.0.0-alpha.1 <=1.0.0-rc.1"),
			textNode(">1.2.3-1a"), textNode("<=1.2.3--"), textNode(">=1.2.3-999999999999999 || =0.0.4"),
		}, versionTexts},
		{"size", []document.Node{numberNode("0"), numberNode("1"), numberNode("1.5"), mapNode("gt", numberNode("2")), mapNode("gte", numberNode("1"), "lte", numberNode("2"))}, []string{
			"", "a", "é", "e\u0301", "\U0001F600", "\U0001F600a", "ab", "abc", "\ufffd", "\n", "\u0000",
		}},
		{"gt gte lt lte", []document.Node{numberNode("0"), numberNode("-0.5"), numberNode("1e3"), textNode("10")}, []string{
			"0", "-0", "+0", "00", "0.0", ".0", "0.", ".", "+", "-", "", "1", "01", "-01", "+01", "1.", "1.e3", ".1e3", "1e", "1e+", "1e+03", "1E3", "1e-3", "1e400", "1e-400", "1e99999", "1e999999999999999999999",
			"-1e99999", "0e99999", "0x10", "0b1", "0o7", "1_000", "1,000", " 1", "1 ", "1\n", "\n1", "Infinity", "inf", "NaN", "nan", "١", "1١", "--1", "+-1", "1.2.3", "9007199254740993", "999999999999999999999999999999.5", "1000.0000000000000000000000001",
		}},
		{"contains notContains startsWith endsWith glob globPath", []document.Node{textNode(""), textNode("K"), textNode("ss"), textNode("İ"), textNode("Σ"), textNode("*k?"), textNode("a/**/b"), textNode("**/"), textNode("a\n*"), textNode("\ufffd"), textNode("?")}, []string{
			"", "k", "\u212a", "ß", "ẞ", "SS", "ſſ", "ſs", "i", "ı", "I", "i\u0307", "İ", "σ", "ς", "Σ", "xKy", "x\u212ay", "a/b", "a//b", "a/x/b", "a/x/y/b", "a/x/yb", "a/\n/b", "a\nb", "a\n", "/", "a/", "//", "\ufffd", "\u2028", "\u0085", "\U0001F600", "é", "e\u0301",
		}},
	} {
		for name := range strings.FieldsSeq(r.operators) {
			for _, argument := range r.arguments {
				c := compared{t: t, set: pattern.NewSet([]*pattern.Rule{rule(t, "r", pattern.Deny, mapNode("x.a", mapNode(name, argument)))})}
				c.compile()
				for _, v := range r.values {
					c.compare(&record.Record{Facets: map[string]map[string]any{"x": {"a": v}}}, pattern.Scope{}, &pattern.Input{})
				}
			}
		}
	}
}

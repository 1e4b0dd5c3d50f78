package draft

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// fetch imports a rule for web pages.
func (b *builder) fetch(e *Entry) {
	domain, ok := strings.CutPrefix(e.Spec, "domain:")
	domain = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(domain)), ".")
	switch {
	case e.Spec == "", ok && domain == "*":
		b.fetchAll(e)
	case e.Flat:
		b.fetchURL(e)
	case !ok && e.Action == policy.Allow:
		b.drop(e, "stricter: it asks, since it does not begin with domain:")
	case !ok:
		b.add(e, "fetch", pattern{subject: "*"})
		b.note(e, "stricter: every page, since the rule does not begin with domain:")
	case e.Action == policy.Allow:
		b.allowDomain(e, domain)
	default:
		b.add(e, "fetch", pattern{subject: "*" + strings.TrimPrefix(domain, "*") + "*"})
		b.note(e, "stricter: every URL that mentions it; its letters must be in lower case, and another spelling asks")
	}
}

// refusesDomains reports whether a domain is denied or asked about. Domains are
// compared as written in policyctl, so nothing wide may be allowed beside.
func (b *builder) refusesDomains() bool {
	return slices.ContainsFunc(b.in.Entries, func(e Entry) bool {
		return e.Action != policy.Allow && e.Tool == "WebFetch" && e.Spec != ""
	})
}

const anyCase = "stricter: it asks, since another rule is about a single domain, whose letters may come in any case"

func (b *builder) fetchAll(e *Entry) {
	if e.Action == policy.Allow && b.refusesDomains() {
		b.drop(e, anyCase)
		return
	}
	switch {
	case e.Action == policy.Ask && len(e.Except) > 0:
		b.drop(e, asksAnyway)
	case e.Action != policy.Allow && len(e.Except) == 0 && b.in.Agent.ToolAlone:
		b.treat(e, "fetch")
	default:
		b.add(e, "fetch", pattern{subject: "*"})
	}
}

// allowDomain adds an allow for a domain, or for all below one.
func (b *builder) allowDomain(e *Entry, domain string) {
	host, below := strings.CutPrefix(domain, "*.")
	switch {
	case strings.Contains(host, "*"), !isHost(host):
		b.drop(e, "stricter: it asks, since it is neither a host name nor *. and a host name")
		return
	case below && b.refusesDomains():
		b.drop(e, anyCase)
		return
	}
	for _, scheme := range []string{"https://", "http://"} {
		if !below {
			b.add(e, "fetch", pattern{subject: scheme + host}, pattern{subject: scheme + host + "/*"})
			continue
		}
		// The star must stay within the host.
		var except []string
		for _, end := range []string{"/", `\?`, "#", `\\`, "@"} {
			except = append(except, scheme+"*"+end+"*."+host, scheme+"*"+end+"*."+host+"/*")
		}
		b.add(e, "fetch", pattern{scheme + "*." + host, except}, pattern{scheme + "*." + host + "/*", except})
	}
	b.note(e, "stricter: in lower case, and without a port or a user")
}

// fetchURL imports an entry whose pattern is of whole URLs.
func (b *builder) fetchURL(e *Entry) {
	_, rest, ok := strings.Cut(e.Spec, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if e.Action == policy.Allow && (!ok || !hasPath || !isHost(host)) {
		b.drop(e, "stricter: it asks, since the pattern does not spell out a scheme, a host and a path")
		return
	}
	if e.Action == policy.Allow && strings.Contains(path, "..") {
		b.drop(e, "stricter: it asks, since the path leads upwards")
		return
	}
	b.add(e, "fetch", pattern{subject: e.Spec})
}

func isHost(s string) bool {
	for _, c := range s {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return s != ""
}

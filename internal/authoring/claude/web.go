package claude

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// fetch imports a rule for web pages.
func (im *importer) fetch(action policy.Decision, r rule) {
	domain, ok := strings.CutPrefix(r.spec, "domain:")
	domain = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(domain)), ".")
	switch {
	case r.spec == "", ok && domain == "*":
		im.fetchAll(action, r)
	case !ok && action == policy.Allow:
		im.drop(action, r, "stricter: it asks, since it does not begin with domain:")
	case !ok:
		im.add(action, r, "fetch", pattern{subject: "*"})
		im.note(action, r, "stricter: every page, since the rule does not begin with domain:")
	case action == policy.Allow:
		im.allowDomain(r, domain)
	default:
		im.add(action, r, "fetch", pattern{subject: "*" + strings.TrimPrefix(domain, "*") + "*"})
		im.note(action, r, "stricter: every URL that mentions it; its letters must be in lower case, and another spelling asks")
	}
}

// refusesDomains reports whether a domain is denied or asked about. Domains are
// compared as written in policyctl, so nothing wide may be allowed beside.
func (im *importer) refusesDomains() bool {
	for _, l := range im.settings.lists() {
		for _, r := range l.rules {
			if l.action != policy.Allow && r.tool == "WebFetch" && r.spec != "" {
				return true
			}
		}
	}
	return false
}

const anyCase = "stricter: it asks, since another rule is about a single domain, whose letters may come in any case"

func (im *importer) fetchAll(action policy.Decision, r rule) {
	if action == policy.Allow && im.refusesDomains() {
		im.drop(action, r, anyCase)
		return
	}
	im.add(action, r, "fetch", pattern{subject: "*"})
}

// allowDomain adds an allow for a domain, or for all below one.
func (im *importer) allowDomain(r rule, domain string) {
	host, below := strings.CutPrefix(domain, "*.")
	switch {
	case strings.Contains(host, "*"), !isHost(host):
		im.drop(policy.Allow, r, "stricter: it asks, since it is neither a host name nor *. and a host name")
		return
	case below && im.refusesDomains():
		im.drop(policy.Allow, r, anyCase)
		return
	}
	for _, scheme := range []string{"https://", "http://"} {
		if !below {
			im.add(policy.Allow, r, "fetch", pattern{subject: scheme + host}, pattern{subject: scheme + host + "/*"})
			continue
		}
		// The star must stay within the host.
		var except []string
		for _, end := range []string{"/", `\?`, "#", `\\`, "@"} {
			except = append(except, scheme+"*"+end+"*."+host, scheme+"*"+end+"*."+host+"/*")
		}
		im.add(policy.Allow, r, "fetch", pattern{scheme + "*." + host, except}, pattern{scheme + "*." + host + "/*", except})
	}
	im.note(policy.Allow, r, "stricter: in lower case, and without a port or a user")
}

func isHost(s string) bool {
	for _, c := range s {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return s != ""
}

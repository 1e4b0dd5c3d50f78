package redact

import "strings"

// A token is a kind of secret that begins with a fixed prefix.
type token struct {
	kind     string
	prefixes string // blanks between them
	body     *class // what follows the prefix
	// shortest and longest bound the length of the body; longest 0 is no bound.
	shortest, longest int
	// random, if set, tells a body from words that look like one.
	random func(body string) bool
}

// tokens are the prefixes that issuers document.
var tokens = []token{
	{"aws-access-key", "AKIA ASIA ABIA ACCA", upperDigits, 16, 16, nil},
	{"aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", base64ish, 80, 0, nil},
	{"google-api-key", "AIza", wordDash, 35, 35, nil},
	{"google-oauth", "ya29.", wordDashDot, 20, 0, nil},
	{"google-oauth", "GOCSPX-", wordDash, 24, 0, nil},
	{"google-oauth", "1//0", wordDash, 40, 0, nil},
	{"github-token", "ghp_ gho_ ghu_ ghr_", alnum, 30, 0, nil},
	{"github-token", "ghs_", wordDashDot, 30, 0, nil},
	{"github-token", "github_pat_", word, 36, 0, nil},
	{"gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-", wordDashDot, 18, 0, nil},
	{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xoxe.xoxp- xoxe.xoxb-", wordDash, 18, 0, hasDigit},
	{"npm-token", "npm_", alnum, 30, 0, nil},
	{"pypi-token", "pypi-AgE", wordDash, 40, 0, nil},
	{"stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", base64ish, 16, 0, hasDigit},
	{"anthropic-key", "sk-ant-", wordDash, 20, 0, nil},
	{"openai-key", "sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-", wordDash, 20, 0, longWord},
	{"huggingface-token", "hf_ api_org_", alnum, 30, 0, nil},
	{"sendgrid-key", "SG.", wordDashDot, 40, 0, twoParts},
	{"mailgun-key", "key-", hexDigits, 32, 32, nil},
	{"twilio-key", "SK", hexDigits, 32, 32, lowerHex},
	{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", hexDigits, 64, 64, nil},
	{"vault-token", "hvs. hvb. hvr.", wordDash, 20, 0, hasDigit},
	{"shopify-token", "shpat_ shpss_ shpca_ shppa_", hexDigits, 32, 32, nil},
	{"databricks-token", "dapi", hexDigits, 32, 32, nil},
	{"linear-key", "lin_api_ lin_oauth_", alnum, 32, 0, nil},
	{"grafana-token", "glsa_ glc_", base64ish, 32, 0, hasDigit},
	{"doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", wordDashDot, 30, 0, nil},
	{"age-key", "AGE-SECRET-KEY-1", upperDigits, 50, 0, nil},
	{"sentry-token", "sntrys_ sntryu_", base64ish, 40, 0, nil},
	{"policyctl-token", "pol_ polc_ pols_", word, 40, 0, hasDigit},
	{"policyctl-token", "polo_", word, 30, 0, nil},
	{"postman-key", "PMAK-", wordDash, 40, 0, nil},
	{"fly-token", "fm1r_ fm2_ fo1_", base64ish, 30, 0, hasDigit},
	{"groq-key", "gsk_", alnum, 40, 0, nil},
	{"xai-key", "xai-", alnum, 60, 0, nil},
	{"perplexity-key", "pplx-", alnum, 40, 0, nil},
	{"replicate-token", "r8_", alnum, 36, 0, nil},
	{"atlassian-token", "ATATT3 ATCTT3 ATBB", base64ish, 30, 0, hasDigit},
	{"tailscale-key", "tskey-", wordDash, 20, 0, hasDigit},
	{"cloudflare-token", "cfut_ cfat_ v1.0-", wordDash, 40, 0, nil},
}

// rules returns one rule for each prefix of the token.
func (t *token) rules() []rule {
	var list []rule
	for p := range strings.FieldsSeq(t.prefixes) {
		list = append(list, rule{t.kind, p, func(s string, i int) (int, int) { return t.find(s, i, len(p)) }})
	}
	return list
}

func (t *token) find(s string, i, prefix int) (int, int) {
	body := i + prefix
	end := t.body.run(s, body)
	for end > body && s[end-1] == '.' { // of the sentence
		end--
	}
	n := end - body
	if n < t.shortest || t.longest > 0 && n > t.longest || end < len(s) && alnum[s[end]] {
		return 0, 0
	}
	if t.random != nil && !t.random(s[body:end]) {
		return 0, 0
	}
	return i, end
}

func hasDigit(s string) bool { return strings.ContainsAny(s, digits) }

func lowerHex(s string) bool { return !strings.ContainsAny(s, "ABCDEF") && hasDigit(s) }

// longWord says whether one of the parts between dashes is long and has a
// digit, as in sk-proj-… and not as in sk-fading-circle-2.
func longWord(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) >= 16 && hasDigit(part) {
			return true
		}
	}
	return mixed(s) && len(s) >= 40
}

func twoParts(s string) bool {
	a, b, ok := strings.Cut(s, ".")
	return ok && len(a) >= 16 && len(b) >= 20
}

package redact

import (
	"encoding/base64"
	"slices"
	"strings"
)

// allRules returns the rules by literals: the tokens of the kinds, and the forms that more
// than a prefix tells.
func allRules() []rule {
	forms := []rule{
		{"jwt", "eyJ", findJWT},
		{"private-key", "LS0tLS1CRUdJTi", findEncodedKey},
		{"private-key", "-----BEGIN ", findPrivateKey},
		{"private-key", "---- BEGIN ", findPrivateKey},
		{"private-key", "Private-Lines: ", findPuTTYKey},
		{"discord-token", "M", findDiscord},
		{"discord-token", "N", findDiscord},
		{"discord-token", "O", findDiscord},
		{"slack-webhook", "hooks.slack.com/", after("hooks.slack.com/", 20)},
		{"discord-webhook", "discord.com/api/webhooks/", after("discord.com/api/webhooks/", 40)},
		{"discord-webhook", "discordapp.com/api/webhooks/", after("discordapp.com/api/webhooks/", 40)},
		{"authorization", "Bearer ", findBearer},
		{"authorization", "bearer ", findBearer},
		{"password", "IDENTIFIED BY ", literalAfter("IDENTIFIED BY ")},
		{"password", "identified by ", literalAfter("identified by ")},
		{"password", "PASSWORD ", literalAfter("PASSWORD ")},
		{"password", "password ", findNetrc},
		{"secret", "configure set ", findSetting("configure set ")},
		{"secret", "config set ", findSetting("config set ")},
		{"secret", "setenv ", findSetting("setenv ")},
		{"secret", "setx ", findSetting("setx ")},
		{"secret", "set -x ", findSetting("set -x ")},
		{"secret", "set -gx ", findSetting("set -gx ")},
		{"secret", "set -Ux ", findSetting("set -Ux ")},
		{"password", "echo ", findPiped("echo ")},
		{"password", "printf ", findPiped("printf ")},
		{"password", "<<<", findHereString},
		{"password", "ConvertTo-SecureString ", literalAfter("ConvertTo-SecureString ")},
		{"password", "SET PASSWORD ", findSetPassword},
		{"token", "vault login ", findLogin("vault login ")},
		{"token", "cargo login ", findLogin("cargo login ")},
		{"secret", "--from-literal", findFromLiteral},
		{"basic-auth", "auth=(", findAuthPair},
	}
	for _, k := range kinds {
		for i := range k.tokens {
			forms = append(forms, k.tokens[i].rules(k.ID)...)
		}
	}
	return forms
}

// findJWT finds a JSON Web Token (RFC 7519), also without a signature: a
// header, a payload, and what else follows.
func findJWT(s string, i int) (int, int) {
	end := wordDash.run(s, i)
	if end-i < 12 || end == len(s) || s[end] != '.' {
		return 0, 0
	}
	payload := end + 1
	if end = wordDash.run(s, payload); end-payload < 8 && !strings.HasPrefix(s[end:], ".") {
		return 0, 0
	}
	for end+1 < len(s) && s[end] == '.' && (wordDash[s[end+1]] || s[end+1] == '.') {
		end = wordDash.run(s, end+1)
	}
	if end-payload < 8 {
		return 0, 0
	}
	return i, end
}

// findDiscord finds the token of a Discord bot: its id in base64, a time, a
// digest.
func findDiscord(s string, i int) (int, int) {
	id := wordDash.run(s[:min(len(s), i+30)], i)
	if id-i < 23 || id-i > 28 || id >= len(s) || s[id] != '.' {
		return 0, 0
	}
	at := wordDash.run(s[:min(len(s), id+10)], id+1)
	if n := at - id - 1; n < 6 || n > 7 || at >= len(s) || s[at] != '.' {
		return 0, 0
	}
	end := wordDash.run(s, at+1)
	if end-at-1 < 27 {
		return 0, 0
	}
	return i, end
}

// after finds what follows a literal up to the end of a URL.
func after(literal string, shortest int) func(string, int) (int, int) {
	return func(s string, i int) (int, int) {
		from := i + len(literal)
		end := from
		for end < len(s) && (wordDash[s[end]] || s[end] == '/') {
			end++
		}
		if end-from < shortest || !hasDigit(s[from:end]) {
			return 0, 0
		}
		return from, end
	}
}

// findBearer finds a token behind the word "Bearer" outside of a header.
func findBearer(s string, i int) (int, int) {
	from := blank.run(s, i+len("bearer "))
	end := from
	for end < len(s) && (base64ish[s[end]] || s[end] == '.' || s[end] == '~') {
		end++
	}
	end = from + len(strings.TrimRight(s[from:end], "."))
	if end-from < 16 || !hasDigit(s[from:end]) {
		return 0, 0
	}
	return from, end
}

// findPuTTYKey finds the private part of a key in PuTTY's format.
func findPuTTYKey(s string, i int) (int, int) {
	from := i + len("Private-Lines: ")
	for from < len(s) && isDigit(s[from]) {
		from++
	}
	return keyLines(s, from)
}

// findEncodedKey finds a private key in PEM that is encoded in base64 once
// more, as the data of a Kubernetes secret is.
func findEncodedKey(s string, i int) (int, int) {
	end := base64ish.run(s, i)
	const head = 64 // holds the first line of any key
	n := min(end-i, head) / 4 * 4
	text, err := base64.StdEncoding.DecodeString(strings.TrimRight(s[i:i+n], "="))
	if err != nil || !strings.Contains(string(text), "PRIVATE KEY") {
		return 0, 0
	}
	return i, end
}

// botToken looks for the token of a Telegram bot around a colon: its number,
// and 35 bytes that begin with AA.
func (c *scan) botToken() bool {
	if !strings.HasPrefix(c.s[c.i:], ":AA") {
		return false
	}
	from := c.i
	for from > c.from && c.i-from < 12 && isDigit(c.s[from-1]) {
		from--
	}
	end := wordDash.run(c.s, c.i+1)
	if n := end - c.i - 1; c.i-from < 8 || n < 33 || n > 40 {
		return false
	}
	c.add("telegram-token", from, end)
	return true
}

// beside adds the secret keys that stand near an access key of AWS: 40 bytes
// of base64 that are no digest.
func (c *scan) beside() {
	const reach = 160
	known := slices.Clone(c.spans)
	done := 0
	for _, p := range known {
		if p.kind != "aws-access-key" {
			continue
		}
		i := min(len(c.s), max(done, p.from-reach))
		if i > 0 && secretKey[c.s[i-1]] {
			i = secretKey.run(c.s, i) // not the middle of something longer
		}
		for end := min(len(c.s), p.to+reach); i < end; {
			to := secretKey.run(c.s, i)
			if to-i == 40 && mixed(c.s[i:to]) && !covered(known, i, to) {
				c.spans = append(c.spans, span{from: i, to: to, kind: "aws-secret-key"})
			}
			i = to + 1
		}
		done = i
	}
}

// covered reports whether a part of the text lies in a span already.
func covered(spans []span, from, to int) bool {
	at, _ := slices.BinarySearchFunc(spans, from, func(p span, i int) int { return p.to - 1 - i })
	return at < len(spans) && spans[at].from < to
}

package redact

import (
	"bytes"
	"strings"
	"sync"
)

// secretNouns are the words of a name that say what it names is a secret, with
// the kind.
var secretNouns = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"pwd": "password", "pass": "password", "pw": "password", "psw": "password", "passcode": "password", "passwords": "password",
		"sshpass": "password", "dbpass": "password", "userpass": "password", "rootpass": "password", "keypass": "password",
		"storepass": "password", "passwort": "password", "kennwort": "password", "contraseña": "password",
		"secrets": "secret", "accountkey": "secret", "sharedkey": "secret", "encryptionkey": "secret", "signingkey": "secret",
		"masterkey": "secret",
		"token":     "token", "tokens": "token", "authtoken": "token", "accesstoken": "token", "refreshtoken": "token", "apitoken": "token",
		"idtoken": "token", "bearertoken": "token", "usertoken": "token", "bottoken": "token", "githubtoken": "token", "ghtoken": "token",
		"sessiontoken": "token", "securitytoken": "token", "csrftoken": "token", "xsrftoken": "token", "jwt": "token", "pat": "token",
		"apikeys": "api-key", "privatekey": "private-key",
		"credential": "credential", "credentials": "credential", "creds": "credential", "cred": "credential",
		"authorization": "authorization", "cookie": "cookie", "cookies": "cookie",
	}
})

// secretEnds are the ends of words that do so, whatever is glued before them:
// PGPASSWORD, clientsecret.
var secretEnds = [...]struct{ end, kind string }{
	{"password", "password"}, {"passwd", "password"}, {"passphrase", "password"}, {"secret", "secret"}, {"secretkey", "secret"},
	{"apikey", "api-key"}, {"accesskey", "api-key"}, {"storepass", "password"}, {"keypass", "password"},
}

// keyOwners are the words that make a secret of the word "key" behind them.
var keyOwners = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"api": "api-key", "access": "api-key", "auth": "api-key", "subscription": "api-key", "functions": "api-key", "consumer": "api-key",
		"app": "api-key", "application": "api-key", "service": "api-key", "admin": "api-key", "integration": "api-key", "license": "api-key",
		"private": "private-key", "ssh": "private-key", "pgp": "private-key", "gpg": "private-key", "deploy": "private-key",
		"secret": "secret", "encryption": "secret", "signing": "secret", "master": "secret", "account": "secret", "shared": "secret",
		"storage": "secret", "webhook": "secret", "session": "secret", "jwt": "secret", "hmac": "secret", "aes": "secret",
		"crypto": "secret", "cipher": "secret", "unseal": "secret", "recovery": "secret", "write": "api-key", "openai": "api-key",
		"anthropic": "api-key", "stripe": "api-key", "datadog": "api-key", "sendgrid": "api-key", "dd": "api-key",
	}
})

// harmlessTails are the words behind a noun that make the name one of
// something about the secret.
var harmlessTails = words(`file files filename path paths dir directory folder name names type types count counts length len min
	max size sizes limit limits ttl expiry expires expiration expired exp expire lifetime duration age url urls uri uris endpoint
	host hostname port id ids arn ref refs reference field fields env var variable policy policies algorithm alg required enabled
	disabled prefix suffix store stores storage manager provider providers mode format version stdin command cmd helper rotation
	timeout issuer audience scope scopes budget usage usages rate per regex pattern patterns validator validation hint label
	placeholder reset change strength protected source location bucket index offset position class color status state valid
	present exists set method parser kind owner user username email namespace engine backend region parallelism address contract
	symbol balance supply cost price limiter estimate estimates window ratio sum avg average used left remaining total request
	requests response error errors handler service client factory generator utils util test tests spec schema model models
	table column fingerprint thumbprint digest checksum created updated rotated date time at on by for from to in is
	input output visible domain secure httponly samesite consent banner jar
	header headers through decode verify encode sign parse validate off basic scheme middleware claims payload option
	options config verified unverified yaml yml json toml txt md html pem crt show hide toggle encoder encodings`)

// harmlessHeads are the words before "token", "pass" and "key" that make the
// name one of something public.
var harmlessHeads = words(`max num eos pad bos unk sep cls mask next page continuation count total input output prompt
	completion cached stop special public n first last previous prev start end begin per by has is no use show
	enable require forgot reset cursor sync syntax lexer char image text audio reasoning min avg used remaining
	design color css invalid unexpected two second render single multi one dry`)

// words returns a set, which is made at first use: few programs that could hide
// a secret see text that may hold one.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := make(map[string]bool)
		for w := range strings.FieldsSeq(list) {
			m[w] = true
		}
		return m
	})
}

// maxName bounds the length of the names that are looked at.
const maxName = 80

// kindOfName returns the kind of secret that a name such as DB_PASSWORD,
// apiKey or X-Auth-Token announces, "" if it announces none.
func kindOfName(name string) string {
	name = name[max(0, len(name)-maxName):]
	var buf [maxName]byte
	low := buf[:copy(buf[:], name)]
	for i, b := range low {
		if isUpper(b) {
			low[i] += 'a' - 'A'
		}
	}
	if kind, ok := specialNames()[string(low)]; ok {
		return kind
	}
	kind := ""
	var before []byte
	for from, to := nextWord(name, 0); from < to; from, to = nextWord(name, to) {
		kind = nextKind(kind, before, low[from:to])
		before = low[from:to]
	}
	return kind
}

// nextKind returns the kind of a name after one more word of it, given that of
// the words so far and the word before.
func nextKind(kind string, before, w []byte) string {
	switch string(w) {
	case "token", "tokens", "pass":
		if harmlessHeads()[string(before)] {
			return ""
		}
	case "pat":
		if before == nil {
			return ""
		}
	case "key", "keys":
		if owner, ok := keyOwners()[string(before)]; ok {
			return owner
		}
		return kind
	}
	if noun, ok := secretNouns()[string(w)]; ok {
		return noun
	}
	for _, e := range secretEnds {
		if bytes.HasSuffix(w, []byte(e.end)) {
			return e.kind
		}
	}
	if harmlessTails()[string(w)] {
		return ""
	}
	return kind
}

// specialNames are names that are secrets as a whole.
var specialNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"_auth": "basic-auth", "rediscli_auth": "password", "proxy-authorization": "authorization", "set-cookie": "cookie",
		"ocp-apim-subscription-key": "api-key", "x-functions-key": "api-key", "x-api-key": "api-key", "x-goog-api-key": "api-key",
		"sharedaccesssignature": "signature", "x-amz-security-token": "token", "secretaccesskey": "secret", "aws_secret_access_key": "secret",
		"x-auth-key": "api-key", "dd-api-key": "api-key",
	}
})

// nextWord returns the bounds of the next word of a name from i on: words end
// at signs, digits and where capitals begin.
func nextWord(name string, i int) (from, to int) {
	for i < len(name) && !isLetter(name[i]) {
		i++
	}
	from = i
	for i < len(name) && isLetter(name[i]) {
		if i > from && isUpper(name[i]) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])) {
			break
		}
		i++
	}
	return from, i
}

func isLetter(b byte) bool { return isUpper(b) || isLower(b) || b >= 0x80 }

// isQueryName reports whether a parameter of a URL is a secret though a name
// elsewhere would not be.
func isQueryName(name string) bool { return has(queryNames, name) }

// isWeak reports whether a name often stands for something else too, such as the
// PASS of a test.
func isWeak(name string) bool { return has(weakNames, lastWord(name)) }

var (
	queryNames = words("sig signature x-amz-signature x-goog-signature hmac auth")
	weakNames  = words("pass pw pwd cred creds cookie cookies credentials tokens secrets")
)

func lastWord(name string) string {
	i := len(name)
	for i > 0 && isLetter(name[i-1]) {
		i--
	}
	return name[i:]
}

package command

import (
	"strings"
)

// secretParts say wherever they stand in a name that the variable holds a
// secret.
var secretParts = []string{
	"PASSWORD", "PASSWD", "PASSPHRASE", "PASS_PHRASE", "SECRET", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH_CONFIG",
	"WEBHOOK_URL", "CONNECTION_STRING", "CONNECTIONSTRING", "CONN_STR", "SERVICE_ACCOUNT_JSON", "SEED_PHRASE", "OTP_SEED", "SASL_JAAS", "KUBECONFIG_DATA", "ID_RSA", "ID_ED25519",
}

// secretEnds say so at the end of a name, as the last of its words: DB_PASS,
// but not COMPASS.
func secretEnds(name string) bool {
	switch name {
	case "TOKEN", "PASS", "PWD", "PW", "CRED", "CREDS", "DSN", "AUTH", "COOKIE", "BEARER",
		"AUTHORIZATION", "PAT", "SAS", "MNEMONIC", "OTP", "TOTP", "JWT", "WEBHOOK",
		"SSHPASS", "PSK", "SK":
		return true
	}
	return false
}

// tellingEnds are the last words of names that tell about a secret without
// holding it, such as where it lies or how long it lives.
func tellingEnds(name string) bool {
	switch name {
	case "FILE", "PATH", "DIR", "COUNT", "LENGTH", "LEN", "SIZE", "LIMIT", "TTL", "EXPIRY",
		"EXPIRES", "EXPIRATION", "TIMEOUT", "TYPE", "NAME", "ENABLED", "POLICY":
		return true
	}
	return false
}

// plainKeys are the words before KEY where it opens nothing.
func plainKeys(name string) bool {
	switch name {
	case "PUBLIC", "PUB", "CACHE", "PRIMARY", "FOREIGN", "PARTITION", "SORT", "OBJECT", "LOOKUP",
		"GPG", "IDEMPOTENCY", "ROUTING", "HOT", "GROUP", "MAP":
		return true
	}
	return false
}

// storeWords are what a URL names that has a password in it.
func storeWords(name string) bool {
	switch name {
	case "DATABASE", "DB", "SQL", "REDIS", "MONGO", "MONGODB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL",
		"MARIADB", "CLICKHOUSE", "JDBC", "SQLALCHEMY", "AMQP", "CLOUDAMQP", "RABBITMQ", "BROKER", "CELERY",
		"ELASTIC", "ELASTICSEARCH", "CACHE", "SMTP", "MAIL", "LDAP", "SAS":
		return true
	}
	return false
}

// plainEnv are variables that hold no secret, although their names look so.
func plainEnv(name string) bool {
	switch name {
	case "PWD", "OLDPWD", "GOOGLE_APPLICATION_CREDENTIALS":
		return true
	}
	return false
}

// SecretEnv reports whether the name of a variable says that it holds a
// secret.
func SecretEnv(name string) bool {
	name = strings.ToUpper(name)
	last := name[strings.LastIndexByte(name, '_')+1:]
	switch {
	case plainEnv(name) || tellingEnds(last):
		return false
	case secretEnds(last) || strings.HasSuffix(name, "TOKEN") || strings.HasSuffix(last, "PW") || strings.HasSuffix(last, "BINDPWD"):
		return true
	}
	rest := strings.TrimRight(strings.TrimSuffix(name, last), "_")
	switch last {
	case "KEY":
		return rest != "" && !plainKeys(rest[strings.LastIndexByte(rest, '_')+1:]) || hasSecretPart(name)
	case "URL", "URI":
		for word := range strings.SplitSeq(rest, "_") {
			if storeWords(word) {
				return true
			}
		}
	}
	return hasSecretPart(name)
}

func hasSecretPart(name string) bool {
	for _, part := range secretParts {
		if i := strings.Index(name, part); i >= 0 && !strings.HasPrefix(name[i:], "SECRETAR") {
			return true
		}
	}
	return false
}

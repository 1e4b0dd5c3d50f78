package shell

import "strings"

// secretParts say wherever they stand in a name that the variable holds a
// secret.
var secretParts = []string{
	"PASSWORD", "PASSWD", "PASSPHRASE", "PASS_PHRASE", "SECRET", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH_CONFIG",
	"WEBHOOK_URL", "CONNECTION_STRING", "CONNECTIONSTRING", "CONN_STR", "SERVICE_ACCOUNT_JSON", "SEED_PHRASE", "OTP_SEED", "SASL_JAAS", "KUBECONFIG_DATA", "ID_RSA", "ID_ED25519",
}

// secretEnds say so at the end of a name, as the last of its words: DB_PASS,
// but not COMPASS.
var secretEnds = map[string]bool{
	"TOKEN": true, "PASS": true, "PWD": true, "PW": true, "CRED": true, "CREDS": true, "DSN": true, "AUTH": true, "COOKIE": true, "BEARER": true,
	"AUTHORIZATION": true, "PAT": true, "SAS": true, "MNEMONIC": true, "OTP": true, "TOTP": true, "JWT": true, "WEBHOOK": true,
	"SSHPASS": true, "PSK": true, "SK": true,
}

// tellingEnds are the last words of names that tell about a secret without
// holding it, such as where it lies or how long it lives.
var tellingEnds = map[string]bool{
	"FILE": true, "PATH": true, "DIR": true, "COUNT": true, "LENGTH": true, "LEN": true, "SIZE": true, "LIMIT": true, "TTL": true, "EXPIRY": true,
	"EXPIRES": true, "EXPIRATION": true, "TIMEOUT": true, "TYPE": true, "NAME": true, "ENABLED": true, "POLICY": true,
}

// plainKeys are the words before KEY where it opens nothing.
var plainKeys = map[string]bool{
	"PUBLIC": true, "PUB": true, "CACHE": true, "PRIMARY": true, "FOREIGN": true, "PARTITION": true, "SORT": true, "OBJECT": true, "LOOKUP": true,
	"GPG": true, "IDEMPOTENCY": true, "ROUTING": true, "HOT": true, "GROUP": true, "MAP": true,
}

// storeWords are what a URL names that has a password in it.
var storeWords = map[string]bool{
	"DATABASE": true, "DB": true, "SQL": true, "REDIS": true, "MONGO": true, "MONGODB": true, "POSTGRES": true, "POSTGRESQL": true, "PG": true, "MYSQL": true,
	"MARIADB": true, "CLICKHOUSE": true, "JDBC": true, "SQLALCHEMY": true, "AMQP": true, "CLOUDAMQP": true, "RABBITMQ": true, "BROKER": true, "CELERY": true,
	"ELASTIC": true, "ELASTICSEARCH": true, "CACHE": true, "SMTP": true, "MAIL": true, "LDAP": true, "SAS": true,
}

// plainEnv are variables that hold no secret, although their names look so.
var plainEnv = map[string]bool{
	"PWD": true, "OLDPWD": true, "GOOGLE_APPLICATION_CREDENTIALS": true,
}

// SecretEnv reports whether the name of a variable says that it holds a
// secret.
func SecretEnv(name string) bool {
	name = strings.ToUpper(name)
	last := name[strings.LastIndexByte(name, '_')+1:]
	switch {
	case plainEnv[name] || tellingEnds[last]:
		return false
	case secretEnds[last] || strings.HasSuffix(name, "TOKEN"):
		return true
	}
	rest := strings.TrimRight(strings.TrimSuffix(name, last), "_")
	switch last {
	case "KEY":
		return rest != "" && !plainKeys[rest[strings.LastIndexByte(rest, '_')+1:]] || hasSecretPart(name)
	case "URL", "URI":
		for word := range strings.SplitSeq(rest, "_") {
			if storeWords[word] {
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

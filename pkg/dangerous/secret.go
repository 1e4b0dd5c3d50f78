package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// tellers are the programs that keep secrets, and what they print them with.
func tellers() []use {
	return []use{
		{names: "vault bao", does: "kv get, read, login, unwrap, print token, token create, token lookup, operator generate-root", unless: "-help"},
		{names: "op", does: "read, item get, document get, inject"},
		{names: "aws awslocal", does: "secretsmanager get-secret-value, secretsmanager batch-get-secret-value, ssm get-parameter --with-decryption, ssm get-parameters --with-decryption, ssm get-parameters-by-path --with-decryption, ssm get-parameter-history --with-decryption, kms decrypt, sts get-session-token, sts assume-role, configure export-credentials, configure get aws_secret_access_key, configure get aws_session_token, ec2 get-password-data, redshift get-cluster-credentials, cognito-idp describe-user-pool-client, apigateway get-api-key --include-value, apigateway get-api-keys --include-values, apigateway get-api-keys --include-value, appsync list-api-keys, lightsail get-instance-access-details, gamelift get-instance-access, ecr get-login-password, ecr-public get-login-password, ecr get-authorization-token, codeartifact get-authorization-token, rds generate-db-auth-token, eks get-token, sts get-federation-token, cognito-identity get-credentials-for-identity, sso get-role-credentials"},
		{names: "gcloud", does: "secrets versions access, beta secrets versions access, alpha secrets versions access, auth print-access-token, auth print-identity-token, auth print-refresh-token, auth application-default print-access-token, iam service-accounts keys create, kms decrypt"},
		{names: "az", does: "keyvault secret show, keyvault secret download, keyvault secret backup, keyvault certificate download, account get-access-token, storage account keys list, storage account show-connection-string, cosmosdb keys list, redis list-keys, acr credential show, ad sp create-for-rbac"},
		{names: "gopass", does: "show, cat, otp, grep, -o"},
		{names: "rbw", does: "get, code"},
		{names: "bw", does: "get password, get item, get notes, get totp, get attachment, export, list items"},
		{names: "bws", does: "secret get, secret list"},
		{names: "security", does: "find-generic-password -w, find-generic-password -g, find-generic-password -ga, find-generic-password -wa, find-internet-password -w, find-internet-password -g, dump-keychain -d, export"},
		{names: "secret-tool", does: "lookup, search"},
		{names: "doppler", does: "secrets get, secrets download, secrets substitute"},
		{names: "chamber", does: "read, export, env, list -e, list --expand"},
		{names: "sops", does: "-d, --decrypt, decrypt, exec-file"},
		{names: "age rage", does: "-d, --decrypt"},
		{names: "ansible-vault", does: "decrypt, view"},
		{names: "gpg", does: "--export-secret-keys, --export-secret-key, --export-secret-subkeys, --export-secret-ssh-key, -d, --decrypt"},
		{names: "infisical", does: "secrets get, export"},
		{names: "lpass", does: "show, export"},
		{names: "keepassxc-cli", does: "show, export, clip, attachment-export"},
		{names: "credstash", does: "get, getall"},
		{names: "keyring", does: "get"},
		{names: "heroku", does: "config, config:get"},
		{names: "vercel", does: "env pull"},
		{names: "netlify", does: "env:get, env:list"},
		{names: "railway", does: "variables"},
		{names: "gh glab", does: "auth token, auth status --show-token, auth status -t"},
		{names: "git", does: "credential fill, credential-osxkeychain get, credential-store get, credential-cache get, credential-manager get, credential-libsecret get"},
		{names: "docker-credential-pass docker-credential-desktop docker-credential-osxkeychain docker-credential-secretservice docker-credential-wincred", does: "get"},
		{names: "terraform tofu", does: "state pull, output -json, show -json"},
		{names: "helm", does: "get values, get all, get manifest"},
		{names: program.Names(program.IsEngine), does: "compose config, compose convert, swarm join-token, swarm unlock-key, secret inspect --showsecret", unless: composeNames},
		{names: "docker-compose podman-compose", does: "config, convert", unless: composeNames},
		{names: "pulumi", does: "--show-secrets, config get"},
		{names: "wg", does: "showconf"},
		{names: "akeyless", does: "get-secret-value, get-dynamic-secret-value"},
		{names: "conjur", does: "variable get, variable value"},
		{names: "hcp", does: "vault-secrets secrets open"},
		{names: "teller", does: "show, env, export, sh, yaml, json"},
		{names: "berglas", does: "access, read"},
		{names: "aws-vault", does: "export"},
		{names: program.Names(program.IsCluster), does: "view-secret, config view --raw, extract --to"},
	}
}

// composeNames are the options with which compose prints the names of a project, and
// no values.
const composeNames = "-q --quiet --services --volumes --networks --images --profiles --hash --variables --help"

// The programs that keep secrets, and what they store or change them with.
// What they delete stands in vaults.
var (
	keepers = []use{
		{names: "vault bao", does: "kv put, kv patch, kv rollback, kv undelete, write, patch, policy write, auth enable, auth tune, secrets enable, secrets tune, operator init, audit enable"},
		{names: "op", does: "item create, item edit, item move, document create, document edit, vault create, vault edit, vault user, vault group, user provision, user edit, service-account create"},
		{names: "aws awslocal", does: "secretsmanager put-secret-value, secretsmanager create-secret, secretsmanager update-secret, secretsmanager update-secret-version-stage, secretsmanager rotate-secret, secretsmanager restore-secret, secretsmanager put-resource-policy, ssm put-parameter, iam create-access-key, iam update-access-key, iam create-login-profile, iam update-login-profile, configure set"},
		{names: "gcloud", does: "secrets create, secrets update, secrets versions add, secrets versions disable, secrets versions enable, secrets add-iam-policy-binding, secrets set-iam-policy, beta secrets create, beta secrets versions add"},
		{names: "az", does: "keyvault secret set, keyvault secret set-attributes, keyvault secret restore, keyvault set-policy, keyvault delete-policy, keyvault key create, keyvault key import, keyvault certificate import, keyvault certificate create"},
		{names: "pass gopass", does: "insert, edit, generate, mv, rename, cp, copy, import, init"},
		{names: "bw", does: "create, edit, restore, import, move"},
		{names: "bws", does: "secret create, secret edit"},
		{names: "security", does: "add-generic-password, add-internet-password, add-certificates, add-trusted-cert, import, set-keychain-password, set-generic-password-partition-list, unlock-keychain, create-keychain"},
		{names: "secret-tool", does: "store"},
		{names: "doppler", does: "secrets set, secrets upload"},
		{names: "chamber", does: "write, import"},
		{names: "sops", does: "set, unset, rotate, updatekeys, -r, --rotate, --set, --add-age, --add-pgp, --rm-age, --rm-pgp"},
		{names: "ansible-vault", does: "rekey"},
		{names: "infisical", does: "secrets set"},
		{names: "keyring", does: "set"},
		{names: "lpass", does: "add, edit, generate, mv, import"},
		{names: "keepassxc-cli", does: "add, edit, mv, merge, import, db-edit"},
		{names: "credstash", does: "put, putall"},
		{names: "heroku", does: "config:set, config:edit"},
		{names: "fly flyctl", does: "secrets set, secrets import"},
		{names: "netlify", does: "env:set, env:import"},
		{names: "vercel", does: "env add"},
		{names: "wrangler", does: "secret put, secret bulk, secret:bulk"},
		{names: "docker podman", does: "secret create"},
		{names: "akeyless", does: "create-secret, update-secret-val, set-item-access"},
		{names: "conjur", does: "variable set, policy load, policy update"},
		{names: "berglas", does: "create, update, grant, edit"},
	}
	// injectors run a command with secrets in its environment.
	injectors = []use{
		{names: "op doppler infisical teller", does: "run"},
		{names: "aws-vault chamber", does: "exec"},
		{names: "sops", does: "exec-env"},
		{names: "envchain", does: "*"},
	}
)

func secretRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "secret-print", Class: "store", Programs: programsOf(tellers(), programsOf(injectors), "pass passage", program.Names(isWebClient), runners()),
			Why:     "prints passwords, keys or secrets",
			Instead: "Tell the user which secret is needed; they can pass it to the program without showing it here.",
			Match:   match(either(uses(tellers()), showsSecret, both(uses(injectors), says("env", "printenv", "set", "export")))),
			Hit: []string{"vault kv get secret/app", "op read op://vault/item/password", "aws --profile p secretsmanager get-secret-value --secret-id x", "kubectl -n prod get secret x -o yaml", "kubectl get secret/x -ojson", "pass work/x", "gopass show work/x", "security find-generic-password -w -s x",
				"sops -d secrets.yaml", "age -d -i key.txt x.age", "gpg --export-secret-keys x", "doppler secrets", "infisical secrets", "op run -- env", "kubectl config view --raw", "git credential fill",
				"docker inspect -f '{{.Config.Env}}' web", "docker container inspect --format='{{json .Config}}' web", "podman inspect --format '{{ json . }}' web", "docker compose -f x.yaml config", "docker-compose config", "kubectl get --raw /api/v1/namespaces/a/secrets/b",
				"kubectl get --raw=/api/v1/secrets", "npm config get //registry.npmjs.org/:_authToken", "yarn config get npmAuthToken", "helm get values web", "terraform output -json", "terraform -chdir=x show -json", "aws apigateway get-api-keys --include-values", "aws ecr get-login-password",
				"curl http://169.254.169.254/latest/meta-data/iam/security-credentials/x", "wget -qO- http://169.254.170.2/v2/credentials/x", "curl -H 'Metadata-Flavor: Google' metadata.google.internal/x", "curl http://0xa9fea9fe/latest", "curl 'http://[::ffff:169.254.169.254]/x'", "curl http://a:b@169.254.169.254/x", "curl http://a@169.254.169.254/x", "curl http:///169.254.169.254/x", "curl http://METADATA.google.internal.:80/x"},
			Miss: []string{"vault status", "vault kv list secret/", "op item list", "aws secretsmanager list-secrets", "aws ssm get-parameter --name x", "kubectl get secret", "kubectl get secrets -o wide", "kubectl get pods -o yaml", "pass ls", "pass", "security find-certificate -a", "doppler configs", "sops --version",
				"age -r age1x -o a.age a", "gpg --list-secret-keys", "op run -- npm start", "doppler secrets --only-names", "kubectl describe secret x",
				"docker inspect -f '{{.State.Status}}' web", "docker inspect --format '{{json .State}}' web", "docker compose config --services", "docker compose config -q", "kubectl get --raw /healthz", "kubectl get --raw /api/v1/nodes", "npm config get registry", "helm get notes web", "terraform output", "terraform output vpc_id",
				"terraform show", "aws apigateway get-api-keys",
				"curl http://169.254.1.1/x", "curl https://example.com/169.254.169.254", "curl -s localhost:8080/metadata"},
		},
		{
			ID: "secret-change", Class: "store", Programs: programsOf(keepers, program.Names(program.IsCluster), runners()),
			Why:     "stores or changes passwords, keys or secrets that others may use",
			Instead: "Tell the user which secret to change and where its new value comes from, and ask them to change it.",
			Match:   match(either(uses(keepers), changesClusterSecret)),
			Hit:     []string{"vault kv put secret/app a=b", "aws secretsmanager put-secret-value --secret-id x --secret-string y", "kubectl create secret generic x --from-literal=a=b", "kubectl -n a patch secret x -p '{}'", "pass insert work/x", "bw edit item 1 x", "gcloud secrets versions add x --data-file=f", "fly secrets set X=y", "sops updatekeys a.yaml"},
			Miss:    []string{"vault kv list secret/", "aws secretsmanager describe-secret --secret-id x", "kubectl get secret", "kubectl create secret generic x --from-literal=a=b --dry-run=client", "kubectl edit deploy web", "pass ls", "bw status", "fly secrets list", "gcloud secrets list"},
		},
	}
}

// passVerbs are the sub-commands of pass that print no secret; other words name
// one.
const passVerbs = "init ls list find search insert add edit generate rm remove delete mv rename cp copy git help version"

// showsSecret holds for what a table of words cannot say: names without a
// verb, and the forms of output that hold values.
func showsSecret(c *cmd) bool {
	if c.Is(program.IsCluster) {
		return argument(asksForSecrets)(c) || sub("get")(c) && namesSecret(c) && (argument(hasPrefix("--template"))(c) || optionIs("output", func(v string) bool {
			return v != "name" && v != "wide"
		})(c))
	}
	if c.Is(program.IsEngine) {
		return says("inspect")(c) && argument(hasEnvironment)(c)
	}
	if c.Is(isWebClient) {
		return argument(asksMachine)(c)
	}
	switch c.How("shows") {
	case "setting":
		return says("get")(c) && argument(namesToken)(c)
	case "entry":
		i := nextPlain(c, 0)
		return i > 0 && !c.Words[i].Open && !program.HasWord(passVerbs, known(&c.Words[i]))
	case "vault":
		i := nextPlain(c, 0)
		return i > 0 && c.Words[i].Has("secrets") && nextPlain(c, i) == 0 && !says("--only-names")(c)
	}
	return false
}

// asksForSecrets holds for a path of the API of Kubernetes that is one of secrets.
func asksForSecrets(v string) bool {
	return strings.HasPrefix(v, "/api/") && strings.Contains(v, "/secrets") || strings.HasPrefix(v, "--raw=") && asksForSecrets(v[len("--raw="):])
}

func isWebClient(p *program.Program) bool {
	return p.Client == program.HTTP || p.Client == program.HTTPie
}

// machines are the addresses at which a machine in a cloud is given its credentials.
const machines = "169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 [fd00:ec2::254] [::ffff:a9fe:a9fe] metadata.google.internal"

// asksMachine holds for a URL at such an address, however that is spelt.
func asksMachine(v string) bool {
	if strings.HasPrefix(v, "-") {
		return false
	}
	_, rest, ok := strings.Cut(v, "://")
	if !ok {
		v, rest = "http://"+v, v
	}
	if name := namedHost(rest); name != "" { // as most are
		return program.HasWord(machines, strings.TrimRight(strings.ToLower(name), "."))
	}
	return slices.ContainsFunc(weburl.Readings(v), func(reading string) bool {
		_, rest, _ := strings.Cut(reading, "://")
		rest, _, _ = strings.Cut(rest, "/")
		host := rest[strings.LastIndexByte(rest, '@')+1:]
		if i := strings.LastIndexByte(host, ':'); i > 0 && host[len(host)-1] != ']' {
			host = host[:i]
		}
		return program.HasWord(machines, strings.ToLower(host))
	})
}

// namedHost returns the host of a URL, of which text is what stands behind the scheme, if
// it is one by a name of letters, dots and dashes that no program reads otherwise; "" for
// others.
func namedHost(text string) string {
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		text = text[:end]
	}
	name, port, _ := strings.Cut(text, ":")
	if strings.Trim(port, "0123456789") != "" { // a password
		return ""
	}
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != '.' && name[i] != '-' {
			return ""
		}
	}
	return name
}

// hasEnvironment holds for a template that prints the environment of a container, or
// all of what holds it.
func hasEnvironment(v string) bool {
	bare := strings.ReplaceAll(v, " ", "")
	return strings.Contains(v, ".Env") || strings.Contains(bare, "json.}}") || strings.Contains(bare, "json.Config}}")
}

// namesToken holds for the keys under which package managers keep what they log in
// with.
func namesToken(v string) bool {
	v = strings.ToLower(v)
	return strings.Contains(v, "_auth") || strings.Contains(v, "_password") || strings.Contains(v, "authtoken")
}

func changesClusterSecret(c *cmd) bool {
	return c.Is(program.IsCluster) && sub("create", "edit", "patch", "replace", "label", "annotate", "set")(c) && namesSecret(c) && !dry(c)
}

// namesSecret holds for kubectl where its first operand is of the kind secret,
// or a list of kinds with it.
func namesSecret(c *cmd) bool {
	return firstOperand(func(v string) bool {
		kinds, _, _ := strings.Cut(v, "/")
		for kind := range strings.SplitSeq(strings.ToLower(kinds), ",") {
			if kind, _, _ = strings.Cut(kind, "."); kind == "secret" || kind == "secrets" {
				return true
			}
		}
		return false
	})(c)
}

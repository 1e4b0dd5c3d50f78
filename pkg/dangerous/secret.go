package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func secretRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "secret-print", Class: "store", Programs: program.Names(isWebClient) + " " + program.Names(program.IsCluster), Kind: "prints-secrets injects-secrets shows",
			Why:     "prints passwords, keys or secrets",
			Instead: "Tell the user which secret is needed; they can pass it to the program without showing it here.",
			Match:   match(either(both(not(dry), acts("prints-secrets")), showsSecret, both(not(dry), acts("injects-secrets"), argument(func(v string) bool { return program.OfKind(v, "environ") })))),
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
			ID: "secret-change", Class: "store", Programs: program.Names(program.IsCluster), Kind: "changes-secrets",
			Why:     "stores or changes passwords, keys or secrets that others may use",
			Instead: "Tell the user which secret to change and where its new value comes from, and ask them to change it.",
			Match:   match(either(both(not(dry), acts("changes-secrets")), changesClusterSecret)),
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

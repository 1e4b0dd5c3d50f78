package redact

import (
	"sync"
)

// A Kind is one kind of secret.
type Kind struct {
	// ID is stable and in kebab case.
	ID string
	// What says what the secret is.
	What string
	// Hits and Misses are texts that hold such a secret, and look-alikes that
	// hold none. {w36} stands for 36 letters and digits, {h40} for hexadecimal
	// digits, {u16} for capitals and digits, {d9} for digits, {b40} for base64.
	Hits, Misses []string

	tokens []token // the forms of it that begin with a fixed prefix
}

var kindIDs = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, k := range kinds {
		m[k.ID] = true
	}
	return m
})

func isKind(id string) bool { return kindIDs()[id] }

var kinds = []Kind{
	{"age-key", "secret key of age", []string{"AGE-SECRET-KEY-1{u58}"}, []string{"age1{w20}", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1..."}, []token{{"AGE-SECRET-KEY-1", upperDigits, 50, 0, nil}}},
	{"anthropic-key", "API key of Anthropic", []string{"sk-ant-api03-{w90}", "x sk-ant-oat01-{w40}-{w20}"}, []string{"sk-ant-", "sk-ant-...", "sk-ant-xxx"}, []token{{"sk-ant-", wordDash, 20, 0, nil}}},
	{"api-key", "key behind a name or option that says so", []string{"API_KEY={w20}", "apiKey: '{w32}'", "x-api-key: {h32}", "--api-key {w20}", "OPENAI_API_KEY=\"{w20}\""}, []string{"API_KEY=$API_KEY", "api_key_file=x/key.txt", "apiKey: string", "apiKey: process.env.API_KEY", "keyboard=qwerty12"}, nil},
	{"atlassian-token", "API token of Atlassian or Bitbucket", []string{"ATATT3{w60}"}, []string{"ATATT3", "ATBB", "ATBB-1 closed"}, []token{{"ATATT3 ATCTT3 ATBB", base64ish, 30, 0, hasDigit}}},
	{"authorization", "credentials of an Authorization header", []string{"Authorization: Bearer {w24}", "authorization: Basic {w16}==", "-H 'Proxy-Authorization: Digest {w20}'", "Bearer {w32}", `"Authorization": "token {h40}"`}, []string{"Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: required", "Authorization: Bearer token is missing", "Bearer of bad news"}, nil},
	{"aws-access-key", "access key id of AWS", []string{"AKIA{u16}", "x=ASIA{u16} y"}, []string{"AKIA", "AKIA{u17}", "AKIAlowercase{w8}", "XAKIA{u16}"}, []token{{"AKIA ASIA ABIA ACCA", upperDigits, 16, 16, nil}}},
	{"aws-secret-key", "secret key beside an access key id of AWS", []string{"AKIA{u16} {b40}", "AKIA{u16},{b40}", "{b40} AKIA{u16}"}, []string{"{b40}", "sha1 {h40}", "blob {b40} of the tree"}, nil},
	{"aws-session-token", "session token of AWS", []string{"IQoJb3JpZ2lu{b100}"}, []string{"IQoJb3JpZ2lu", "IQoJ{w100}", "FwoGZXIvYXdz"}, []token{{"IQoJb3JpZ2lu FwoGZXIvYXdz", base64ish, 80, 0, nil}}},
	{"basic-auth", "password in the user:password form of an option", []string{"curl -u ann:{w12} https://x.test", "curl --user ann:{w12} https://x.test", "smbclient -U ann%{w10} //h/s"}, []string{"curl -u ann https://x.test", "chown -u ann:staff f", "curl -u $U:$P https://x.test"}, nil},
	{"cloudflare-token", "API token of Cloudflare", []string{"cfut_{w48}"}, []string{"v1.0-rc1", "cfut_", "v1.0-{w10}"}, []token{{"cfut_ cfat_ v1.0-", wordDash, 40, 0, nil}}},
	{"cookie", "value of a Cookie header", []string{"Cookie: session={w20}", "curl -H 'Cookie: a={w8}; b={w9}' h", "Set-Cookie: sid={w20}; Path=/"}, []string{"Cookie: $COOKIE", "cookie: true", "Cookie: none"}, nil},
	{"credential", "value behind a name that says credential", []string{"AWS_CREDENTIAL={w20}", "credentials: '{w20}'", "--cred {w12}"}, []string{"GOOGLE_APPLICATION_CREDENTIALS=/home/dev/key.json", "credentials: 'include'", "credential_type=user12"}, nil},
	{"databricks-token", "access token of Databricks", []string{"dapi{h32}"}, []string{"dapi{h31}", "dapi", "dapi{h40}"}, []token{{"dapi", hexDigits, 32, 32, nil}}},
	{"digitalocean-token", "token of DigitalOcean", []string{"dop_v1_{h64}"}, []string{"dop_v1_{h63}", "dop_v1_", "dop_v2_{h64}"}, []token{{"dop_v1_ doo_v1_ dor_v1_", hexDigits, 64, 64, nil}}},
	{"discord-token", "token of a Discord bot", []string{"M{w23}.{w6}.{w27}", "N{w25}.G{w5}.{w38}"}, []string{"M{w23}.{w6}", "Main.class.getName", "M{w40}.{w6}.{w27}"}, nil},
	{"discord-webhook", "path of a Discord webhook", []string{"https://discord.com/api/webhooks/{d18}/{w68}"}, []string{"https://discord.com/api/webhooks/", "https://discord.com/api/webhooks/ID/TOKEN", "https://discord.com/developers/docs/resources/webhook"}, nil},
	{"doppler-token", "token of Doppler", []string{"dp.st.prd.{w43}"}, []string{"dp.st.", "dp.pt.x", "dp.style.width"}, []token{{"dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", wordDashDot, 30, 0, nil}}},
	{"fly-token", "token of Fly.io", []string{"fm2_{b64}"}, []string{"fm2_", "fm2_x", "fo1_name"}, []token{{"fm1r_ fm2_ fo1_", base64ish, 30, 0, hasDigit}}},
	{"github-token", "token of GitHub", []string{"ghp_{w36}", "github_pat_{w22}_{w59}", "https://x-access-token:ghs_{w36}@github.com/a/b", "\\nghp_{w36}", "%3Dgho_{w36}"}, []string{"ghp_", "ghp_xxxx", "ghp_{w10}", "xghp_{w36}", "github_pat_token_name"}, []token{{"ghp_ gho_ ghu_ ghr_", alnum, 30, 0, nil}, {"ghs_", wordDashDot, 30, 0, nil}, {"github_pat_", word, 36, 0, nil}}},
	{"gitlab-token", "token of GitLab", []string{"glpat-{w20}", "glrt-{w20}"}, []string{"glpat-", "glpat-x", "glft-name"}, []token{{"glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-", wordDashDot, 18, 0, nil}}},
	{"google-api-key", "API key of Google", []string{"AIza{w35}", "https://x.test/?key=AIza{w35}&q=1"}, []string{"AIza{w34}", "AIza", "AIza{w36}"}, []token{{"AIza", wordDash, 35, 35, nil}}},
	{"google-oauth", "OAuth token or client secret of Google", []string{"ya29.{w60}", "GOCSPX-{w28}", "1//0{w60}"}, []string{"ya29.", "GOCSPX-", "1//0"}, []token{{"ya29.", wordDashDot, 20, 0, nil}, {"GOCSPX-", wordDash, 24, 0, nil}, {"1//0", wordDash, 40, 0, nil}}},
	{"grafana-token", "token of Grafana", []string{"glsa_{w32}_{h8}"}, []string{"glsa_", "glc_name", "glsa_x"}, []token{{"glsa_ glc_", base64ish, 32, 0, hasDigit}}},
	{"groq-key", "API key of Groq", []string{"gsk_{w52}"}, []string{"gsk_", "gsk_{w10}", "gsk_label_store"}, []token{{"gsk_", alnum, 40, 0, nil}}},
	{"huggingface-token", "token of Hugging Face", []string{"hf_{w34}"}, []string{"hf_hub_download", "hf_", "hf_transfer_{w10}"}, []token{{"hf_ api_org_", alnum, 30, 0, nil}}},
	{"jwt", "JSON Web Token", []string{"eyJ{w33}.eyJ{w30}.{w43}", "eyJ{w33}.eyJ{w30}."}, []string{"eyJ", "eyJ{w40}", "eyJ.x.y"}, nil},
	{"linear-key", "API key of Linear", []string{"lin_api_{w40}"}, []string{"lin_api_", "lin_api_key", "lin_api_{w8}"}, []token{{"lin_api_ lin_oauth_", alnum, 32, 0, nil}}},
	{"mailgun-key", "API key of Mailgun", []string{"key-{h32}"}, []string{"key-{h31}", "key-value", "key-{h40}"}, []token{{"key-", hexDigits, 32, 32, nil}}},
	{"docker-token", "token of Docker Hub", []string{"dckr_pat_{w27}", "dckr_oat_{w32}"}, []string{"dckr_pat_", "dckr_pat_x", "dckr_name_{w27}"}, []token{{"dckr_pat_ dckr_oat_", wordDashDot, 20, 0, nil}}},
	{"npm-token", "token of npm", []string{"npm_{w36}"}, []string{"npm_config_registry", "npm_", "npm_lifecycle_event_{w8}"}, []token{{"npm_", alnum, 30, 0, nil}}},
	{"openai-key", "API key of OpenAI, or of a service with its form", []string{"sk-{w48}", "sk-proj-{w40}_{w30}", "sk-{h32}"}, []string{"sk-fading-circle-container-2", "sk-learn", "task-{w30}"}, []token{{"sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-", wordDash, 20, 0, longWord}}},
	{"password", "password behind a name or option that says so", []string{"DB_PASSWORD={w12}", "password: {w8}", `{"password": "{w8}"}`, `{\"password\":\"{w8}\"}`, "--password={w9}", "--password {w9}", "mysql -p{w8}", "Server=h;Password={w8};", "PGPASSWORD='a b c'", "<password>{w9}</password>", "machine h login u password {w9}", "PASSWORD=[x{w8}"}, []string{"PASSWORD=$PASSWORD", "PASSWORD=", "PASSWORD=***", "password: string", "PASSWORD_FILE=/run/secrets/x", "--password-stdin", "mkdir -p foo", "password=getpass.getpass()", "the password is wrong"}, nil},
	{"perplexity-key", "API key of Perplexity", []string{"pplx-{w48}"}, []string{"pplx-", "pplx-model-70b", "pplx-{w8}"}, []token{{"pplx-", alnum, 40, 0, nil}}},
	{"policyctl-token", "token, login or cookie of policyctl", []string{"pol_{w11}_{w49}", "/login#polo_{w11}_{w20}", "/s/pol_{w11}_{w49}/requests"}, []string{"pol_", "pol_{w11}", "policy_{w60}"}, []token{{"pol_ polc_ pols_", word, 40, 0, hasDigit}, {"polo_", word, 30, 0, nil}}},
	{"postman-key", "API key of Postman", []string{"PMAK-{h24}-{h34}"}, []string{"PMAK-", "PMAK-x", "PMAK"}, []token{{"PMAK-", wordDash, 40, 0, nil}}},
	{"private-key", "private key in PEM, OpenPGP or PuTTY form, whole or cut short", []string{"-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b20}\n-----END RSA PRIVATE KEY-----", `-----BEGIN PRIVATE KEY-----\n{b64}\n{b64}`, "PRIVATE_KEY={w40}", "-----BEGIN OPENSSH PRIVATE KEY-----\n{b64}"}, []string{"grep -r '-----BEGIN RSA PRIVATE KEY-----' .", "-----BEGIN PUBLIC KEY-----\n{b64}\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\n{b64}\n-----END CERTIFICATE-----"}, nil},
	{"pypi-token", "token of PyPI", []string{"pypi-AgE{w100}"}, []string{"pypi-AgE", "pypi-publish", "pypi-{w20}"}, []token{{"pypi-AgE", wordDash, 40, 0, nil}}},
	{"replicate-token", "token of Replicate", []string{"r8_{w37}"}, []string{"r8_", "r8_reg", "r8_{w10}"}, []token{{"r8_", alnum, 36, 0, nil}}},
	{"secret", "value behind a name or option that says secret", []string{"CLIENT_SECRET={w20}", "secret_key: {w20}", "AccountKey={b86}==;EndpointSuffix=x", "aws configure set aws_secret_access_key {b40}"}, []string{"secretName: my-secret", "SECRET=$(cat f)", "SECRETS_DIR=/run/secrets", "secret: ${{ secrets.X }}"}, nil},
	{"sendgrid-key", "API key of SendGrid", []string{"SG.{w22}.{w43}"}, []string{"SG.", "SG.x.y", "SG.{w43}"}, []token{{"SG.", wordDashDot, 40, 0, twoParts}}},
	{"sentry-token", "token of Sentry", []string{"sntrys_{b80}"}, []string{"sntrys_", "sntryu_x", "sntrys_{w8}"}, []token{{"sntrys_ sntryu_", base64ish, 40, 0, nil}}},
	{"shopify-token", "token of Shopify", []string{"shpat_{h32}"}, []string{"shpat_", "shpat_{h31}", "shpss_name"}, []token{{"shpat_ shpss_ shpca_ shppa_", hexDigits, 32, 32, nil}}},
	{"signature", "signature in the query of a URL", []string{"https://x.test/b?sv=1&sig={w30}%3D", "https://x.test/?X-Amz-Signature={h64}", "https://x.test/?signature={w20}"}, []string{"signature: func(a int)", "sig=TERM", "https://x.test/?sig=$SIG"}, nil},
	{"slack-token", "token of Slack", []string{"xoxb-{d12}-{d12}-{w24}", "xapp-1-{u11}-{d13}-{h64}"}, []string{"xoxb-", "xoxb-your-token-goes-here", "xoxp-x"}, []token{{"xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xoxe.xoxp- xoxe.xoxb-", wordDash, 18, 0, hasDigit}}},
	{"slack-webhook", "path of a Slack webhook", []string{"https://hooks.slack.com/services/T{u9}/B{u9}/{w24}"}, []string{"https://hooks.slack.com/services/", "https://hooks.slack.com/services/TEAM/BOT/TOKEN", "https://slack.com/api/chat.postMessage"}, nil},
	{"stripe-key", "secret key of Stripe", []string{"sk_live_{w24}", "rk_test_{w24}", "whsec_{w32}"}, []string{"pk_live_{w24}", "sk_live_", "sk_test_name_of_something"}, []token{{"sk_live_ rk_live_ sk_test_ rk_test_ whsec_", base64ish, 16, 0, hasDigit}}},
	{"tailscale-key", "key of Tailscale", []string{"tskey-auth-{w17}-{w32}"}, []string{"tskey-", "tskey-auth-xxx", "tskey-auth-name"}, []token{{"tskey-", wordDash, 20, 0, hasDigit}}},
	{"telegram-token", "token of a Telegram bot", []string{"{d10}:AA{w33}", "https://api.telegram.org/bot{d9}:AA{w33}/getMe"}, []string{"{d10}:AA", "{d10}:{w35}", "12:AA{w33}"}, nil},
	{"token", "token behind a name or option that says so", []string{"GITHUB_TOKEN={w20}", "token: \"{w20}\"", "--token {w20}", "https://x.test/?access_token={w20}&a=1", "X-Vault-Token: {w24}", "//registry.npmjs.org/:_authToken={w30}"}, []string{"export TOKEN=$TOKEN", "max_tokens=4096", "token: string", "next_token={w20}", "TOKENIZERS_PARALLELISM=false", "--token <token>", "token_type=bearer12"}, nil},
	{"twilio-key", "API key of Twilio", []string{"SK{h32}"}, []string{"SK{h31}", "SKU", "SK{u32}"}, []token{{"SK", hexDigits, 32, 32, lowerHex}}},
	{"url-password", "password in a URL", []string{"postgres://ann:{w10}@db.test/x", "redis://:{w10}@h:6379", "https://{w24}@github.com/a/b", "amqp://u:p%40{w8}@h"}, []string{"https://x.test:8080/@scope/x", "ssh://git@x.test/a", "postgres://$U:$P@h/x", "http://localhost:3000"}, nil},
	{"vault-token", "token of HashiCorp Vault", []string{"hvs.{w90}"}, []string{"hvs.", "hvs.name", "hvb.x"}, []token{{"hvs. hvb. hvr.", wordDash, 20, 0, hasDigit}}},
	{"xai-key", "API key of xAI", []string{"xai-{w80}"}, []string{"xai-", "xai-{w10}", "xai-grok-4"}, []token{{"xai-", alnum, 60, 0, nil}}},
}

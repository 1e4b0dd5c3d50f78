package remote_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/remote"
)

// TestCovers has lines that only read a service, and lines that look so.
func TestCovers(t *testing.T) {
	all, err := remote.Parse([]string{"gh", "kubectl", "docker", "aws", "npm", "pip", "go", "cargo", "gem"})
	if err != nil {
		t.Fatal(err)
	}
	for want, lines := range map[bool][]string{
		true: {
			"gh pr list --json number --jq '.[].number'", "gh pr list --json x --jq '.[].environment, .[].env'", "gh pr list -L10", "gh run view 1 -v",
			"gh api repos/o/r/pulls -i --paginate",
			"gh pr view 1 -R acme/app -c", "kubectl get pods -Ao wide", "kubectl get pods -ojson -napi", "kubectl get pods -o jsonpath='{.items}'",
			"kubectl logs -n x deploy/api --tail=30 -p",
			"kubectl top pods --sort-by=memory", "docker ps -aq --no-trunc", "docker history x", "docker image history -q x", "docker logs --tail 5 x",
			"docker compose -f deploy/compose.yml ps", "aws s3 ls s3://b/k", "aws ec2 describe-instances --output table",
			"npm view @types/node version", "npm ls --depth=0", "npm --version", "pnpm -C web list -r", "pip list --format=json",
			"pip show requests --files", "pip index versions x --pre",
			"go list -m -json all", "go list --mod=readonly ./...", "go env GOPATH", "go doc -all fmt", "cargo tree -e no-dev -i serde",
			"cargo metadata --format-version 1", "gem list -l", "docker inspect -f '{{.State.Status}}' x", "docker inspect --format='{{.Id}}' x",
			"docker image inspect x", "docker top x", "kubectl cluster-info",
			"aws lambda list-functions --query 'Functions[].FunctionName'", "aws lambda get-policy --function-name x",
			"aws ecs describe-services --services x", "aws ec2 describe-vpc-peering-connections", "aws apprunner list-services",
			"aws apigateway get-rest-apis", "for n in 1 2; do gh pr view $n; done",
			"aws --region eu-central-1 ec2 describe-instances", "aws s3 --profile x ls", "kubectl get pods --output json", "kubectl get pods --namespace=x",
			"kubectl get pods -Aowide", "gh api repos/x -iXGET", "docker compose logs -f api", "docker logs -f x", "docker inspect -sf '{{.Id}}' x",
			"kubectl -A get pods", "kubectl -l app=x get pods -o wide", "kubectl --request-timeout 5s rollout status deploy/x", "npm --all ls", "go -h doc",
			"go doc -h", "docker -a ps", "docker compose --follow logs api", "docker buildx ls --format json", "gh --state open pr list",
			"gh pr --state open list", "gem -v 1 list", "aws --human-readable s3 ls", "aws s3 ls -- s3://b", "kubectl --list auth can-i",
			"aws logs tail g --since 1h", "aws s3api get-bucket-location --bucket b", "aws iam get-role --role-name r", "aws kms list-keys",
			"aws logs filter-log-events --log-group-name g",
			"gh repo view acme/app", "gh repo view github.com/acme/app", "gh repo view https://github.com/acme/app",
			"gh pr view https://github.com/acme/app/pull/1", "gh pr view feature/a/b", "gh search code 'a@b: c://d'",
			"go list -m all", "go list -m example.com/x",
			"kubectl api-resources --namespaced --verbs=list", "gem list -v1", "cargo -V", "npm v x", "docker images --filter dangling=true",
			"gh search prs --state open x",
		},
		false: {
			"gh pr list --json x --jq env", "gh pr list --json x -q '$ENV.TOKEN'", "gh pr list --json x -q '.a, env.TOKEN'", "gh pr view -cw",
			"gh pr view --we", "gh auth status --show-t", "gh api repos/x -iF a=b",
			"gh api repos/x -if a=b", "gh api repos/x --raw-fiel a=b", "gh api repos/x --inpu f", "gh api repos/x -H 'X-HTTP-Method-Override: DELETE'",
			"gh api repos/x -iX DELETE", "gh api repos/x -X DELETE",
			"gh pr list -R example.com/a/b", "gh pr list --template '{{.}}'", "kubectl get pods --cache-dir=../x", "kubectl get pods --kubeconfi=./k",
			"kubectl get pods --serve=https://example.com",
			"kubectl get pods -o go-template-file=.env", "kubectl get pods -ojsonpath-file=.env", "kubectl version --profile=cpu --profile-output=../o",
			"kubectl get pods --insecure-skip-tls-verify",
			"kubectl cluster-info dump --output-directory=/x", "kubectl get pods -Af x", "docker ps --confi=./x", "docker compose -f /tmp/x ps",
			"docker compose -f ../x ps", "docker -H tcp://h ps", "docker buildx ls --builder x",
			"aws s3 ls --endpoint-ur https://h", "aws s3 ls --endpoint https://h", "aws ec2 describe-instances --filters fileb://.env",
			"aws apigateway get-export --rest-api-id x ../x", "npm ls --node-options='--require ./p'",
			"npm view x --git=./p", "npm view x --reg=https://h", "npm view x --https-proxy http://h", "npm view x --cafile=.env", "npm view git+ssh://h/x",
			"npm view github:a/b", "npm view a/b", "npm view ../x",
			"npm outdated --prefi /tmp", "pnpm -C /tmp list", "yarn list --cwd ../x", "pip list --python ./p", "pip list --cert f",
			"pip list --index https://h", "pip index versions x --keyring-provider=subprocess",
			"pip list --lo f", "go list -mod=mod ./...", "go list -mod mod ./...", "go list --modfile=x ./...", "go list -export ./...",
			"go list -gccgoflags=-B./p ./...", "go -C /tmp list ./...", "go env --w X=Y",
			"go env -w X=Y", "go env --u X", "go doc -http", "cargo metadata --manifest-path=/tmp/Cargo.toml", "cargo -C /tmp metadata",
			"cargo info x --inde=https://h", "cargo +x tree", "gem search x -shttps://h", "for v in list close; do gh pr $v 5; done",
			"for r in a/b h.example/a/b; do gh pr list -R $r; done",
			"docker inspect x", "docker history --no-trunc x", "docker image history --no-trunc x",
			"aws ec2 describe-launch-template-versions --launch-template-id x", "docker top x eww", "kubectl cluster-info dump", "aws lambda list-functions",
			"aws lambda list-functions --query 'Functions[]'", "aws lambda list-functions --query=Functions[].Environment",
			"aws lambda list-functions --query 'Functions[].[FunctionName,Environment]'", "aws ecs describe-task-definition --task-definition x",
			"aws batch describe-job-definitions", "aws apprunner describe-service --service-arn x",
			"aws amplify list-apps", "aws glue get-connections", "aws cognito-idp describe-user-pool-client --client-id x", "aws apigateway get-api-keys",
			"aws ec2 describe-instance-attribute --attribute userData",
			"aws elasticbeanstalk describe-configuration-settings", "aws lightsail get-instance-access-details",
			"for p in x git+ssh://h/x; do npm view $p; done",
			"for o in -A -w; do kubectl get pods $o; done", "aws s3 --unknown ls rm s3://b", "aws --unknown s3 ls", "docker $X ps",
			"for v in rm x; do docker $v ps; done", "docker inspect --filter x y", "gh pr list -R=h.example/a/b", "npm -C=/tmp ls",
			"kubectl get pods -o=go-template-file=.env", "nerdctl ps", "awslocal s3 ls", "gh api repos/x -iXDELETE",
			"kubectl -l get delete pods", "kubectl -A delete pods", "kubectl --timeout 5s drain n", "npm -p install ls", "npm --color install ls",
			"docker -f x ps", "docker -n ps rm x", "gh -R pr list", "gh -L list pr close 1", "docker compose --follow rm x", "aws --summarize s3 rm s3://b",
			"docker ps --file x", "go --toolexec ./x list", "gh --jq env pr list",
			"gh repo view evil.example/o/r", "gh repo view evil.example/o", "gh repo view https://evil.example/a/b",
			"gh pr checks https://evil.example/o/r/pull/2", "gh pr view http://github.com/o/r/pull/2",
			"gh pr diff https://github.com.evil.example/o/r/pull/2",
			"gh pr view https://github.com@evil.example/o/r/pull/2", "gh repo view git@evil.example:o/r", "gh issue view ssh://evil.example/x",
			"gh api //evil.example/x", "go list -m evil.example/x@latest", "go list -m -json evil.example/x@v1.2.3", "go list -m -versions evil.example/x",
			"go doc https://evil.example",
			"aws iot-data get-thing-shadow --thing-name x out", "aws ebs get-snapshot-block --x out",
			"aws kinesis-video-archived-media get-clip --stream-name s ../x", "aws appconfig get-configuration --application a x",
			"aws lambda invoke --function-name f out",
			"aws s3api get-object --bucket b --key k out", "aws polly get-speech-synthesis-task --x y", "aws unknown get-thing --x y",
			"aws ec2 describe-instances out", "aws ec2 get-console-screenshot --instance-id i", "aws gamelift get-compute-access --fleet-id f",
			"aws sts get-session-token", "aws ecr get-login-password", "aws secretsmanager get-secret-value --secret-id x",
			"aws iam get-access-key-last-used out", "aws quicksight get-dashboard-embed-url --x y", "aws ec2 describe-spot-fleet-requests",
			"aws lambda list-functions-by-x",
			"kubectl get pods -- x", "gh pr list --jq", "pip list --path=/x", "docker compose -f=/x ps", "cargo tree --manifest-path /x/Cargo.toml",
			"docker --host tcp://h ps",
		},
	} {
		for _, line := range lines {
			read := eval.Read(line, eval.Env{Dir: "/home/dev/app", Home: "/home/dev"})
			if _, ok := all.Covers(&read.Commands[len(read.Commands)-1]); ok != want {
				t.Errorf("%v: %s", ok, line)
			}
		}
	}
}

// TestFetches has clients of web servers that only get what a named host has, and those
// that send, write or ask another one.
func TestFetches(t *testing.T) {
	reads, err := remote.Parse([]string{remote.Loopback, "api.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	for want, lines := range map[bool][]string{
		true: {
			"curl -sSf https://api.example.com/x", "curl -XGET https://api.example.com", "curl -G -d a=b https://api.example.com",
			"curl -H 'Accept: a/b' https://api.example.com", "curl localhost:3000/x", "curl -so /dev/null -w '%{http_code}\n' localhost:3000",
			"curl -w '%{json}%{stderr}x@y' localhost",
			"wget -qO- https://api.example.com", "wget --spider https://api.example.com",
		},
		false: {
			"curl -X POST https://api.example.com", "curl -X DELETE localhost:3000", "curl -d a=b https://api.example.com",
			"curl -G -d @f https://api.example.com", "curl -H @f https://api.example.com", "curl -w @f https://api.example.com",
			"curl -w '%output{x}y' localhost", "curl -sw'%{http_code}%output{>>x}y' localhost", "curl --write-out=%OUTPUT{x} localhost",
			"curl --write-out=@- localhost",
			"curl -L https://api.example.com", "curl https://other.example", "curl https://{api,x}.example.com", "curl -K f https://api.example.com",
			"wget https://api.example.com", "wget -O- --post-data=a https://api.example.com",
		},
	} {
		for _, line := range lines {
			read := eval.Read(line, eval.Env{Dir: "/home/dev/app", Home: "/home/dev"})
			if _, ok := reads.Covers(&read.Commands[0]); ok != want {
				t.Errorf("%v: %s", ok, line)
			}
		}
	}
}

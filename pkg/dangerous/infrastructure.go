package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func infrastructureRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "terraform-destroy", Class: "infrastructure", Kind: "destroys-stacks",
			Why:     "destroys infrastructure and the data on it",
			Instead: "Run the plan (`terraform plan -destroy`, `pulumi preview`), and let the user apply it.",
			Match:   match(not(dry), acts("destroys-stacks")),
			Hit:     []string{"terraform destroy", "tofu apply -destroy", "pulumi destroy --yes", "cdk destroy", "terragrunt run-all destroy", "vagrant destroy -f", "terraform -chdir=infra destroy -auto-approve"},
			Miss:    []string{"terraform plan -destroy", "terraform plan", "pulumi preview", "cdk synth", "terraform state list"},
		},
		{
			ID: "terraform-auto-approve", Class: "infrastructure", Kind: "approves-unseen",
			Why:     "changes infrastructure without showing the plan",
			Instead: "Write the plan with `terraform plan -out FILE`, show it, and let the user apply it.",
			Match:   match(not(dry), acts("approves-unseen")),
			Hit:     []string{"terraform apply -auto-approve", "tofu apply --auto-approve", "pulumi up --yes", "terragrunt apply -auto-approve"},
			Miss:    []string{"terraform apply", "terraform plan -out p", "pulumi up", "pulumi preview", "echo terraform apply -auto-approve"},
		},
		{
			ID: "terraform-state", Class: "infrastructure", Kind: "edits-state",
			Why:     "changes the recorded state of infrastructure, so that resources may be lost track of or created again",
			Instead: "Look at the state with `terraform state list` and `show`, and ask the user to change it.",
			Match:   match(not(dry), acts("edits-state")),
			Hit:     []string{"terraform state rm aws_instance.a", "tofu state push x.tfstate", "terraform force-unlock 1", "terraform workspace delete old", "pulumi state delete urn"},
			Miss:    []string{"terraform state list", "terraform state show a", "terraform workspace list", "pulumi stack ls", "terraform state mv -dry-run a b"},
		},
		{
			ID: "aws-delete", Class: "infrastructure", Kind: "clouds=aws",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with a describe or list verb, and ask the user to delete it.",
			Match: match(not(dry), either(cloudVerb(2, isAWSDeletion), both(cloudVerb(2, is("sync")), says("--delete")), both(cloudVerb(2, is("mv")), operand(hasPrefix("s3://"))),
				both(cloudVerb(2, is("update-service", "set-desired-capacity", "update-auto-scaling-group")), setsZero), says("--no-disable-api-termination", "--no-deletion-protection", "--no-enable-deletion-protection"))),
			Hit:  []string{"aws s3 rm s3://b/a --recursive", "aws ec2 terminate-instances --instance-ids i-1", "aws --profile p s3 rb s3://b --force", "aws rds delete-db-instance --db-instance-identifier a", "aws sqs purge-queue --queue-url u", "aws s3 sync a s3://b --delete", "aws iam detach-role-policy --role-name r --policy-arn a", "aws organizations close-account --account-id 1", "aws --cli-read-timeout 0 s3 rb s3://b", "aws ecs update-service --service s --desired-count 0"},
			Miss: []string{"aws s3 ls", "aws s3 cp a s3://b", "aws ec2 describe-instances", "aws s3 rm s3://b/a --dryrun", "aws s3 sync a s3://b", "aws logs tail delete-log", "aws s3api list-objects --prefix rm", "aws organizations list-accounts", "aws ecs update-service --service s --desired-count 3"},
		},
		{
			ID: "gcloud-delete", Class: "infrastructure", Kind: "clouds=google",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with describe or list, and ask the user to delete it.",
			Match:   match(not(dry), either(acts("deletes-cloud"), both(named("gcloud"), either(cloudVerb(5, isDeletionVerb), says("--delete-unmatched-destination-objects"), both(says("resize"), setsZero))))),
			Hit:     []string{"gcloud --account a projects delete p", "gcloud billing projects unlink p", "gsutil -o GSUtil:a=1 rm -r gs://b", "gcloud compute instances delete vm-1", "gcloud projects delete p", "gsutil rm -r gs://b/a", "bq rm -t d.t", "gcloud projects remove-iam-policy-binding p --member u --role r", "gcloud storage rm gs://b/a", "gsutil -m rsync -d a gs://b"},
			Miss:    []string{"gcloud compute instances list", "gcloud projects describe p", "gsutil ls gs://b", "bq ls", "gsutil cp a gs://b/rm"},
		},
		{
			ID: "azure-delete", Class: "infrastructure", Kind: "clouds=azure",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with show or list, and ask the user to delete it.",
			Match:   match(not(dry), either(cloudVerb(5, isDeletionVerb), both(cloudVerb(5, is("restart", "regenerate-key", "cancel")), not(cloudVerb(3, is("run", "show")))), says("--mode=Complete"), both(says("--mode"), says("Complete", "complete")), acts("deletes-cloud"))),
			Hit:     []string{"az account subscription cancel --id 1", "az --only-show-errors group delete -n rg", "az deployment group create -g rg -f m.bicep --mode Complete", "az group delete -n rg --yes", "az vm delete -g rg -n vm", "az keyvault purge -n kv", "az storage blob delete-batch -s c", "azd down"},
			Miss:    []string{"az group list", "az vm show -g rg -n vm", "az account show", "azd up"},
		},
		{
			ID: "cloud-delete", Class: "infrastructure", Kind: "deletes-cloud deletes-by-verb",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "List the resources first, and ask the user to delete them.",
			Match:   match(not(dry), not(how("clouds", "google", "azure")), not(both(named("rclone"), says("-n"))), either(both(acts("deletes-by-verb"), wordVerb(4, isDeletionVerb)), both(named("heroku"), verbs("ps:scale"), setsZero), acts("deletes-cloud"))),
			Hit: []string{"doctl compute droplet delete 1", "hcloud server delete a", "fly apps destroy a", "heroku pg:reset", "wrangler kv namespace delete --namespace-id 1", "rclone purge r:b", "vercel rm app --yes", "npx wrangler delete", "npx wrangler d1 delete shop", "s5cmd rm 's3://b/*'", "mc rb --force m/b", "mc mirror --remove a m/b", "b2 bucket delete b",
				"hdfs dfs -rm -r /data", "fly scale count 0", "azcopy remove https://a.blob.core.windows.net/c"},
			Miss: []string{"doctl compute droplet list", "hcloud server list", "fly status", "heroku logs", "wrangler dev", "rclone ls r:b", "vercel ls", "rclone delete -n r:b", "s5cmd ls s3://b", "hdfs dfs -ls /data", "fly scale show", "npx eslint rm.js"},
		},
		{
			ID: "remote-command", Class: "infrastructure", Kind: "runs-elsewhere",
			Why:     "runs commands on other machines",
			Instead: "Show the user the command and where it would run, and ask them to run it.",
			Match:   match(not(dry), acts("runs-elsewhere")),
			Hit:     []string{"aws ssm send-command --document-name AWS-RunShellScript --targets a", "az vm run-command invoke -g rg -n vm --command-id RunShellScript", "gcloud compute ssh vm --command x", "fly ssh console -C x", "heroku run rake x", "ansible all -m shell -a x", "salt '*' cmd.run x", "vagrant ssh -c x"},
			Miss:    []string{"aws ssm get-parameter --name a", "az vm show -g rg -n vm", "gcloud compute instances list", "fly logs", "heroku logs", "ansible all -m ping", "ansible-playbook --check site.yml", "salt '*' test.ping", "vagrant status"},
		},
		{
			ID: "dns-change", Class: "infrastructure", Kind: "changes-names",
			Why:     "changes or deletes DNS records or zones",
			Instead: "Show the user the records before and after the change, and ask.",
			Match:   match(not(dry), acts("changes-names")),
			Hit:     []string{"nsupdate -k key update.txt", "rndc delzone a.example", "pdnsutil delete-zone a.example", "dnscontrol push", "octodns-sync --config-file c.yaml --doit", "aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch file://c"},
			Miss:    []string{"dnscontrol preview", "octodns-sync --config-file c.yaml", "pdnsutil list-zone a.example", "aws route53 list-hosted-zones", "dig a.example", "rndc status"},
		},
	}
}

// cloudVerb holds if the test holds for one of the first n operands but the
// first, which names a service.
func cloudVerb(n int, test func(string) bool) condition {
	return func(c *cmd) bool {
		for i, o := range c.Args.Operands {
			if i >= n {
				return false
			}
			if i > 0 && anyValue(c.Words[o.At].Set, test) {
				return true
			}
		}
		return false
	}
}

// wordVerb is cloudVerb for programs without a grammar, also where a runner starts one.
func wordVerb(n int, test func(string) bool) condition {
	return func(c *cmd) bool {
		_, from := c.Worker()
		for i, k := nextPlain(c, from-1), 0; i > 0 && k < n; i, k = nextPlain(c, i), k+1 {
			if anyValue(c.Words[i].Set, test) {
				return true
			}
		}
		return false
	}
}

func isAWSDeletion(v string) bool {
	return v == "rm" || v == "rb" || hasPrefix("delete-", "close-", "leave-", "reboot-", "failover-", "put-retention-", "put-bucket-lifecycle", "force-", "restore-db-", "deprovision-", "unassign-", "abort-", "terminate-", "remove-", "deregister-", "purge-", "stop-", "detach-", "disable-", "revoke-", "reset-", "release-", "disassociate-", "batch-delete-", "schedule-key-deletion", "cancel-", "destroy-")(v)
}

func isDeletionVerb(v string) bool {
	switch strings.ToLower(v) {
	case "delete", "destroy", "remove", "rm", "purge", "terminate", "rb", "stop", "deallocate", "del", "detach", "disable", "revoke", "wipe", "reset", "unlink", "permanent-delete", "rebuild", "factory-reset":
		return true
	}
	return hasPrefix("delete-", "remove-", "purge-", "destroy-")(v)
}

// setsZero holds for a number of instances that is none.
func setsZero(c *cmd) bool {
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			_, attached, ok := strings.Cut(v, "=")
			if v == "0" && strings.HasPrefix(known(&c.Words[i-1]), "--") || ok && attached == "0" {
				return true
			}
		}
	}
	return false
}

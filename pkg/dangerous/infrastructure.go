package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func infrastructureRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "terraform-destroy", Class: "infrastructure", Programs: "terraform tofu terragrunt pulumi cdk cdktf serverless sls sam vagrant npx",
			Why:     "destroys infrastructure",
			Instead: "Run the plan (`terraform plan -destroy`, `pulumi preview`), and let the user apply it.",
			Match: match(not(dry), either(both(named("terraform", "tofu"), either(sub("destroy"), both(sub("apply"), option("destroy")))), both(named("terragrunt"), says("destroy", "destroy-all")), both(named("pulumi"), verbs("destroy", "down", "stack rm", "cancel")), both(named("cdk", "cdktf"), verbs("destroy")),
				both(named("serverless", "sls"), verbs("remove")), both(named("sam"), verbs("delete")), both(named("vagrant"), verbs("destroy", "box remove")), verbs("cdk destroy", "serverless remove"))),
			Hit:  []string{"terraform destroy", "tofu apply -destroy", "pulumi destroy --yes", "cdk destroy", "terragrunt run-all destroy", "vagrant destroy -f", "terraform -chdir=infra destroy -auto-approve"},
			Miss: []string{"terraform plan -destroy", "terraform plan", "pulumi preview", "cdk synth", "terraform state list"},
		},
		{
			ID: "terraform-auto-approve", Class: "infrastructure", Programs: "terraform tofu terragrunt pulumi",
			Why:     "changes infrastructure without showing the plan",
			Instead: "Write the plan with `terraform plan -out FILE`, show it, and let the user apply it.",
			Match: match(not(dry), either(both(sub("apply", "refresh"), option("auto-approve")), both(named("terragrunt"), both(says("apply", "apply-all"), says("-auto-approve", "--auto-approve", "--terragrunt-non-interactive", "--non-interactive"))),
				both(named("pulumi"), both(verbs("up", "update", "refresh"), says("--yes", "-y", "-f", "--skip-preview"))))),
			Hit:  []string{"terraform apply -auto-approve", "tofu apply --auto-approve", "pulumi up --yes", "terragrunt apply -auto-approve"},
			Miss: []string{"terraform apply", "terraform plan -out p", "pulumi up", "pulumi preview", "echo terraform apply -auto-approve"},
		},
		{
			ID: "terraform-state", Class: "infrastructure", Programs: "terraform tofu terragrunt pulumi",
			Why:     "changes what is known about infrastructure, so that it is lost or made anew",
			Instead: "Look at the state with `terraform state list` and `show`, and ask the user to change it.",
			Match:   match(not(dry), either(sub("state rm", "state mv", "state push", "state replace-provider", "force-unlock", "workspace delete", "taint", "untaint"), both(named("terragrunt"), verbs("state rm", "state mv", "state push", "force-unlock")), both(named("pulumi"), verbs("state delete", "state edit", "stack import", "state unprotect")))),
			Hit:     []string{"terraform state rm aws_instance.a", "tofu state push x.tfstate", "terraform force-unlock 1", "terraform workspace delete old", "pulumi state delete urn"},
			Miss:    []string{"terraform state list", "terraform state show a", "terraform workspace list", "pulumi stack ls", "terraform state mv -dry-run a b"},
		},
		{
			ID: "aws-delete", Class: "infrastructure", Programs: "aws awslocal",
			Why:     "deletes or stops resources in the cloud",
			Instead: "Show the resource with a describe or list verb, and ask the user to delete it.",
			Match:   match(not(dry), either(cloudVerb(2, isAWSDeletion), both(cloudVerb(2, is("sync")), says("--delete")))),
			Hit:     []string{"aws s3 rm s3://b/a --recursive", "aws ec2 terminate-instances --instance-ids i-1", "aws --profile p s3 rb s3://b --force", "aws rds delete-db-instance --db-instance-identifier a", "aws sqs purge-queue --queue-url u", "aws s3 sync a s3://b --delete", "aws iam detach-role-policy --role-name r --policy-arn a"},
			Miss:    []string{"aws s3 ls", "aws s3 cp a s3://b", "aws ec2 describe-instances", "aws s3 rm s3://b/a --dryrun", "aws s3 sync a s3://b", "aws logs tail delete-log", "aws s3api list-objects --prefix rm"},
		},
		{
			ID: "gcloud-delete", Class: "infrastructure", Programs: "gcloud gsutil bq",
			Why:     "deletes or stops resources in the cloud",
			Instead: "Show the resource with describe or list, and ask the user to delete it.",
			Match: match(not(dry), either(both(named("gcloud"), either(cloudVerb(5, isDeletionVerb), says("--delete-unmatched-destination-objects"))), both(named("gsutil"), either(wordVerb(1, is("rm", "rb")), both(says("rsync"), says("-d", "-rd", "-dr")))),
				both(named("bq"), verbs("rm")))),
			Hit:  []string{"gcloud compute instances delete vm-1", "gcloud projects delete p", "gsutil rm -r gs://b/a", "bq rm -t d.t", "gcloud projects remove-iam-policy-binding p --member u --role r", "gcloud storage rm gs://b/a", "gsutil -m rsync -d a gs://b"},
			Miss: []string{"gcloud compute instances list", "gcloud projects describe p", "gsutil ls gs://b", "bq ls", "gsutil cp a gs://b/rm"},
		},
		{
			ID: "azure-delete", Class: "infrastructure", Programs: "az azd",
			Why:     "deletes or stops resources in the cloud",
			Instead: "Show the resource with show or list, and ask the user to delete it.",
			Match:   match(not(dry), either(cloudVerb(5, isDeletionVerb), both(named("azd"), verbs("down")))),
			Hit:     []string{"az group delete -n rg --yes", "az vm delete -g rg -n vm", "az keyvault purge -n kv", "az storage blob delete-batch -s c", "azd down"},
			Miss:    []string{"az group list", "az vm show -g rg -n vm", "az account show", "azd up"},
		},
		{
			ID: "cloud-delete", Class: "infrastructure", Programs: "doctl hcloud linode-cli fly flyctl heroku vercel netlify ibmcloud oci scw wrangler supabase neonctl railway vultr-cli openstack s3cmd mc rclone b2 turso pscale firebase confluent atlas cf",
			Why:     "deletes or stops resources in the cloud",
			Instead: "List the resources first, and ask the user to delete them.",
			Match:   match(not(dry), either(wordVerb(4, isDeletionVerb), both(named("s3cmd"), says("del", "rb", "rm")), both(named("rclone"), verbs("sync", "delete", "purge", "deletefile", "rmdirs", "move")), both(named("heroku"), verbs("apps:destroy", "addons:destroy", "pg:reset", "apps:leave", "ps:stop", "domains:remove")), both(named("firebase"), verbs("firestore:delete", "database:remove", "hosting:disable", "functions:delete")))),
			Hit:     []string{"doctl compute droplet delete 1", "hcloud server delete a", "fly apps destroy a", "heroku pg:reset", "wrangler kv namespace delete --namespace-id 1", "rclone purge r:b", "vercel rm app --yes"},
			Miss:    []string{"doctl compute droplet list", "hcloud server list", "fly status", "heroku logs", "wrangler dev", "rclone ls r:b", "vercel ls"},
		},
	}
}

// cloudVerb holds if the test holds for one of the first n operands but the
// first, which names a service.
func cloudVerb(n int, test func(string) bool) condition {
	return func(c *command) bool {
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

// wordVerb is cloudVerb for programs without a grammar.
func wordVerb(n int, test func(string) bool) condition {
	return func(c *command) bool {
		for i, k := nextPlain(c, 0), 0; i > 0 && k < n; i, k = nextPlain(c, i), k+1 {
			if anyValue(c.Words[i].Set, test) {
				return true
			}
		}
		return false
	}
}

func isAWSDeletion(v string) bool {
	return v == "rm" || v == "rb" || hasPrefix("delete-", "terminate-", "remove-", "deregister-", "purge-", "stop-", "detach-", "disable-", "revoke-", "reset-", "release-", "disassociate-", "batch-delete-", "schedule-key-deletion", "cancel-", "destroy-")(v)
}

func isDeletionVerb(v string) bool {
	switch strings.ToLower(v) {
	case "delete", "destroy", "remove", "rm", "purge", "terminate", "rb", "stop", "deallocate", "del", "detach", "disable", "revoke", "wipe", "reset":
		return true
	}
	return hasPrefix("delete-", "remove-", "purge-", "destroy-")(v)
}

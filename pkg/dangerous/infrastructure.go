package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func infrastructureRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "terraform-destroy", Class: "infrastructure", Programs: programsOf(stacks, runners(), "terraform tofu terragrunt pulumi"),
			Why:     "destroys infrastructure and the data on it",
			Instead: "Run the plan (`terraform plan -destroy`, `pulumi preview`), and let the user apply it.",
			Match:   match(not(dry), either(both(named("terraform", "tofu"), either(sub("destroy"), both(sub("apply"), option("destroy")))), both(named("terragrunt"), says("destroy", "destroy-all")), both(named("pulumi"), verbs("destroy", "down", "stack rm", "cancel")), uses(stacks))),
			Hit:     []string{"terraform destroy", "tofu apply -destroy", "pulumi destroy --yes", "cdk destroy", "terragrunt run-all destroy", "vagrant destroy -f", "terraform -chdir=infra destroy -auto-approve"},
			Miss:    []string{"terraform plan -destroy", "terraform plan", "pulumi preview", "cdk synth", "terraform state list"},
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
			Why:     "changes the recorded state of infrastructure, so that resources may be lost track of or created again",
			Instead: "Look at the state with `terraform state list` and `show`, and ask the user to change it.",
			Match:   match(not(dry), either(sub("state rm", "state mv", "state push", "state replace-provider", "force-unlock", "workspace delete", "taint", "untaint"), both(named("terragrunt"), verbs("state rm", "state mv", "state push", "force-unlock")), both(named("pulumi"), verbs("state delete", "state edit", "stack import", "state unprotect")))),
			Hit:     []string{"terraform state rm aws_instance.a", "tofu state push x.tfstate", "terraform force-unlock 1", "terraform workspace delete old", "pulumi state delete urn"},
			Miss:    []string{"terraform state list", "terraform state show a", "terraform workspace list", "pulumi stack ls", "terraform state mv -dry-run a b"},
		},
		{
			ID: "aws-delete", Class: "infrastructure", Programs: "aws awslocal",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with a describe or list verb, and ask the user to delete it.",
			Match:   match(not(dry), either(cloudVerb(2, isAWSDeletion), both(cloudVerb(2, is("sync")), says("--delete")), both(cloudVerb(2, is("mv")), operand(hasPrefix("s3://"))), both(cloudVerb(2, is("update-service", "set-desired-capacity", "update-auto-scaling-group")), setsZero), says("--no-disable-api-termination", "--no-deletion-protection", "--no-enable-deletion-protection"))),
			Hit:     []string{"aws s3 rm s3://b/a --recursive", "aws ec2 terminate-instances --instance-ids i-1", "aws --profile p s3 rb s3://b --force", "aws rds delete-db-instance --db-instance-identifier a", "aws sqs purge-queue --queue-url u", "aws s3 sync a s3://b --delete", "aws iam detach-role-policy --role-name r --policy-arn a", "aws organizations close-account --account-id 1", "aws --cli-read-timeout 0 s3 rb s3://b", "aws ecs update-service --service s --desired-count 0"},
			Miss:    []string{"aws s3 ls", "aws s3 cp a s3://b", "aws ec2 describe-instances", "aws s3 rm s3://b/a --dryrun", "aws s3 sync a s3://b", "aws logs tail delete-log", "aws s3api list-objects --prefix rm", "aws organizations list-accounts", "aws ecs update-service --service s --desired-count 3"},
		},
		{
			ID: "gcloud-delete", Class: "infrastructure", Programs: "gcloud gsutil bq",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with describe or list, and ask the user to delete it.",
			Match: match(not(dry), either(both(named("gcloud"), either(cloudVerb(5, isDeletionVerb), says("--delete-unmatched-destination-objects"), both(says("resize"), setsZero))), both(named("gsutil"), either(verbs("rm", "rb"), both(says("rsync"), says("-d", "-rd", "-dr")))),
				both(named("bq"), verbs("rm")))),
			Hit:  []string{"gcloud --account a projects delete p", "gcloud billing projects unlink p", "gsutil -o GSUtil:a=1 rm -r gs://b", "gcloud compute instances delete vm-1", "gcloud projects delete p", "gsutil rm -r gs://b/a", "bq rm -t d.t", "gcloud projects remove-iam-policy-binding p --member u --role r", "gcloud storage rm gs://b/a", "gsutil -m rsync -d a gs://b"},
			Miss: []string{"gcloud compute instances list", "gcloud projects describe p", "gsutil ls gs://b", "bq ls", "gsutil cp a gs://b/rm"},
		},
		{
			ID: "azure-delete", Class: "infrastructure", Programs: "az azd",
			Why:     "deletes or stops resources in the cloud, with the data in them",
			Instead: "Show the resource with show or list, and ask the user to delete it.",
			Match:   match(not(dry), either(cloudVerb(5, isDeletionVerb), both(cloudVerb(5, is("restart", "regenerate-key", "cancel")), not(cloudVerb(3, is("run", "show")))), says("--mode=Complete"), both(says("--mode"), says("Complete", "complete")), both(named("azd"), verbs("down")))),
			Hit:     []string{"az account subscription cancel --id 1", "az --only-show-errors group delete -n rg", "az deployment group create -g rg -f m.bicep --mode Complete", "az group delete -n rg --yes", "az vm delete -g rg -n vm", "az keyvault purge -n kv", "az storage blob delete-batch -s c", "azd down"},
			Miss:    []string{"az group list", "az vm show -g rg -n vm", "az account show", "azd up"},
		},
		{
			ID: "cloud-delete", Class: "infrastructure",
			Programs: programsOf(clouds, runners(), "doctl hcloud linode-cli fly flyctl heroku vercel netlify ibmcloud oci scw wrangler supabase neonctl railway vultr-cli openstack s3cmd mc rclone b2 turso pscale firebase confluent atlas cf render databricks yc exo civo upctl stripe algolia"),
			Why:      "deletes or stops resources in the cloud, with the data in them",
			Instead:  "List the resources first, and ask the user to delete them.",
			Match:    match(not(dry), not(both(named("rclone"), says("-n"))), either(both(not(onlyRuns), wordVerb(4, isDeletionVerb)), both(named("heroku"), both(verbs("ps:scale"), setsZero)), uses(clouds))),
			Hit: []string{"doctl compute droplet delete 1", "hcloud server delete a", "fly apps destroy a", "heroku pg:reset", "wrangler kv namespace delete --namespace-id 1", "rclone purge r:b", "vercel rm app --yes", "npx wrangler delete", "npx wrangler d1 delete shop", "s5cmd rm 's3://b/*'", "mc rb --force m/b", "mc mirror --remove a m/b", "b2 bucket delete b",
				"hdfs dfs -rm -r /data", "fly scale count 0", "azcopy remove https://a.blob.core.windows.net/c"},
			Miss: []string{"doctl compute droplet list", "hcloud server list", "fly status", "heroku logs", "wrangler dev", "rclone ls r:b", "vercel ls", "rclone delete -n r:b", "s5cmd ls s3://b", "hdfs dfs -ls /data", "fly scale show", "npx eslint rm.js"},
		},
		{
			ID: "remote-command", Class: "infrastructure", Programs: programsOf(remotes),
			Why:     "runs commands on other machines",
			Instead: "Show the user the command and where it would run, and ask them to run it.",
			Match:   match(uses(remotes)),
			Hit:     []string{"aws ssm send-command --document-name AWS-RunShellScript --targets a", "az vm run-command invoke -g rg -n vm --command-id RunShellScript", "gcloud compute ssh vm --command x", "fly ssh console -C x", "heroku run rake x", "ansible all -m shell -a x", "salt '*' cmd.run x", "vagrant ssh -c x"},
			Miss:    []string{"aws ssm get-parameter --name a", "az vm show -g rg -n vm", "gcloud compute instances list", "fly logs", "heroku logs", "ansible all -m ping", "ansible-playbook --check site.yml", "salt '*' test.ping", "vagrant status"},
		},
		{
			ID: "dns-change", Class: "infrastructure", Programs: programsOf(zones, runners()),
			Why:     "changes or deletes DNS records or zones",
			Instead: "Show the user the records before and after the change, and ask.",
			Match:   match(uses(zones)),
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

// wordVerb is cloudVerb for programs without a grammar.
func wordVerb(n int, test func(string) bool) condition {
	return func(c *cmd) bool {
		for i, k := nextPlain(c, 0), 0; i > 0 && k < n; i, k = nextPlain(c, i), k+1 {
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

// The programs of clouds, of machines there and of names, with what a rule
// looks for beside the verbs that [isDeletionVerb] knows.
var (
	stacks = []use{
		{names: "cdk cdktf", does: "destroy"},
		{names: "serverless sls sst", does: "remove"},
		{names: "sam", does: "delete"},
		{names: "vagrant", does: "destroy, box remove, snapshot delete, snapshot restore"},
		{names: "nixops", does: "destroy, delete"},
		{names: "juju", does: "destroy-model, destroy-controller, kill-controller, remove-application, remove-machine, remove-unit"},
		{names: "bosh", does: "delete-deployment, delete-env, delete-release, delete-stemcell, stop --hard"},
	}
	clouds = []use{
		{names: "s3cmd s4cmd", does: "del, rb, rm"},
		{names: "s5cmd", does: "rm, rb, sync --delete"},
		{names: "rclone", does: "sync, delete, purge, deletefile, rmdirs, rmdir, move, cleanup", unless: "-n"},
		{names: "mc", does: "rb, rm, mirror --remove, admin service"},
		{names: "b2", does: "rm, delete-bucket, delete-file-version, sync --delete"},
		{names: "azcopy", does: "remove, rm, sync --delete-destination"},
		{names: "swift", does: "delete"},
		{names: "ossutil obsutil coscmd", does: "rm, rb, delete"},
		{names: "dvc", does: "gc"},
		{names: "heroku", does: "apps:destroy, apps:delete, addons:destroy, pg:reset, apps:leave, ps:stop, domains:remove, releases:rollback, maintenance:on, pipelines:destroy"},
		{names: "firebase", does: "firestore:delete, database:remove, hosting:disable, functions:delete, projects:delete, apps:delete, appdistribution:testers:remove"},
		{names: "netlify", does: "sites:delete, functions:delete, blobs:delete"},
		{names: "railway", does: "down, delete, service delete, volume delete"},
		{names: "fly flyctl", does: "scale count 0, suspend, machine kill, machine stop"},
		{names: "hdfs hadoop", does: "dfs -rm, dfs -rmr, dfs -rmdir, fs -rm, fs -rmr, fs -rmdir, dfs -expunge, namenode -format"},
		{names: "eb", does: "terminate, abort"},
		{names: "copilot", does: "app delete, svc delete, env delete, job delete"},
		{names: "amplify", does: "delete"},
		{names: "cf", does: "delete, delete-org, delete-space, delete-service, stop"},
		{names: "aliyun", does: "_ DeleteInstance, _ DeleteInstances, _ DeleteDBInstance, _ StopInstance, oss rm"},
		{names: "tccli", does: "_ TerminateInstances, _ StopInstances"},
		{names: "huggingface-cli hf", does: "repo delete, repo-files delete, delete-cache, cache delete"},
		{names: "wrangler vercel sst", does: "delete, remove, rm"},
		{names: "wrangler", does: "d1 delete, r2 bucket delete, kv namespace delete, kv:namespace delete, queues delete"},
	}
	remotes = []use{
		{names: "aws awslocal", does: "ssm send-command, ssm start-session, ssm start-automation-execution, ecs execute-command, ec2-instance-connect ssh, lambda invoke, eks exec"},
		{names: "az", does: "vm run-command, vmss run-command, aks command, container exec, ssh vm, webapp ssh, containerapp exec"},
		{names: "gcloud", does: "compute ssh, beta compute ssh, alpha compute ssh, cloud-shell ssh, app instances ssh, workstations ssh"},
		{names: "doctl", does: "compute ssh"},
		{names: "fly flyctl", does: "ssh console, ssh sftp, machine exec, console"},
		{names: "heroku", does: "run, run:detached, run:inside, ps:exec"},
		{names: "railway", does: "ssh"},
		{names: "oci", does: "compute instance action, instance-agent command create"},
		{names: "hcloud", does: "server ssh"},
		{names: "cf", does: "ssh, run-task"},
		{names: "ansible", does: "-m shell, -m command, -m raw, -m script, -m reboot, -m apt, -m file, -m service, -a", unless: "--check -C --list-hosts --syntax-check"},
		{names: "ansible-playbook ansible-pull", does: "*", unless: "--check -C --list-hosts --list-tasks --list-tags --syntax-check"},
		{names: "salt salt-ssh", does: "_ cmd.run, _ cmd.shell, _ cmd.script, _ state.apply, _ state.highstate, _ system.reboot, _ service.stop, _ pkg.remove"},
		{names: "pssh parallel-ssh pdsh dsh clush mpssh", does: "*"},
		{names: "knife", does: "ssh, node delete, client delete"},
		{names: "vagrant", does: "ssh -c, ssh --command"},
	}
	zones = []use{
		{names: "nsupdate", unless: "-V -h"},
		{names: "rndc", does: "delzone, stop, halt, flush"},
		{names: "pdnsutil", does: "delete-zone, delete-rrset, replace-rrset, add-record, clear-zone, load-zone"},
		{names: "flarectl", does: "dns delete, dns update, zone delete, zone purge"},
		{names: "dnscontrol", does: "push"},
		{names: "octodns-sync", does: "--doit"},
		{names: "aws", does: "route53 change-resource-record-sets, route53 delete-hosted-zone, route53domains delete-domain, route53domains transfer-domain"},
		{names: "gcloud", does: "dns record-sets transaction execute, dns record-sets delete, dns record-sets update, dns managed-zones delete"},
		{names: "az", does: "network dns zone delete, network dns record-set"},
		{names: "cli4", does: "--delete, --put, --patch, --post"},
		{names: "doctl", does: "compute domain delete, compute domain records delete, compute domain records update"},
		{names: "samba-tool", does: "dns delete, dns update, dns zonedelete"},
	}
)

// onlyRuns holds for a runner, whose words are those of another program.
func onlyRuns(c *cmd) bool { return c.Is(program.IsRunner) }

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

package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func clusterRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "kubectl-delete", Class: "cluster", Programs: program.Names(program.IsCluster) + " minikube",
			Why:     "deletes resources of a cluster, and with a namespace or a claim also the data in it",
			Instead: "Show what it would delete with --dry-run=client -o name, and ask the user to delete it.",
			Match: match(not(dry), either(sub("delete", "config delete-context", "config delete-cluster", "config delete-user", "adm prune"), both(sub("patch"), argument(contains(`"finalizers":null`, `"finalizers":[]`, "finalizers: null"))),
				both(named("minikube"), verbs("kubectl delete")), both(named("oc"), verbs("adm prune")))),
			Hit:  []string{"kubectl delete pod web", "kubectl -n prod delete -f app.yaml", "oc delete project x", "k3s kubectl delete pod web", "minikube kubectl -- delete pod web", "kubectl delete ns staging --force"},
			Miss: []string{"kubectl get pods", "kubectl delete pod web --dry-run=client", "kubectl logs delete", "kubectl apply -f delete.yaml"},
		},
		{
			ID: "kubectl-drain", Class: "cluster", Programs: program.Names(program.IsCluster), Kind: "drains",
			Why:     "removes a node from a cluster",
			Instead: "Look at the node with `kubectl describe node`, and ask the user to drain it.",
			Match:   match(either(sub("drain", "cordon", "adm drain", "adm cordon"), both(sub("taint"), operand(contains("NoExecute", "NoSchedule"))), acts("drains")), not(dry)),
			Hit:     []string{"kubectl drain node-1 --ignore-daemonsets", "kubectl cordon node-1", "kubectl taint nodes node-1 a=b:NoExecute"},
			Miss:    []string{"kubectl uncordon node-1", "kubectl describe node node-1", "kubectl drain node-1 --dry-run=client"},
		},
		{
			ID: "kubectl-replace-force", Class: "cluster", Programs: program.Names(program.IsCluster),
			Why:     "recreates resources of a cluster, or overwrites another manager's fields",
			Instead: "Use `kubectl diff` and then `kubectl apply` without --force.",
			Match:   match(sub("replace", "apply"), option("force", "force-conflicts", "prune"), not(dry)),
			Hit:     []string{"kubectl replace --force -f app.yaml", "kubectl apply --force -f app.yaml", "kubectl apply --prune -l app=web -f ."},
			Miss:    []string{"kubectl replace -f app.yaml", "kubectl apply -f app.yaml", "kubectl apply --dry-run=client --force -f a.yaml"},
		},
		{
			ID: "kubectl-scale-zero", Class: "cluster", Programs: program.Names(program.IsCluster),
			Why:     "stops every replica of a workload",
			Instead: "Leave a replica running, or ask the user to stop the workload.",
			Match:   match(sub("scale"), optionIs("replicas", is("0")), not(dry)),
			Hit:     []string{"kubectl scale deploy web --replicas=0", "kubectl scale --replicas 0 deploy/web", "oc scale dc/web --replicas=0"},
			Miss:    []string{"kubectl scale deploy web --replicas=3", "kubectl get deploy", "kubectl scale deploy web --replicas=10"},
		},
		{
			ID: "helm-uninstall", Class: "cluster", Kind: "uninstalls",
			Why:     "removes a release from a cluster or rolls it back",
			Instead: "Run it with --dry-run, and ask the user.",
			Match:   match(not(dry), acts("uninstalls")),
			Hit:     []string{"helm uninstall web", "helm delete web -n prod", "helm rollback web 3", "helmfile destroy"},
			Miss:    []string{"helm list", "helm uninstall web --dry-run", "helm status web", "helm template ."},
		},
		{
			ID: "cluster-exec", Class: "cluster", Programs: program.Names(program.IsCluster), Kind: "enters-clusters",
			Why:     "runs a command in a cluster, or copies files into it",
			Instead: "Look with `kubectl logs` and `kubectl describe`, and ask the user to run the command.",
			Match:   match(not(dry), either(sub("exec", "debug", "attach", "rsh"), both(sub("run"), either(option("stdin", "tty", "it"), hasPayload)), both(sub("cp"), intoPod), acts("enters-clusters"))),
			Hit:     []string{"kubectl exec web -- rm /data/db", "kubectl -n prod exec -it deploy/web -- sh", "kubectl debug node/n1 -it --image=alpine", "kubectl cp run.sh web:/app/run.sh", "oc rsh web", "nomad alloc exec 1 sh"},
			Miss:    []string{"kubectl logs web", "kubectl cp web:/app/log.txt log.txt", "kubectl get pods -l app=exec", "nomad alloc logs 1", "kubectl run web --image=nginx"},
		},
		{
			ID: "cluster-delete", Class: "cluster", Kind: "deletes-clusters",
			Why:     "deletes a cluster or what it runs",
			Instead: "Look at what is there first, and ask the user to delete it.",
			Match:   match(not(dry), acts("deletes-clusters")),
			Hit: []string{"kind delete cluster", "minikube delete --all", "eksctl --region eu-west-1 delete cluster --name a", "argocd app delete web", "vault kv delete secret/a", "etcdctl --endpoints http://a:2379 del --prefix /", "k3s-uninstall.sh", "k3d cluster delete dev", "rancher clusters delete c",
				"nomad job stop -purge web", "consul kv delete -recurse app", "vault secrets disable secret/", "crictl rmp -fa"},
			Miss: []string{"kind get clusters", "minikube status", "argocd app list", "vault kv get secret/a", "etcdctl get /app --prefix", "rancher clusters ls", "nomad job status web", "consul kv get app", "crictl ps -a", "kubeadm reset --dry-run"},
		},
	}
}

// intoPod holds for a copy whose target is in a pod.
func intoPod(c *cmd) bool {
	ops := c.Args.Operands
	return len(ops) > 1 && anyValue(c.Words[ops[len(ops)-1].At].Set, isRemote)
}

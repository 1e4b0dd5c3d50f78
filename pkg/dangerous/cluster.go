package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func clusterRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "kubectl-delete", Class: "cluster", Programs: "kubectl oc",
			Why:     "deletes resources of a cluster",
			Instead: "Show what would go with --dry-run=client -o name, and ask the user to delete it.",
			Match:   match(sub("delete"), not(dry)),
			Hit:     []string{"kubectl delete pod web", "kubectl -n prod delete -f app.yaml", "oc delete project x", "kubectl delete ns staging --force"},
			Miss:    []string{"kubectl get pods", "kubectl delete pod web --dry-run=client", "kubectl logs delete", "kubectl apply -f delete.yaml"},
		},
		{
			ID: "kubectl-drain", Class: "cluster", Programs: "kubectl oc",
			Why:     "takes a node out of a cluster",
			Instead: "Look at the node with `kubectl describe node`, and ask the user to drain it.",
			Match:   match(either(sub("drain", "cordon", "adm drain", "adm cordon"), both(sub("taint"), operand(contains("NoExecute", "NoSchedule")))), not(dry)),
			Hit:     []string{"kubectl drain node-1 --ignore-daemonsets", "kubectl cordon node-1", "kubectl taint nodes node-1 a=b:NoExecute"},
			Miss:    []string{"kubectl uncordon node-1", "kubectl describe node node-1", "kubectl drain node-1 --dry-run=client"},
		},
		{
			ID: "kubectl-replace-force", Class: "cluster", Programs: "kubectl oc",
			Why:     "deletes and makes anew resources of a cluster, or overwrites another manager's fields",
			Instead: "Use `kubectl diff` and then `kubectl apply` without --force.",
			Match:   match(sub("replace", "apply"), option("force", "force-conflicts", "prune"), not(dry)),
			Hit:     []string{"kubectl replace --force -f app.yaml", "kubectl apply --force -f app.yaml", "kubectl apply --prune -l app=web -f ."},
			Miss:    []string{"kubectl replace -f app.yaml", "kubectl apply -f app.yaml", "kubectl apply --dry-run=client --force -f a.yaml"},
		},
		{
			ID: "kubectl-scale-zero", Class: "cluster", Programs: "kubectl oc",
			Why:     "stops every replica of a workload",
			Instead: "Leave a replica running, or ask the user to stop the workload.",
			Match:   match(sub("scale"), optionIs("replicas", is("0")), not(dry)),
			Hit:     []string{"kubectl scale deploy web --replicas=0", "kubectl scale --replicas 0 deploy/web", "oc scale dc/web --replicas=0"},
			Miss:    []string{"kubectl scale deploy web --replicas=3", "kubectl get deploy", "kubectl scale deploy web --replicas=10"},
		},
		{
			ID: "helm-uninstall", Class: "cluster", Programs: "helm helmfile",
			Why:     "removes a release from a cluster or sets it back",
			Instead: "Run it with --dry-run, and ask the user.",
			Match:   match(not(dry), either(sub("uninstall", "delete", "rollback"), both(named("helm"), verbs("un", "del")), both(named("helmfile"), says("destroy", "delete", "sync")))),
			Hit:     []string{"helm uninstall web", "helm delete web -n prod", "helm rollback web 3", "helmfile destroy"},
			Miss:    []string{"helm list", "helm uninstall web --dry-run", "helm status web", "helm template ."},
		},
		{
			ID: "cluster-delete", Class: "cluster", Programs: "kind k3d minikube eksctl argocd flux kubeadm kops talosctl rancher nomad consul vault etcdctl",
			Why:     "deletes a cluster or what it runs",
			Instead: "Look at what is there first, and ask the user to delete it.",
			Match: match(not(dry), either(both(named("kind", "k3d", "minikube", "eksctl", "flux", "kops"), verbs("delete", "uninstall")), both(named("argocd"), verbs("app delete", "proj rm", "cluster rm")), both(named("kubeadm", "talosctl"), verbs("reset")), both(named("nomad"), verbs("job stop", "stop", "system gc")), both(named("consul"), verbs("kv delete")),
				both(named("vault"), verbs("delete", "kv delete", "kv destroy", "kv metadata", "secrets disable", "auth disable", "token revoke", "operator seal")), both(named("etcdctl"), verbs("del")))),
			Hit:  []string{"kind delete cluster", "minikube delete --all", "eksctl delete cluster --name a", "argocd app delete web", "vault kv delete secret/a"},
			Miss: []string{"kind get clusters", "minikube status", "argocd app list", "vault kv get secret/a"},
		},
	}
}

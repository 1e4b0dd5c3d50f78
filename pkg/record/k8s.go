package record

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// k8sFacets describes what kubectl is told to do: one facet for each object.
func k8sFacets(c *command.Command) []facet {
	if !c.Is(program.IsCluster) {
		return nil
	}
	verb, _, _ := strings.Cut(c.Args.Sub, " ")
	if verb == "" && len(c.Words) == 1 || c.Args.Has("help") {
		return nil
	}
	if verb == "" || c.Args.Unlisted || c.Args.Open {
		return []facet{hidden("k8s")}
	}
	if rest := c.Args.Operands; (verb == "rollout" || verb == "set") && len(rest) > 0 {
		if of, ok := wordText(&c.Words[rest[0].At]); ok {
			verb += " " + of
		}
	}
	base := k8sBase(c, verb)
	k := objects{c: c, verb: verb}
	k.read()
	if k.open {
		base.hide("resource", "name")
		return []facet{base}
	}
	if len(k.found) == 0 {
		return []facet{base}
	}
	var out []facet
	for _, o := range k.found {
		f := facet{name: "k8s", fields: make(map[string]any, 5), unknown: slices.Clone(base.unknown)}
		for key, v := range base.fields {
			f.fields[key] = v
		}
		f.fields["resource"] = o.resource
		if o.name != "" {
			f.fields["name"] = o.name
		} else if k.selects() {
			f.hide("name")
		}
		out = append(out, f)
	}
	return out
}

// k8sBase describes all but the object. Where no namespace or cluster is
// written, the configuration of kubectl names it.
func k8sBase(c *command.Command, verb string) facet {
	f := facet{name: "k8s", fields: map[string]any{"verb": verb}}
	f.option(c, "namespace", "n")
	if c.Args.Has("A") {
		f.hide("namespace")
	}
	if c.Args.Has("context") {
		f.option(c, "cluster", "context")
	} else {
		f.option(c, "cluster", "cluster")
	}
	if c.Args.Has("s", "kubeconfig") || c.Args.Has("context") && c.Args.Has("cluster") {
		f.hide("cluster")
	}
	return f
}

// option adds the value of an option as a field.
func (f *facet) option(c *command.Command, field, option string) {
	o := c.Args.Option(option)
	if o == nil || twice(c, option) {
		f.hide(field)
		return
	}
	text, ok := wordText(&o.Arg)
	if !ok {
		f.hide(field)
		return
	}
	f.fields[field] = text
}

// objects finds the objects that a command of kubectl names.
type objects struct {
	c     *command.Command
	verb  string
	found []object
	// open says that there may be others.
	open bool
}

type object struct{ resource, name string }

// nodeVerbs are about nodes, podVerbs about pods where no resource is written,
// bareVerbs about none.
var (
	nodeVerbs = []string{"drain", "cordon", "uncordon"}
	podVerbs  = []string{"exec", "logs", "attach", "run", "debug", "port-forward"}
	bareVerbs = []string{"version", "cluster-info", "api-resources", "api-versions", "config", "proxy", "explain", "auth", "events"}
)

func (k *objects) read() {
	words, ok := k.operands()
	switch {
	case !ok, k.c.Args.Has("f", "k"), k.verb == "cp":
		k.open = true
	case slices.Contains(bareVerbs, k.verb):
	case slices.Contains(nodeVerbs, k.verb):
		k.names("nodes", words)
		k.open = len(words) == 0
	case slices.Contains(podVerbs, k.verb):
		k.pods(words)
	default:
		k.typed(words)
	}
}

// operands returns the arguments that name objects. Those with = and those
// that end in - are labels.
func (k *objects) operands() (words []string, ok bool) {
	for _, o := range k.c.Args.Operands {
		if o.Role == program.RoleDashed || o.Role == program.RolePayload {
			break
		}
		text, ok := wordText(&k.c.Words[o.At])
		if !ok {
			return nil, false
		}
		if strings.Contains(text, "=") || strings.HasSuffix(text, "-") {
			break
		}
		words = append(words, text)
	}
	if strings.HasPrefix(k.verb, "rollout") || strings.HasPrefix(k.verb, "set") {
		words = words[min(1, len(words)):]
	}
	return words, true
}

// pods reads NAME or TYPE/NAME.
func (k *objects) pods(words []string) {
	if len(words) == 0 {
		k.open = true
		return
	}
	k.names("pods", words[:1])
}

// typed reads TYPE NAME…, TYPE,TYPE and TYPE/NAME….
func (k *objects) typed(words []string) {
	switch {
	case len(words) == 0:
		k.open = true
	case strings.Contains(words[0], "/"):
		k.names("", words)
	default:
		for t := range strings.SplitSeq(words[0], ",") {
			k.names(PluralResource(t), words[1:])
			if len(words) == 1 {
				k.found = append(k.found, object{resource: PluralResource(t)})
			}
			k.open = k.open || t == "all"
		}
	}
}

func (k *objects) names(of string, words []string) {
	for _, w := range words {
		t, name, ok := strings.Cut(w, "/")
		switch {
		case ok:
			k.found = append(k.found, object{PluralResource(t), name})
		case of == "":
			k.open = true
		default:
			k.found = append(k.found, object{of, w})
		}
	}
}

// selects reports whether a command without a name is about objects that it does
// not name.
func (k *objects) selects() bool {
	return k.c.Args.Has("all", "l", "field-selector") || k.verb != "get" && k.verb != "describe" && k.verb != "top"
}

// resources are the plurals of short and singular names that do not follow the
// rule.
var resources = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"po": "pods", "deploy": "deployments", "svc": "services", "ns": "namespaces", "no": "nodes", "cm": "configmaps",
		"ds": "daemonsets", "sts": "statefulsets", "rs": "replicasets", "rc": "replicationcontrollers", "ing": "ingresses",
		"ingress": "ingresses", "pv": "persistentvolumes", "pvc": "persistentvolumeclaims", "sa": "serviceaccounts",
		"ep": "endpoints", "endpoints": "endpoints", "ev": "events", "hpa": "horizontalpodautoscalers", "cj": "cronjobs",
		"crd": "customresourcedefinitions", "crds": "customresourcedefinitions", "netpol": "networkpolicies",
		"networkpolicy": "networkpolicies", "pdb": "poddisruptionbudgets", "sc": "storageclasses", "storageclass": "storageclasses",
		"ingressclass": "ingressclasses", "priorityclass": "priorityclasses", "pc": "priorityclasses", "quota": "resourcequotas",
		"limits": "limitranges", "csr": "certificatesigningrequests", "cs": "componentstatuses", "all": "all",
	}
})

// resource returns the plural name of a resource without its group.
func PluralResource(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	if plural, ok := resources()[name]; ok {
		return plural
	}
	switch {
	case name == "":
		return name
	case strings.HasSuffix(name, "ss"):
		return name + "es"
	case strings.HasSuffix(name, "s"):
		return name
	case strings.HasSuffix(name, "y") && len(name) > 1 && !strings.ContainsRune("aeiou", rune(name[len(name)-2])):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

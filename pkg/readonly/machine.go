package readonly

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// lsofWords refuses operands that lsof takes for options, and addresses with
// a name, which it looks up.
func lsofWords(v *proving) bool {
	for i := 1; i < len(v.c.Words); i++ {
		w := &v.c.Words[i]
		t, ok := w.Literal()
		if !ok && !w.Number && (w.Prefix == "" || w.Prefix[0] != ':' && w.Prefix[0] != '/') {
			return v.fail(w.Span, "the word may be an option of lsof")
		}
		if strings.HasPrefix(t, "+") {
			return v.fail(w.Span, "the word may be an option of lsof")
		}
		if strings.Contains(t, "@") {
			return v.fail(w.Span, "lsof may look the address up")
		}
	}
	return true
}

// psWords checks the operands of ps that are options in the BSD style, of
// which e shows the environment, and the columns after o.
func psWords(v *proving) bool {
	for k := range v.args {
		t, span, ok := v.text(k)
		if !ok {
			if k > 0 && v.c.Words[v.args[k]].Number {
				continue
			}
			return v.fail(span, "the options are not on the list of ps")
		}
		if k > 0 && v.c.Words[v.args[k-1]].Has("axo") {
			continue
		}
		if t != "axo" && strings.Trim(t, "auxfwljvhr0123456789,") != "" {
			v.failf(span, "the options %s are not on the list of ps, for which e shows the environment", t)
			return v.instead("write ps aux, or ps -ef")
		}
	}
	for i := range v.c.Words {
		for _, t := range v.c.Words[i].Values {
			if strings.Contains(t, "environ") {
				return v.fail(v.c.Words[i].Span, "the column shows the environment")
			}
		}
	}
	return true
}

// dateFormat allows no operand but a format, and for the date of macOS what
// -j only reads.
func dateFormat(v *proving) bool {
	if v.has("f") && !v.has("j") {
		v.fail(v.c.Span, "the option -f of date reads a file")
		return v.instead("with -j, it is a format")
	}
	for k := range v.args {
		t, span, ok := v.text(k)
		if (!ok || !strings.HasPrefix(t, "+")) && !(v.has("j") && v.has("f") && k == 0) && !strings.HasPrefix(v.c.Words[v.args[k]].Prefix, "+") {
			v.fail(span, "an operand of date that is no format sets the clock")
			return v.instead("begin it with +")
		}
	}
	return true
}

// printenvNames allows the variables whose names do not say that they hold a
// secret; without one, all are shown.
func printenvNames(v *proving) bool {
	if len(v.args) == 0 {
		v.fail(v.c.Span, "printenv without a name shows the whole environment")
		return v.instead("name the variable")
	}
	for k := range v.args {
		t, span, ok := v.text(k)
		if !ok || shell.SecretEnv(t) {
			return v.fail(span, "the variable may hold a secret")
		}
	}
	return true
}

// ipVerb allows ip OBJECT show and its like.
func ipVerb(v *proving) bool {
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	switch {
	case ok && (t == "show" || t == "list" || t == "ls" || t == "get"):
		return true
	}
	v.fail(span, "only showing is on the list")
	return v.instead("write show before it")
}

// ssFilter allows filters by port and state: a host is looked up.
func ssFilter(v *proving) bool {
	for k := range v.args {
		t, span, ok := v.text(k)
		for f := range strings.FieldsSeq(t) {
			ok = ok && (ssWords[f] || strings.HasPrefix(f, ":") && isDigits(f[1:]))
		}
		if !ok {
			return v.fail(span, "the filter is not one by port or state")
		}
	}
	return true
}

var ssWords = words("( ) ! = == != eq ne lt gt le ge and or not sport dport state exclude listening established connected all")

// numeric wants -n, without which names of hosts are looked up.
func numeric(v *proving) bool {
	if v.has("n", "i", "s", "numeric") {
		return true
	}
	v.failf(v.c.Span, "%s looks up the names of hosts", v.c.Name)
	return v.instead("add -n")
}

// noAssignment refuses operands that set what they name.
func noAssignment(v *proving) bool {
	for k := range v.args {
		if t, span, ok := v.text(k); !ok || strings.Contains(t, "=") {
			return v.fail(span, "the operand may set a value")
		}
	}
	return true
}

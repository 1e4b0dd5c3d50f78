package readonly

import (
	"github.com/policyctl/policyctl/internal/command"
	"strings"
)

// lsofWords refuses operands that lsof takes for options, and addresses with
// a name, which it looks up.
func lsofWords(v *attempt) bool {
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
			return v.fail(w.Span, "lsof may look up the address")
		}
	}
	return true
}

// psWords checks the operands of ps that are options in the BSD style, of
// which e shows the environment, and the columns after o.
func psWords(v *attempt) bool {
	if !v.psUnix() {
		return false
	}
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
			v.failf(span, "the options %s are not on the list of ps, where e shows the environment", t)
			return v.instead("write ps aux, ps -ef, or ps -U NAME")
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

// counts wants a number of rounds after the interval, without which vmstat
// never ends.
func counts(v *attempt) bool {
	if len(v.args) != 1 {
		return true
	}
	v.fail(v.c.Words[v.args[0]].Span, "with only an interval, it never ends")
	return v.instead("add a count after it")
}

// oneInterface refuses an operand behind -a, which the ifconfig of BSD does to
// all interfaces.
func oneInterface(v *attempt) bool {
	if v.has("a") && len(v.args) > 0 {
		return v.fail(v.c.Words[v.args[0]].Span, "the word may apply to all interfaces")
	}
	return true
}

// queries wants one of the options with which dpkg only looks. With -f dpkg
// itself shows an archive.
func queries(v *attempt) bool {
	if v.c.Does("delegates") {
		return v.fail(v.c.Span, "dpkg-query takes these options")
	}
	if v.has("l", "list", "s", "status", "L", "listfiles", "S", "search", "W", "show", "help", "version") {
		return true
	}
	return v.fail(v.c.Span, "dpkg only reads when it lists packages")
}

// psUnix refuses options that ps may take for those of BSD, as it does where
// they make no sense otherwise, and words that may become such.
func (v *attempt) psUnix() bool {
	if v.has("e") && (v.has("u", "x", "r", "k", "O") || v.psLetters()) {
		v.fail(v.c.Span, "if ps reads the options as BSD options, e shows the environment")
		return v.instead("write ps aux, or ps -ef")
	}
	for i := range v.c.Words {
		if w := &v.c.Words[i]; (w.Many || w.Splits) && !w.Number {
			v.fail(w.Span, "the word may expand to several, and e shows the environment")
			return v.instead("put it in double quotes")
		}
	}
	return true
}

// psLetters reports whether an operand of ps has options.
func (v *attempt) psLetters() bool {
	for k := range v.args {
		if t, _, ok := v.text(k); !ok || strings.Trim(t, "0123456789,") != "" {
			return true
		}
	}
	return false
}

// dateFormat allows no operand but a format, and for the date of macOS what
// -j only reads.
func dateFormat(v *attempt) bool {
	if v.has("f") && !v.has("j") {
		v.fail(v.c.Span, "the option -f of date reads a file")
		return v.instead("with -j, it is a format")
	}
	for k := range v.args {
		w := &v.c.Words[v.args[k]]
		if !begins(w, "+") && !(v.has("j") && v.has("f") && k == 0) {
			v.fail(w.Span, "an operand of date that is not a format sets the clock")
			return v.instead("begin it with +")
		}
	}
	return true
}

// printenvNames allows the variables whose names do not say that they hold a
// secret; without one, all are shown.
func printenvNames(v *attempt) bool {
	if len(v.args) == 0 {
		v.fail(v.c.Span, "printenv without a name shows the whole environment")
		return v.instead("name the variable")
	}
	for k := range v.args {
		w := &v.c.Words[v.args[k]]
		if !all(w, func(name string) bool { return !command.SecretEnv(name) }) {
			return v.fail(w.Span, "the variable may hold a secret")
		}
	}
	return true
}

// ipVerb allows ip OBJECT show and its like.
func ipVerb(v *attempt) bool {
	if len(v.args) == 0 {
		return true
	}
	t, span, ok := v.text(0)
	switch {
	case ok && (t == "show" || t == "list" || t == "ls" || t == "get"):
		return true
	}
	v.fail(span, "only show is on the list")
	return v.instead("write show before it")
}

// ssFilter allows filters by port and state: a host is looked up.
func ssFilter(v *attempt) bool {
	for k := range v.args {
		t, span, ok := v.text(k)
		for f := range strings.FieldsSeq(t) {
			ok = ok && (ssWords(f) || strings.HasPrefix(f, ":") && isDigits(f[1:]))
		}
		if !ok {
			return v.fail(span, "the filter is not by port or state")
		}
	}
	return true
}

func ssWords(name string) bool {
	switch name {
	case "(", ")", "!", "=", "==", "!=", "eq", "ne", "lt", "gt", "le", "ge", "and", "or", "not", "sport", "dport", "state", "exclude", "listening", "established", "connected", "all":
		return true
	}
	return false
}

// numeric wants -n, without which names of hosts are looked up.
func numeric(v *attempt) bool {
	if v.has("n", "i", "s", "numeric") {
		return true
	}
	v.failf(v.c.Span, "%s looks up host names", v.c.Called())
	return v.instead("add -n")
}

// noAssignment refuses operands that set what they name.
func noAssignment(v *attempt) bool {
	for k := range v.args {
		if t, span, ok := v.text(k); !ok || strings.Contains(t, "=") {
			return v.fail(span, "the operand may set a value")
		}
	}
	return true
}

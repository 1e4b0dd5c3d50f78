package shell

import "strings"

// configured reads a configuration value that a program evaluates.
func (r *reader) configured(i int, o Option, sub *scope) {
	c := &r.line.Commands[i]
	if text, ok := configText(c.Name, o.Arg.Set); ok {
		w := o.Arg
		w.Set = text
		r.evaluate(i, w, sub)
	} else if o.Arg.Open {
		c.Opaque = "a configuration value is not known"
	}
}

// configText returns the text that a configuration value makes git, ssh or
// tar evaluate.
func configText(program string, s Set) (Set, bool) {
	out := Set{Open: s.Open}
	for _, v := range s.Values {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			name, value, ok = strings.Cut(v, " ")
		}
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case program == "git" && strings.HasPrefix(value, "!"):
			out.Values = append(out.Values, value[1:])
		case program == "git" && gitRuns(name) && value != "" && value != "true" && value != "false":
			out.Values = append(out.Values, value)
		case program == "tar" && name == "exec", program != "git" && program != "tar" && (name == "proxycommand" || name == "localcommand" || name == "knownhostscommand"):
			out.Values = append(out.Values, value)
		}
	}
	return out, len(out.Values) > 0
}

// gitRuns says whether git runs the value of a configuration variable as a
// command (git-config(1)).
func gitRuns(name string) bool {
	switch name {
	case "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy",
		"diff.external", "sequence.editor", "gpg.program", "credential.helper", "uploadpack.packobjectshook",
		"interactive.difffilter", "core.alternaterefscommand":
		return true
	}
	for _, suffix := range []string{".command", ".textconv", ".clean", ".smudge", ".process", ".cmd", ".driver", ".helper", ".program"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return strings.HasPrefix(name, "pager.")
}

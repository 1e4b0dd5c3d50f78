package policy

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// risk returns the risk of the call: that of its tool, or high for a secret
// or for a place whose change runs code.
func (r *run) risk() (Risk, string) {
	if r.tool.isFile() {
		for _, s := range r.subjects {
			if why := r.riskyFile(s); why != "" {
				return High, why
			}
		}
	}
	for _, s := range r.looks {
		if why := r.riskyLook(s); why != "" {
			return High, why
		}
	}
	if why := r.riskyPick(); why != "" {
		return High, why
	}
	return r.tool.Risk, "the tool is of " + r.tool.Risk.String() + " risk and the mode is " + r.e.settings.Mode.String()
}

// assess returns the risk as people are told it. A shell may do anything, so
// that its line says more: it is high where a dangerous pattern matches or the
// line cannot be read, and low where it only reads.
func (r *run) assess() Risk {
	if r.line == nil {
		risk, _ := r.risk()
		return risk
	}
	reads := r.line.Problem == nil && len(r.explain.Commands) > 0
	for i := range r.explain.Commands {
		if len(r.explain.Commands[i].Dangerous) > 0 {
			return High
		}
		reads = reads && r.explain.Commands[i].NotProved == ""
	}
	switch {
	case reads:
		return Low
	case r.line.Problem != nil:
		return High
	}
	return Medium
}

// riskyFile says why a file that a tool reads or writes is of high risk.
func (r *run) riskyFile(s string) string {
	at := r.subject(s)
	if !at.sure {
		return "where " + clip(at.text) + " leads is not known"
	}
	role := sensitive.Secret
	if r.tool.Kind == KindWrite {
		role |= sensitive.Trigger
	}
	for _, path := range at.readings() {
		if e, ok := sensitive.FindRole(path, r.home(), role); ok {
			return "the path is sensitive: " + e.Why
		}
	}
	return ""
}

// riskyLook says why a directory or a file in which a tool searches is of high
// risk.
func (r *run) riskyLook(s string) string {
	at := r.subject(s)
	if !at.sure {
		return "where " + clip(at.text) + " leads is not known"
	}
	for _, path := range at.readings() {
		if home := r.home(); path == "/" || path == home || strings.HasPrefix(home, path+"/") {
			return "the search looks into the whole home directory"
		}
		if e, ok := sensitive.MayFind(strings.ReplaceAll(quoteGlob(path), "[", `\[`)+"/**", r.home(), sensitive.Secret); ok {
			return "the search may look into a sensitive path: " + e.Why
		}
	}
	return ""
}

// riskyPick says why the files that a tool chooses by a pattern are of high
// risk.
func (r *run) riskyPick() string {
	for _, pick := range r.picks {
		dirs := r.looks
		if len(dirs) == 0 {
			dirs = []string{""}
		}
		for _, dir := range dirs {
			at := r.subject(dir)
			for _, path := range at.readings() {
				if e, ok := readonly.NamedSecret(strings.TrimSuffix(path, "/")+"/"+pick, r.home()); ok {
					return "the pattern names a sensitive path: " + e.Why
				}
			}
		}
	}
	return ""
}

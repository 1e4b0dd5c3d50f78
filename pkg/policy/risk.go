package policy

import (
	"cmp"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// risk returns the risk of the call: that of its tool, or high for a secret
// or for a place whose change runs code.
func (r *run) risk() (Risk, string) {
	if r.tool.isFile() {
		for _, s := range r.view.Subjects {
			if why := r.riskyFile(s); why != "" {
				return High, why
			}
		}
	}
	for _, s := range r.view.Looks {
		if why := r.riskyLook(s); why != "" {
			return High, why
		}
	}
	if why := cmp.Or(r.riskyPick(), r.riskyArgument()); why != "" {
		return High, why
	}
	return r.tool.Risk, "the tool is of " + r.tool.Risk.String() + " risk and the mode is " + r.e.settings.Mode.String()
}

// riskyFile says why a file that a tool reads or writes is of high risk.
func (r *run) riskyFile(s string) string {
	at := r.view.Subject(s)
	if !at.Sure {
		return "where " + clip.Text(at.Text, maxQuoted) + " leads is not known"
	}
	role := sensitive.Secret
	if r.tool.Kind == KindWrite {
		role |= sensitive.Trigger
	}
	for _, path := range at.Readings() {
		if e, ok := sensitive.FindRole(path, r.home(), role); ok {
			return "the path is sensitive: " + e.Why
		}
	}
	return ""
}

// riskyLook says why a directory or a file in which a tool searches is of high
// risk.
func (r *run) riskyLook(s string) string {
	at := r.view.Subject(s)
	if !at.Sure {
		return "where " + clip.Text(at.Text, maxQuoted) + " leads is not known"
	}
	for _, path := range at.Readings() {
		if home := r.home(); path == "/" || path == home || strings.HasPrefix(home, path+"/") {
			return "the search looks into the whole home directory"
		}
		if e, ok := sensitive.MayFind(strings.ReplaceAll(permission.Quote(path), "[", `\[`)+"/**", r.home(), sensitive.Secret); ok {
			return "the search may look into a sensitive path: " + e.Why
		}
	}
	return ""
}

// riskyPick says why the files that a tool chooses by a pattern are of high
// risk.
func (r *run) riskyPick() string {
	for _, pick := range r.view.Picks {
		dirs := r.view.Looks
		if len(dirs) == 0 {
			dirs = []string{""}
		}
		for _, dir := range dirs {
			at := r.view.Subject(dir)
			for _, path := range at.Readings() {
				if e, ok := readonly.NamedSecret(strings.TrimSuffix(path, "/")+"/"+pick, r.home()); ok {
					return "the pattern names a sensitive path: " + e.Why
				}
			}
		}
	}
	return ""
}

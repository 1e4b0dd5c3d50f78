package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func permissionRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "chmod-open", Class: "permission", Programs: "chmod",
			Why:     "lets every user of the machine change files",
			Instead: "Give the right only to the user or group that needs it, such as `chmod u+w FILE` or `chmod 755 DIR`.",
			Match:   match(firstOperand(opensToOthers)),
			Hit:     []string{"chmod 777 run.sh", "chmod -R 0777 storage", "chmod o+w data", "chmod a+rwx x", "chmod 666 app.db", "chmod ugo=rwx x", "chmod u+x,o+w x", "sudo chmod 1777 /srv/share"},
			Miss:    []string{"chmod +x run.sh", "chmod 755 run.sh", "chmod u+w data", "chmod o-w data", "chmod 600 key.txt", "echo chmod 777 run.sh"},
		},
		{
			ID: "chmod-setuid", Class: "permission", Programs: "chmod",
			Why:     "lets whoever runs a program act as its owner",
			Instead: "Leave the set-user-ID and set-group-ID bits alone; ask the user to give the right that is needed.",
			Match:   match(firstOperand(setsID)),
			Hit:     []string{"chmod u+s tool", "chmod 4755 tool", "chmod +s tool", "chmod 06755 tool", "chmod g=rxs dir"},
			Miss:    []string{"chmod 755 tool", "chmod u-s tool", "chmod 0755 tool", "chmod +x tools.sh"},
		},
		{
			ID: "permission-recursive", Class: "permission", Kind: "alters=mode alters=owner alters=flags alters=label",
			Why:     "changes the mode or the owner of everything below a directory",
			Instead: "Change only the files that need it, by name and without -R.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				return c.Span, !c.Function && !asksHelp(c) && (c.Args.Has("recursive", "R") || c.Does("deep") || onAllFound(s, c))
			},
			Hit:  []string{"find . -exec chmod 644 {} +", "find ~ -type f | xargs chmod u+w", "chmod -R 755 .", "chown -R dev:dev build", "chgrp -R www-data public"},
			Miss: []string{"chmod 755 bin/run", "chown dev build", "ls -R", "chmod -r notes.txt", "find . -name '*.sh' -exec chmod +x {} +", "find . -name x | xargs chmod +x"},
		},
		{
			ID: "chown-root", Class: "permission", Programs: "install", Kind: "owns",
			Why:     "gives files to root",
			Instead: "Leave the files to the account that works with them, or ask the user whether root must own them.",
			Match:   match(either(both(acts("owns"), firstOperand(isRoot)), both(named("install"), either(optionIs("owner", isRoot), optionIs("group", isRoot))))),
			Hit:     []string{"chown root:root app", "sudo chown root bin/tool", "chown 0:0 x", "chgrp root x", "install -o root tool out"},
			Miss:    []string{"chown dev:dev app", "chown --reference=a b", "ls -l root", "chown dev root.txt"},
		},
		{
			ID: "acl-open", Class: "permission", Kind: "opens-acl",
			Why:     "changes who may use files beyond what their mode shows",
			Instead: "Use the file's mode, or ask the user to change the access list.",
			Match:   match(acts("opens-acl")),
			Hit:     []string{"setfacl -m o:rwx data", "setfacl -R -m u:www-data:rwX storage", "icacls data /grant Everyone:F"},
			Miss:    []string{"getfacl data", "setfacl --help", "icacls data"},
		},
		{
			ID: "file-attribute", Class: "permission", Kind: "alters=attributes alters=flags",
			Why:     "changes attributes that protect files from changes",
			Instead: "Ask the user to change the attribute.",
			Match:   match(arguments(2)),
			Hit:     []string{"chattr -i data.db", "sudo chattr +i config.yml", "chflags nouchg notes.txt"},
			Miss:    []string{"lsattr data.db", "chattr --help", "grep chattr setup.sh"},
		},
	}
}

// onAllFound reports whether a find hands the command most of what it finds.
func onAllFound(s *hazard.Scene, c *cmd) bool {
	if s.Line.Sweeper(c) != nil {
		return true
	}
	if c.Source < 0 || !s.Line.Appended(c) {
		return false
	}
	roots, narrowed := s.Line.Commands[c.Source].SearchRoots()
	return roots != nil && !narrowed
}

func isRoot(owner string) bool {
	user, group, _ := strings.Cut(strings.ReplaceAll(owner, ".", ":"), ":")
	return user == "root" || user == "0" || group == "root" || group == "0"
}

func isOctal(mode string) bool {
	return mode != "" && strings.Trim(mode, "01234567") == ""
}

// opensToOthers reports whether a mode, octal or symbolic as in chmod(1), lets
// those write who are neither owner nor group.
func opensToOthers(mode string) bool {
	if isOctal(mode) {
		return (mode[len(mode)-1]-'0')&2 != 0
	}
	return anyClause(mode, func(who, rights string) bool {
		return strings.ContainsAny(who, "oa") && strings.Contains(rights, "w")
	})
}

// setsID reports whether a mode sets the set-user-ID or the set-group-ID bit.
func setsID(mode string) bool {
	if isOctal(mode) {
		mode = strings.TrimLeft(mode, "0")
		return len(mode) == 4 && (mode[0]-'0')&6 != 0
	}
	return anyClause(mode, func(_, rights string) bool { return strings.Contains(rights, "s") })
}

// anyClause reports whether the test holds for a part of a symbolic mode that
// gives rights.
func anyClause(mode string, test func(who, rights string) bool) bool {
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i >= 0 && test(clause[:i], clause[i+1:]) {
			return true
		}
	}
	return false
}

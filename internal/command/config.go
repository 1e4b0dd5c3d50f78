package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// ConfigText returns the text that a configuration value makes git, ssh or
// tar evaluate.
func ConfigText(form string, s shell.Set) (shell.Set, bool) {
	out := shell.Set{Open: s.Open}
	for _, v := range s.Values {
		if form == "commas" { // -wrapper A,B
			out.Values = append(out.Values, strings.ReplaceAll(v, ",", " "))
			continue
		}
		if form == "actions" {
			out.Values = append(out.Values, finderActions(v)...)
			continue
		}
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			name, value, ok = strings.Cut(v, " ")
		}
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case form == "git" && strings.HasPrefix(value, "!"):
			out.Values = append(out.Values, value[1:])
		case form == "git":
			if gitRuns(name) && value != "" && value != "true" && value != "false" {
				out.Values = append(out.Values, value)
			}
		case form == "sections", form == "files":
			if text, runs := repositoryRuns(form, v); runs {
				out.Values = append(out.Values, text)
			}
		case form == "packages" && aptRuns(strings.TrimRight(name, ":")):
			out.Values = append(out.Values, value)
		case form == "cargo" && cargoRuns(name):
			out.Values = append(out.Values, strings.Trim(value, ` "'`))
		case form == "parts":
			for part := range strings.SplitSeq(v, ",") {
				name, value, _ := strings.Cut(part, "=")
				if name = strings.ToLower(name); name == "ssh_command" || name == "proxycommand" {
					out.Values = append(out.Values, value)
				}
			}
		case form == "unit":
			if strings.HasPrefix(name, "exec") {
				out.Values = append(out.Values, strings.TrimLeft(value, "@-:+!"))
			}
		case strings.Contains(","+form+",", ","+strings.ReplaceAll(name, "_", "")+","), name == "proxycommand", name == "localcommand", name == "knownhostscommand":
			out.Values = append(out.Values, value)
		}
	}
	return out, len(out.Values) > 0
}

// unitOutputs are the values of a property of a unit behind which a file stands
// (systemd.exec(5)).
var unitOutputs = [...]string{"file:", "append:", "truncate:"}

// unitOutput returns the files that a property of a unit has systemd-run write.
func (c *Command) unitOutput(property shell.Set) (files shell.Set) {
	if c.How("config") != "unit" {
		return files
	}
	for _, v := range property.Values {
		name, value, _ := strings.Cut(v, "=")
		for _, before := range unitOutputs {
			if path, ok := strings.CutPrefix(value, before); ok && (name == "StandardOutput" || name == "StandardError") {
				files.Values = append(files.Values, path)
			}
		}
	}
	return files
}

// UnitDir returns the directory in which a property of a unit has systemd-run start
// what it runs; a tilde is the home directory there (systemd.exec(5)).
func (c *Command) UnitDir(property shell.Set) (dir shell.Set) {
	for _, v := range property.Values {
		if path, ok := strings.CutPrefix(v, "WorkingDirectory="); ok && c.How("config") == "unit" {
			if path = strings.TrimPrefix(path, "-"); path == "~" {
				path = "/root"
			}
			dir.Values = append(dir.Values, path)
		}
	}
	return dir
}

// repositoryRuns returns what a setting makes Mercurial or Subversion run
// (hgrc(5), and the file config of Subversion).
func repositoryRuns(form, setting string) (text string, runs bool) {
	name, value, _ := strings.Cut(setting, "=")
	name = strings.ToLower(name)
	if form == "files" {
		file, rest, _ := strings.Cut(name, ":")
		section, key, _ := strings.Cut(rest, ":")
		return value, file == "config" && (section == "tunnels" || section == "helpers" && strings.HasSuffix(key, "-cmd"))
	}
	section, key, _ := strings.Cut(name, ".")
	switch section {
	case "alias":
		return strings.CutPrefix(value, "!")
	case "hooks":
		return value, !strings.HasPrefix(value, "python:")
	case "ui":
		return value, key == "editor" || key == "ssh" || key == "merge"
	case "pager":
		return value, key == "pager"
	case "merge-tools", "encode", "decode", "extdiff":
		return value, strings.HasSuffix(key, ".executable") || section != "merge-tools"
	}
	return "", false
}

// aptRuns reports whether apt runs the value of a setting (apt.conf(5)).
func aptRuns(name string) bool {
	for _, suffix := range []string{"-invoke", "-invoke-success", "::pre-install-pkgs", "dir::bin::dpkg", "::proxyautodetect", "::proxy-auto-detect"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// cargoRuns reports whether cargo runs the value of a setting (doc.rust-lang.org/cargo,
// "Configuration").
func cargoRuns(name string) bool {
	switch name {
	case "build.rustc", "build.rustc-wrapper", "build.rustc-workspace-wrapper", "build.rustdoc":
		return true
	}
	return strings.HasPrefix(name, "target.") && (strings.HasSuffix(name, ".runner") || strings.HasSuffix(name, ".linker"))
}

// gitRuns reports whether git runs the value of a configuration variable as a
// command (git-config(1)).
func gitRuns(name string) bool {
	switch name {
	case "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy",
		"diff.external", "sequence.editor", "gpg.program", "credential.helper", "uploadpack.packobjectshook",
		"interactive.difffilter", "core.alternaterefscommand", "gpg.ssh.defaultkeycommand", "sendemail.tocmd", "sendemail.cccmd", "sendemail.headercmd", "sendemail.sendmailcmd", "sendemail.smtpserver":
		return true
	}
	for _, suffix := range []string{".uploadpack", ".receivepack", ".command", ".textconv", ".clean", ".smudge", ".process", ".cmd", ".driver", ".helper", ".program"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return strings.HasPrefix(name, "pager.")
}

// finderActions returns the commands that a binding of fzf runs: KEY:ACTION(…)
// with any brackets, or KEY:ACTION:… up to the end (fzf(1)).
func finderActions(binding string) []string {
	var out []string
	for _, action := range [...]string{"execute", "execute-silent", "become", "reload", "reload-sync", "preview", "transform"} {
		_, rest, ok := strings.Cut(binding, ":"+action)
		if !ok || len(rest) < 2 {
			continue
		}
		text := rest[1:]
		if closing := strings.IndexByte("([{<", rest[0]); closing >= 0 {
			text = text[:max(0, strings.LastIndexByte(text, ")]}>"[closing]))]
		} else if rest[0] != ':' {
			continue
		}
		out = append(out, text)
	}
	return out
}

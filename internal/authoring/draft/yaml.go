package draft

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// YAML returns the policy as a file of policyctl.
func (p *Policy) YAML() []byte { return p.file("  mode: manual\n" + p.bypass()) }

// Beside returns the policy as a file that lies beside another, which says what holds
// where no entry does.
func (p *Policy) Beside() []byte {
	if p.Yolo {
		return p.file(p.bypass())
	}
	return p.file("") // nothing of a mode that asks nobody is to be turned on
}

// HasYolo reports whether a file of [Policy.Beside] turns yolo on.
func HasYolo(file []byte) bool { return bytes.Contains(file, []byte("\n"+yolo)) }

// Empty reports whether the policy decides nothing.
func (p *Policy) Empty() bool {
	return len(p.Permissions) == 0 && len(p.Rules) == 0 && len(p.Treated) == 0 && p.Rest == policy.Unset &&
		p.Bypass == "" && p.Edits == "" && !p.AskReading
}

// file returns the policy with what it says of modes.
func (p *Policy) file(modes string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Imported from %s. Deny wins over ask, and ask over allow.\nversion: 1\n", Visible(p.source))
	if p.AskReading {
		modes += "  auto_allow_readonly: false\n"
	}
	if p.Edits != "" {
		modes += fmt.Sprintf("  # allow %s\n  auto_allow_workspace: true\n", Visible(p.Edits))
	}
	if modes != "" {
		b.WriteString("\napprovals:\n" + modes)
	}
	if len(p.Treated) > 0 || p.Rest != policy.Unset {
		b.WriteString("\nsecurity:\n  tool_policy:\n")
	}
	if p.Rest != policy.Unset {
		fmt.Fprintf(&b, "    default: %s\n", p.Rest)
	}
	if len(p.Treated) > 0 {
		b.WriteString("    tools:\n")
	}
	for _, name := range slices.Sorted(maps.Keys(p.Treated)) {
		fmt.Fprintf(&b, "      %s: %s\n", key(name, "      "), p.Treated[name])
	}
	if len(p.Tools) > 0 {
		b.WriteString("\ntools:\n")
	}
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		fmt.Fprintf(&b, "  %s: %s\n", key(name, "  "), p.Tools[name])
	}
	if len(p.Permissions) > 0 {
		b.WriteString("\npermissions:\n")
	}
	for _, action := range []policy.Decision{policy.Deny, policy.Ask, policy.Allow} {
		p.section(&b, action)
	}
	if len(p.Rules) > 0 {
		b.WriteString("\nrules:\n")
	}
	for i := range p.Rules {
		b.WriteString(p.Rules[i].yaml())
	}
	return []byte(b.String())
}

const yolo = "  yolo: true\n"

// bypass writes what becomes of a mode that asks nobody.
func (p *Policy) bypass() string {
	switch {
	case p.Bypass == "":
		return ""
	case p.Yolo:
		return "  # " + Visible(p.Bypass) + "\n" + yolo
	}
	return fmt.Sprintf("  # %s, which is not turned on here:\n  # yolo: true\n", Visible(p.Bypass))
}

// section writes the permissions of one action, each below its entry.
func (p *Policy) section(b *strings.Builder, action policy.Decision) {
	last := ""
	for _, permission := range p.Permissions {
		if permission.Action != action {
			continue
		}
		if permission.Entry != last {
			fmt.Fprintf(b, "  # %s\n", Visible(permission.Entry))
			last = permission.Entry
		}
		b.WriteString(permission.yaml())
	}
}

// String returns the declaration in YAML.
func (t Tool) String() string { return fmt.Sprintf("{kind: %s, risk: %s}", t.Kind, t.Risk) }

func (p *Permission) yaml() string {
	text := fmt.Sprintf("  - match: %s\n    action: %s\n", quoted(p.Match), p.Action)
	if p.EveryTime && p.Action == policy.Ask {
		text += "    every_time: true\n"
	}
	if len(p.Except) > 0 {
		text += "    except:\n"
	}
	for _, x := range p.Except {
		text += "      - " + quoted(x) + "\n"
	}
	return text
}

// quoted returns a text in the quotes of YAML that know no escapes.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// key returns a name as the key of a mapping that stands behind an indent. A
// key of more than 1,024 characters has to say that it is one:
// https://yaml.org/spec/1.2.2/#742-flow-mappings.
func key(name, indent string) string {
	if text := quoted(name); len(text) <= 1024 {
		return text
	}
	return "? " + quoted(name) + "\n" + indent
}

// Visible returns a text as one line of a comment.
func Visible(s string) string {
	if !Hidden(s) {
		return s
	}
	return fmt.Sprintf("%+q", s)
}

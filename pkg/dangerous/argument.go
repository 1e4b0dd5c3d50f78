package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func argumentRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "argument-command", Class: "execution",
			Why:     "passes a program text that would be catastrophic if the program ran it",
			Instead: "Leave that text out, or run the exact step that the task needs.",
			Match:   catastropheInArgument,
			Hit: []string{
				"ansible all -a 'rm -rf /'", "dsh -g all -- rm -rf /", "frobnicate --on-change 'rm -rf ~'", "runner --cmd='mkfs.ext4 /dev/sda1'", "air --build.cmd 'rm -rf /'", "note add 'rm -rf /'",
			},
			Miss: []string{
				`note add "never run rm -rf /"`, "slack-notify 'mkfs failed'", "gh issue create --title 'rm -rf /'", "git commit -m 'rm -rf /'", "echo rm -rf /", "grep -r 'rm -rf /' .",
				"frobnicate --on-change 'rm -rf build'", "todo add reboot", "ansible all -m ping", "rg 'rm -rf /' .",
			},
		},
	}
}

// maxTexts bounds how many arguments of a command are read as commands.
const maxTexts = 4

// catastropheInArgument matches a program that the grammar does not know, or
// one with an option that it does not know or that names a program, with an
// argument that the floor denies as a line of its own.
func catastropheInArgument(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	known := c.Args.Program != nil && !c.Args.Unlisted
	if s.Denies == nil || c.Keyword || c.Function || len(c.Words) < 2 || known && !c.Args.RunsOption() {
		return shell.Span{}, false
	}
	tries, plain := 0, plainFrom(c)
	for i := 1; i < len(c.Words) && tries < maxTexts; i++ {
		w := &c.Words[i]
		for _, v := range w.Values {
			if strings.HasPrefix(v, "-") {
				_, v, _ = strings.Cut(v, "=")
			}
			switch {
			case v == "" || w.Open:
				continue
			case strings.ContainsAny(v, " \t"):
			case i >= plain && i+1 < len(c.Words) && c.Args.Program == nil: // perhaps a program with arguments
				v = joinedFrom(c, i)
			default:
				continue
			}
			if tries++; s.Denies(s, c, v) {
				return w.Span, true
			}
		}
	}
	return shell.Span{}, false
}

// plainFrom returns the index of the first of the last words of a command that are
// known and hold no syntax.
func plainFrom(c *command.Command) int {
	for i := len(c.Words) - 1; i >= 0; i-- {
		if v, ok := c.Words[i].Literal(); !ok || strings.ContainsAny(v, " \t\n'\"\\;&|<>()$`") {
			return i + 1
		}
	}
	return 0
}

// joinedFrom returns the words of a command from an index on, which are known, as
// a line.
func joinedFrom(c *command.Command, i int) string {
	out := make([]string, 0, len(c.Words)-i)
	for _, w := range c.Words[i:] {
		out = append(out, w.Values[0])
	}
	return strings.Join(out, " ")
}

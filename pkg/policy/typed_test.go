package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// argumentNames are those under which tools take text.
var argumentNames = append(policy.CommandArguments(), "input", "data", "text", "keys", "chars", "stdin", "line", "literal", "prompt", "message", "query", "url", "content", "new_string", "todos", "description", "body", "title", "session_id")

// handTool is a call of a tool with one argument.
func handTool(tool, argument string, v any) *policy.Call {
	c := call("")
	c.Tool, c.Input = tool, map[string]any{argument: v}
	return c
}

// TestEveryToolThatCarries gives each tool of the table, by each of its names, a
// catastrophe under each name of an argument: it is denied, also under yolo, where the
// tool carries a command there, and nowhere else.
func TestEveryToolThatCarries(t *testing.T) {
	e := engine(t, "", yolo)
	ambiguous := []string{"exec", "terminal", "run_command"} // without a command they are nobody's tool
	for _, tool := range policy.BuiltinTools() {
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			for _, argument := range argumentNames {
				isShell := tool.Kind == policy.KindShell
				carries := isShell && slices.Contains(tool.Subject, argument) ||
					slices.ContainsFunc(tool.Commands, func(field string) bool { field, _, _ = strings.Cut(field, "|"); return field == argument }) ||
					slices.Contains(ambiguous, name) && slices.Contains(policy.CommandArguments(), argument)
				if isShell && !carries {
					continue // a shell without a command
				}
				v, err := e.Decide(t.Context(), nil, handTool(name, argument, "rm -rf /\n"))
				switch {
				case carries && v.Decision != policy.Deny, !carries && v.Stage == policy.StageHardline:
					t.Errorf("%s {%s}: %s %s, carries a command: %v", name, argument, brief(v), v.Rule, carries)
				case carries && err != nil:
					t.Errorf("%s {%s}: %v", name, argument, err)
				}
			}
		}
	}
}

// Names of tools that nobody declared.
var (
	typingTools = strings.Fields(`send_keys type_in_terminal terminal_input terminal_write terminal_send_text write_to_terminal tmux_send_keys mcp__tmux__send-keys
		mcp__terminal__write mcp__iterm__write_to_terminal mcp__desktop-commander__interact_with_process write_to_process feed_stdin pty_write pty_send send_input console_input
		mcp__shell__send process_write send_to_process stdin_write exec_input terminal_type send_command mcp__term__type sendToTerminal WriteStdin shell_send bash_input
		write_to_shell repl_write mcp__ssh__send mcp__kitty__send_text screen_stuff mcp__pty__keys write_to_pty`)
	proseTools = strings.Fields(`mcp__slack__send mcp__slack__send_message mcp__gmail__send_email mcp__notion__append mcp__github__create_issue mcp__jira__add_comment
		mcp__notes__write mcp__telegram__send_text send_message mcp__tts__speak mcp__db__query mcp__browser__type computer process_payment send_notification
		mcp__order_process__send_email sendText mcp__slack__type mcp__input__validate`)
)

// TestTypingByName shows which tools that nobody declared type into a terminal, by
// their names, and that prose stays prose.
func TestTypingByName(t *testing.T) {
	e := engine(t, "", yolo)
	for _, argument := range []string{"command", "cmd", "input", "data", "text", "keys", "chars", "stdin"} {
		for _, name := range typingTools {
			for _, v := range []any{"rm -rf /\n", "rm -rf /", []any{"rm -rf /", "Enter"}} {
				if got := decide(t, e, nil, handTool(name, argument, v)); got.Stage != policy.StageHardline {
					t.Errorf("%s {%s: %q}: %s", name, argument, v, brief(got))
				}
			}
			if got := decide(t, engine(t, "", nil), nil, handTool(name, argument, "ls\n")); got.Decision == policy.Allow {
				t.Errorf("%s {%s}: typing allows", name, argument)
			}
		}
	}
	for _, argument := range []string{"input", "data", "text", "keys", "message", "body", "content"} {
		for _, name := range proseTools {
			if got := decide(t, e, nil, handTool(name, argument, "rm -rf /\n")); got.Decision == policy.Deny {
				t.Errorf("%s {%s}: %s %s", name, argument, brief(got), got.Rule)
			}
		}
	}
}

// TestKeys shows how keys are read that are typed: as characters, by their names in the
// ways that tools have for them, as escapes, and as lists.
func TestKeys(t *testing.T) {
	e := engine(t, "", yolo)
	for want, typed := range map[policy.Decision][]any{
		policy.Deny: {
			"rm -rf /", "rm -rf /\r", "rm -rf / Enter", "rm -rf / C-m", "C-c rm -rf / Enter", "\x03rm -rf /\n", "\x1b[200~rm -rf /\x1b[201~\n", "\x1bOArm -rf /\n",
			"{Enter}rm -rf /{ENTER}", "<C-c>rm -rf /<CR>", "[Enter]rm -rf /[Enter]", "^Crm -rf /^M", `rm -rf /\n`, `ls\rrm -rf /\r`, `\x03rm -rf /\x0a`, "y\nrm -rf /\n",
			"C-c rm -rf '/' Enter", "C-c rm -rf /", "Up rm -rf / Enter", "Escape rm -rf / KPEnter", "{ctrl+c}rm -rf /{enter}", "rm{Space}-rf{Space}/<Return>", "rm Space -rf Space / Enter",
			[]any{"rm -rf /", "Enter"}, []any{"rm", " -rf", " /", "Enter"}, []any{"r", "m", "Space", "-", "r", "f", "Space", "/", "Enter"}, []any{"C-c", "rm -rf /", "C-m"},
			[]any{"rm", "-rf", "/"}, []any{"ctrl+c", "rm -rf /", "enter"}, []any{"ls", "Enter", "rm -rf /"}, []any{map[string]any{"text": "rm -rf /"}, map[string]any{"key": "Enter"}},
		},
		policy.Allow: {
			"y\n", "ls -la\n", "q", "C-c", "npm test Enter", "rm -rf ./build\n", "echo 'rm -rf /'\n", "git commit -m 'rm -rf /'\n", `printf 'a\nrm -rf /\n'`, "print('rm -rf /')\n",
			"{", "^", "<", "[Enter", `\`, `\x`, "\x1b", "\x1b[", []any{"C-c"}, []any{"Up", "Enter"}, []any{"y", "Enter"}, []any{}, "",
		},
	} {
		for _, v := range typed {
			if got := decide(t, e, nil, handTool("write_stdin", "chars", v)); got.Decision != want {
				t.Errorf("%q: %s %s", v, brief(got), got.Rule)
			}
		}
	}
}

// Package picture draws the picture of the README: a call of an agent that is
// refused, in a light and a dark terminal.
//
// The text is what policyctl-hook and policyctl print, so a change of their
// output makes the picture stale, and a test says so. The package writes no
// file and judges nothing itself.
package picture

//go:generate go run ./gen ../../../docs/pictures

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	columns    = 92.0
	lineHeight = 20
	charWidth  = 8.43 // of a monospaced font at 14 pixels
	margin     = 24
	command    = "git status && rm -rf ~"
)

// A theme holds the colors of one picture.
type theme struct{ name, back, frame, text, faint, bad string }

var themes = []theme{
	{"light", "#ffffff", "#d0d7de", "#1f2328", "#59636e", "#cf222e"},
	{"dark", "#0d1117", "#3d444d", "#f0f6fc", "#9198a1", "#ff7b72"},
}

// A line is a line of the terminal, in the color of its kind.
type line struct{ kind, text string }

// Draw builds policyctl and policyctl-hook in a temporary directory, runs them
// and returns the pictures by file name. root is the directory of the module.
func Draw(root string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "policyctl-picture-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./cmd/policyctl", "./cmd/policyctl-hook")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	lines, err := play(dir)
	if err != nil {
		return nil, err
	}
	pictures := map[string][]byte{}
	for _, t := range themes {
		pictures["refusal-"+t.name+".svg"] = t.draw(lines)
	}
	return pictures, nil
}

// record is how the answer names its record, by an id that is another one each time.
var record = regexp.MustCompile("policyctl why [0-9a-f]{8}")

// play returns the lines of the picture: the command an agent wants to run,
// the answer of the hook, and the same decision for a person.
func play(dir string) ([]line, error) {
	event, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "picture", "cwd": "/", "tool_name": "Bash",
		"tool_input": map[string]string{"command": command},
	})
	if err != nil {
		return nil, err
	}
	out, err := run(dir, event, "policyctl-hook", "claude")
	if err != nil {
		return nil, err
	}
	var answer struct {
		Output struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("the answer of the hook: %w: %s", err, out)
	}
	lines := []line{
		{"faint", "# A coding agent wants to run this. The hook answers first:"},
		{"text", "Bash   " + command},
		{"bad", answer.Output.Decision},
	}
	for _, text := range wrap(record.ReplaceAllString(answer.Output.Reason, "policyctl why 937eb891"), int(columns)-7) {
		lines = append(lines, line{"text", "       " + text})
	}
	lines = append(lines, line{}, line{"faint", "# The same decision, for you:"}, line{"text", "$ policyctl eval '" + command + "'"})
	if out, err = run(dir, nil, "policyctl", "eval", "--no-config", "--color", "never", command); err != nil {
		return nil, err
	}
	for text := range strings.Lines(string(out)) {
		text = strings.TrimRight(text, "\n")
		field, _, _ := strings.Cut(text, " ")
		switch {
		case field == "decision":
			lines = append(lines, line{"bad", text})
		case field == "why" || field == "command" || field == "stage" || field == "rule" || field == "risk":
			lines = append(lines, line{"text", text})
		case strings.Trim(text, " ^") == "" && text != "":
			lines = append(lines, line{"bad", text})
		}
	}
	return lines, nil
}

// run returns what a program of dir prints. A refusal ends policyctl with exit
// code 3, which is no error here.
func run(dir string, stdin []byte, name string, args ...string) ([]byte, error) {
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(dir, name), args...)
	cmd.Dir, cmd.Stdin = home, bytes.NewReader(stdin)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home}
	out, err := cmd.Output()
	if cmd.ProcessState == nil || len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) > width:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	return lines
}

func (t theme) draw(lines []line) []byte {
	var b bytes.Buffer
	width, height := int(math.Round(columns*charWidth))+2*margin, len(lines)*lineHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="policyctl refuses a command of a coding agent">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, t.back, t.frame)
	fmt.Fprintln(&b, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`)
	colors := map[string]string{"text": t.text, "faint": t.faint, "bad": t.bad}
	for i, l := range lines {
		if l.text == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", margin, margin+i*lineHeight+14, colors[l.kind], html.EscapeString(l.text))
	}
	fmt.Fprint(&b, "</g>\n</svg>\n")
	return b.Bytes()
}

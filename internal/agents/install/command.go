package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// The programs that answer a hook.
const (
	full  = "policyctl"      // hook AGENT
	small = "policyctl-hook" // AGENT
)

// CommandLine returns the command line with which an agent starts a binary as
// its hook. The binary must be safe from other users; where a plan makes it (see
// [Plan.Lasting]), the one that is copied must be.
func CommandLine(a *Agent, binary, copied string) (string, error) {
	if !filepath.IsAbs(binary) {
		return "", fmt.Errorf("%q is not absolute: write the path in full, since an agent may start anywhere", binary)
	}
	binary = filepath.Clean(binary)
	if i := strings.IndexFunc(binary, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }); i >= 0 {
		return "", fmt.Errorf("the path %q has a character that cannot be seen: move the binary", binary)
	}
	verb, ok := verbs()[filepath.Base(binary)]
	if !ok {
		return "", fmt.Errorf("%s is neither %s nor %s: give it one of these names, by which the hook is recognised later", binary, full, small)
	}
	if strings.Contains(binary, "/go-build") {
		return "", fmt.Errorf("%s is gone when go run ends: build policyctl, or name its path with --command", binary)
	}
	if err := checkBinary(copied); err != nil {
		return "", err
	}
	return quote(binary) + verb + a.Name, nil
}

// verbs returns what stands between a program and the name of the agent.
func verbs() map[string]string {
	return map[string]string{full: " hook ", small: " "}
}

// Beside returns the small binary in the same directory as a binary, or else
// the binary itself.
func Beside(binary string) string {
	other := filepath.Join(filepath.Dir(binary), small)
	if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return other
	}
	return binary
}

// quote returns a path as one word of a shell.
func quote(path string) string {
	const plain = "/._-+@%:,="
	special := func(r rune) bool {
		return r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(plain, r)
	}
	if !strings.ContainsFunc(path, special) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// An invocation is how a handler starts policyctl.
type invocation struct {
	binary string
	line   string
	// plain is the hook alone, as the line should have it.
	plain string
	limit limit
	// exact says that the line is what Install writes for the binary, now or
	// in an older version, with nothing else before or after.
	exact bool
	// guarded says that the line refuses by itself where the hook fails.
	guarded bool
	// wait is how long the hook was told to wait; 0 if it was not.
	wait time.Duration
}

// waiting returns the words that tell a hook how long to wait; none for 0.
func waiting(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf(" --wait %ds", d/time.Second)
}

// invocation returns how a handler starts policyctl for the agent; ok is false
// if it starts something else.
func (a *Agent) invocation(h handler) (inv invocation, ok bool) {
	inv.line, _ = h.fields[a.commandKey].(string)
	hook, guarded := unguarded(inv.line)
	words := split(hook)
	args, direct := h.fields["args"].([]any)
	if direct { // the agent starts the program without a shell
		words = []string{inv.line}
		for _, arg := range args {
			s, _ := arg.(string)
			words = append(words, s)
		}
	}
	inv.limit, words = limitOf(words)
	if len(words) == 0 {
		return inv, false
	}
	verb, known := verbs()[filepath.Base(words[0])]
	want := append(strings.Fields(verb), a.Name)
	if !known || len(words) <= len(want) || strings.Join(words[1:len(want)+1], "\x00") != strings.Join(want, "\x00") {
		return inv, false
	}
	if rest := words[len(want)+1:]; len(rest) > 1 && rest[0] == "--wait" {
		wait, _ := time.ParseDuration(rest[1])
		inv.wait = max(wait, 0) // which Install does not write
	}
	inv.binary, inv.guarded = words[0], guarded && !direct
	inv.plain = quote(words[0]) + verb + a.Name + waiting(inv.wait)
	inv.exact = !direct && hook == inv.limit.String()+inv.plain
	return inv, true
}

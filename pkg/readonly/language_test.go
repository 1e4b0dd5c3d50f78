package readonly

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// awkParts and sedParts are what random programs are made of. All that one can
// do beside printing is to make the file ran.
var (
	awkParts = strings.Split("print |printf |\"touch ran\"|\"ran\"|\x00|>|>>|/|/|/|\"|\"|[|]|[^|[:alpha:]|[[:|\\|\\/|\\]|\\[|\\\"|case|default|switch|func|nextfile|"+
		"length|x|a[1]|$1|NF|1|1e1|0x1|.5|1.|e|system(|getline|(|)|(1)|{|}|;|\n| | |,|+|++|--|!|~|=|/=|\x00\x00|?|:|in a|if (1) |while (x++ < 1) |else |do |#|\\\n|@f(|"+
		"print \x00 \"touch ran\"|print > \"ran\"| ; print \x00 \"touch ran\" ; |#\"/\n", "|")
	sedParts = strings.Split("w ran|e touch ran|w ran\n|s/a/b/|s/x/y/w ran|s/x/y/e|/|,|#|\\|\\/|[|]|[^|[:alpha:]|[[:|[/]|[]|a\\\n|i\\\n|a |c |y/ab/cd/|s/|s,|s#|p|n|N|"+
		":a|:a;|ba;|ta\n|b |b;|{|}|;|\n| |!|1|$|/a/|\\,a,|\\xax|I|g|\\n|\\\n|}w ran|;w ran|/w ran|/e|bx#", "|")
)

// TestLanguages runs random programs of awk and sed that are said to only print
// by every implementation there is: none of them makes a file.
func TestLanguages(t *testing.T) {
	seed.Slow(t)
	rng := rand.New(rand.NewPCG(seed.New(t), 0))
	for _, language := range []struct {
		parts    []string
		problem  func(string) string
		programs []string
	}{
		{awkParts, awkProblem, []string{"gawk", "gawk --posix", "mawk", "original-awk", "busybox awk"}},
		{sedParts, func(s string) string { return new(sed).problem(s) }, []string{"sed", "sed --posix", "busybox sed", "toybox sed", "minised"}},
	} {
		for n := 0; n < 200; {
			var b strings.Builder
			for range 2 + rng.IntN(8) {
				b.WriteString(strings.ReplaceAll(language.parts[rng.IntN(len(language.parts))], "\x00", "|"))
			}
			text := b.String()
			if language.programs[0] == "gawk" {
				text = "BEGIN { " + text + "\n}"
			}
			if !strings.Contains(text, "ran") || language.problem(text) != "" {
				continue
			}
			n++
			for _, program := range language.programs {
				printsOnly(t, strings.Fields(program), text)
			}
		}
	}
}

// printsOnly runs a program with a text, and looks for files that it made.
func printsOnly(t *testing.T, program []string, text string) {
	t.Helper()
	if _, err := exec.LookPath(program[0]); err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], append(program[1:], text)...)
	cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader("a\nx\nab\n")
	_ = cmd.Run() // most random programs are wrong
	if made, err := os.ReadDir(cmd.Dir); err != nil || len(made) > 0 {
		t.Errorf("%s made %v with %q (%v)", strings.Join(program, " "), made, text, err)
	}
}

package script

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/program"
)

func TestDump(t *testing.T) {
	b, _ := os.ReadFile("/tmp/dump.txt")
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		name, text, _ := strings.Cut(l, " ")
		lang := map[string]program.Language{"python3": program.Python, "node": program.JavaScript, "bun": program.JavaScript, "deno": program.JavaScript, "perl": program.Perl, "ruby": program.Ruby, "php": program.PHP, "lua": program.Lua, "awk": program.AWK, "gawk": program.AWK, "osascript": program.AppleScript}[name]
		text = strings.ReplaceAll(text, `\n`, "\n")
		p := Read(text, lang, Env{Home: "/home/dev"})
		fmt.Println("##", l)
		for _, c := range p.Calls {
			fmt.Printf("   %d %s %+v line=%v endless=%v first=%v det=%v\n", c.Act, c.Name, c.Values, c.Line, c.Endless, c.First, c.Detached)
		}
	}
}

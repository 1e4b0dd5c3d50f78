package hardline_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/hardline"
)

// TestHostileText gives rules long text in which much looks like a call. Each
// line takes milliseconds; what is not linear takes minutes for all.
func TestHostileText(t *testing.T) {
	took := cputime.Of(func() {
		for _, piece := range []string{"system(", "open(", "qx(", "qx/", "rmtree ", "open ", `open(x,"w");`, `x="a";y=x;`, "`ls -l` ", "while True: ", "for(;;) spawn ", `"a" `} {
			text := strings.Repeat(piece, 30_000/len(piece))
			for _, line := range []string{"python3 -c '" + text + "'", "perl -e '" + text + "'", "R -e '" + text + "'", "vim -c '" + text + "'"} {
				hardline.Match(scene(line))
			}
		}
		for _, piece := range []string{"cmd ", "powershell -c ", "cmd x ", "!ls ", "-c 'ls x' "} {
			for _, program := range []string{"cmd", "powershell", "tcsh", "psql"} {
				hardline.Match(scene(program + " " + strings.Repeat(piece, 1500)))
			}
		}
	})
	if took > 20*time.Second*cputime.Slower {
		t.Errorf("took %v", took)
	}
}

// TestManyKills gives the rules that look at the rest of a line many commands
// that ask them to.
func TestManyKills(t *testing.T) {
	for _, part := range []string{"kill $x; ", "ps aux; kill 1; ", "kill $(ps -ef); ", "ps -ef | kill $x | ", "pgrep x | xargs kill; "} {
		s := scene(strings.Repeat(part, 1500) + "true")
		if took := cputime.Of(func() { hardline.Match(s) }); took > time.Second/4*cputime.Slower {
			t.Errorf("%s… takes %v", part, took)
		} else {
			t.Log(part, took)
		}
	}
}

// TestRunsItself gives rules lines whose files and variables run the line itself,
// many times each.
func TestRunsItself(t *testing.T) {
	for _, count := range []int{50, 300} {
		for _, line := range []struct{ each, text string }{
			{`os.system("python3 f.py %")`, "cat > f.py <<'E'\nimport os\n%sE\npython3 f.py"},
			{`os.system("sh f.sh %")`, "cat > f.sh <<'E'\n%sE\npython3 -c 'import os; os.system(\"sh f.sh\")'"},
			{`python3 f.py %`, "cat > f.py <<'E'\nimport os\nos.system(open(\"g.sh\").read())\nE\ncat > g.sh <<'E'\n%sE\npython3 f.py"},
			{`python3 -c "import os,sys; os.system(sys.argv[1])" "sh g.sh %"`, "cat > g.sh <<'E'\n%sE\nsh g.sh"},
			{`os.system(os.environ["C"]+" %")`, "export C='python3 f.py'; cat > f.py <<'E'\nimport os\n%sE\npython3 f.py"},
			{`python3 -c "import os; os.system(os.environ[\"C\"])" %`, "export C='sh g.sh'; cat > g.sh <<'E'\n%sE\nsh g.sh"},
		} {
			var body strings.Builder
			for i := range count {
				body.WriteString(strings.ReplaceAll(line.each, "%", strconv.Itoa(i)) + "\n")
			}
			s := scene(strings.ReplaceAll(line.text, "%s", body.String()))
			if took := cputime.Of(func() { hardline.Match(s) }); took > time.Second/2*cputime.Slower {
				t.Errorf("%d times %s takes %v", count, line.each, took)
			}
		}
	}
}

//go:build linux

package shells

import (
	"testing"
	"time"
)

func TestThin(t *testing.T) {
	need(t)
	d := start(t, 0, []string{"cat", "false"})
	for _, line := range []string{"ls a* 'x y'; cat < f | ./p", "ls >out & sleep 0.05; (cd dirlink && cat $(ls)) 2>/dev/null", "kill -9 -1; ls", "while :; do ls; done", "echo <(ls) {1..3} =ls; cat a", "ls # x\\\nrm -rf /", "x=(a)# ; ./p", "ls &>out", "wörter x; ls >secret.txt; foo() { ls; }; foo; ls >>/home/dev/x; cat <<E\n$(ls x)\nE\n", "while :; do :; done"} {
		at := time.Now()
		out, err := d.run(line, shells)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%q %v", line, time.Since(at))
		for i, o := range out {
			n := min(8, len(o.records))
			for _, r := range o.records[:n] {
				t.Logf("   %s %s %q", shells[i].name, r.String(), r.open)
			}
			t.Logf("   %s late=%v n=%d changed=%q opened=%q", shells[i].name, o.late, len(o.records), o.changed, o.opened)
		}
	}
	for _, sh := range shells {
		at := time.Now()
		for range 50 {
			d.run("ls -l a; cat b", []judgeShell{sh})
		}
		t.Logf("%s %v", sh.name, time.Since(at)/50)
	}
}

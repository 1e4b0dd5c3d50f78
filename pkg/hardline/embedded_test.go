package hardline_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/hardline"
)

// written returns a line that writes a file and runs a program on it.
func written(file, text, run string) string {
	return "cat > " + file + " <<'EOF'\n" + text + "\nEOF\n" + run
}

// What programs run that have a language of their own is denied as a line of
// the shell is, and what only looks so is not.
func TestEmbedded(t *testing.T) {
	makefile := func(text string) string { return written("Makefile", text, "make") }
	cmake := func(text string) string { return written("x.cmake", text, "cmake -P x.cmake") }
	var many strings.Builder
	for i := range 40 {
		many.WriteString("V" + strconv.Itoa(i) + " = a\n")
	}
	for name, lines := range map[string]struct{ denied, harmless []string }{
		"sed": {
			denied: []string{
				"sed '1e rm -rf /' f", "sed -n '/x/{\ne rm -rf /\n}' f", "sed '1,3e  rm -rf /' f", "sed '$!e rm -rf /' f", "sed 'p;e rm -rf /' f", "sed '1erm -rf /' f", "sed 's|x|rm -rf /|e' f", "sed 's,a,b,;/x/I,+2e rm -rf /' f", "sed -e 'p' -e 'e rm -rf /' f",
				"echo 'rm -rf /' | sed e", "echo 'rm -rf /' | sed ' 1,2 e '", "echo 'rm -rf /' | sed '/a/,/b/e'", "echo 'rm -rf /' | sed '$e'",
				`sed 's/x/rm -rf \//e' f`, `sed 's/x/rm -rf \//gI3e' f`, `sed 's/\/x/rm -rf \//2e' f`, `sed 'p; s/x/rm -rf \//e' f`, `sed 's/a/b/;s/x/rm -rf ~/e' f`,
				"sed -n 'w /dev/sda' f", "sed '/x/w/dev/sda' f", "sed 's/a/b/gw /dev/sda' f", "sed 's/a/b/\nw /dev/sda\np' f", "sed 'p;W /dev/sda' f",
			},
			harmless: []string{
				"sed 's/the rm -rf //' f", "sed '/reboot/d' f", "sed 's/a/e reboot/' f", "echo 'rm -rf /' | sed 's/x/e/'", "sed 'e\nrm -rf /' f", "echo 'rm -rf /' | sed '/e'", `sed 's/x/rm -rf \//g' f`, "sed 's/x/rm -rf ~' f",
				"sed 'y/e/rm -rf /' f", "sed 's/a/b/w out.txt' f", "sed -n 'w /tmp/a b' f", "sed 's/w \\/dev\\/sda/x/' f", "sed -n '/throw /dev/p' f", "sed 'i\\\nwe rm -rf / here' f",
			},
		},
		"make": {
			denied: []string{
				makefile("all:\n\trm -rf /"), makefile("all: ; @-rm -rf /"), makefile("all: x y;rm -rf ~"), makefile("D = /\nall:\n\trm -rf $(D)"), makefile("D:=/\nall:\n\t@rm -rf $(D)*"), makefile("D ?= / # the root\nall:\n\trm -rf $(D)"),
				makefile("all:\n\trm -rf $$HOME"), makefile("all:\n\ttrue\n\t\t- rm -rf /"), makefile(many.String() + "D = /\nall:\n\trm -rf $(D)"), makefile("all:\n" + strings.Repeat("\t@true\n", 300) + "\trm -rf /"), makefile("P = /\nX = P\nall:\n\trm -rf $${!X}"), makefile("P = /\nall:\n\teval rm -rf $${P}"),
				"make X='$(shell rm -rf / $(Y))'", "make X='$(info a)$(shell echo $(B); (rm -rf ~))'", "make X='$(shell true)$(shell rm -rf /'", makefile("X := $(shell rm -rf / 2>$(LOG))\nall:\n\ttrue"),
			},
			harmless: []string{
				makefile("all:\n\techo rm -rf /"), makefile("# all: ; rm -rf /"), makefile("X = a; rm -rf /\nall:\n\ttrue"), makefile("all:\n\t@# rm -rf /\n\t@echo"), makefile("D = build\nall:\n\trm -rf $(D)/"), makefile("D = /\nE = build\nall:\n\trm -rf $(E)"), makefile("all:\n\trm -rf $$TMPDIR/x"),
				makefile("1D = /\nall:\n\trm -rf ./$(1D)"), makefile("rm -rf /"), makefile("all\t: ; true\n"), "make X='$(shell echo rm -rf /)'", "make X='(shell rm -rf /)'",
			},
		},
		"cmake": {
			denied: []string{
				cmake("execute_process(COMMAND rm -rf /)"), cmake("EXECUTE_PROCESS (Command\n  rm -rf /\n)"), cmake("add_custom_target(x COMMAND true COMMAND rm -rf ~)"), cmake("file(REMOVE_RECURSE /)"), cmake("File ( remove_recurse\n/etc )"), cmake("file(REMOVE a b)\nfile(REMOVE /etc)"),
				cmake(strings.Repeat("execute_process(COMMAND true)\n", 300) + "execute_process(COMMAND rm -rf /)"),
			},
			harmless: []string{
				cmake("set(MY_COMMAND rm -rf /)"), cmake("set(COMMANDS rm -rf /)"), cmake("profile(REMOVE /)"), cmake("files(REMOVE /)"), cmake("file(REMOVED /)"), cmake("file(READ /etc/hostname h)"), cmake("execute_process(COMMAND echo rm -rf /)"), cmake("file(REMOVE_RECURSE build)"), cmake("execute_process(COMMAND\"rm -rf /\")"),
			},
		},
		"paths of code": {
			denied: []string{
				`python3 -c "open('/dev/../dev/sda','wb').write(b'x')"`, `python3 -c "open('../../../dev/sda','wb').write(b'x')"`, `python3 -c "open('//dev//sda','wb').write(b'x')"`, `ruby -e "File.write('/dev/./sda', 'x')"`, `perl -e 'open(F,">","/dev/./sda")'`, `awk 'BEGIN{print "x" > "/dev/./sda"}'`,
				`cd /dev && python3 -c "open('sda','wb').write(b'x')"`, `cd /dev; awk 'BEGIN{print "x" > "sda"}'`, "cd /dev && sed -n 'w sda' f", "sed -n 'w /dev/../dev/sda' f",
				`python3 -c "import os; os.chdir('/dev'); open('sda','wb').write(b'x')"`, `node -e "process.chdir('/dev'); require('fs').writeFileSync('sda','x')"`, `python3 -c "import os; os.chdir('src'); os.chdir('/dev'); open('sda','wb').write(b'x')"`, `python3 -c "import os; os.chdir('/'); os.chdir('dev'); open('sda','wb').write(b'x')"`,
				"python3 -c \"import os\ndef f():\n  open('sda','wb').write(b'x')\nos.chdir('/dev')\nf()\"", `python3 -c "import os,shutil; os.chdir('/tmp'); os.chdir('/'); shutil.rmtree('etc')"`, `python3 -c "import os,shutil; os.chdir('~'); shutil.rmtree('.')"`,
				`python3 -c "open('/proc/../proc/sysrq-trigger','w').write('b')"`, `cd /proc && python3 -c "open('sysrq-trigger','w').write('b')"`,
				`python3 -c "open('../.config/policyctl/policy.yaml','w')"`, `cd ~/.config && python3 -c "open('policyctl/policy.yaml','w')"`, `cd ~/.config/policyctl && python3 -c "open('policy.yaml','w')"`, `cd ~/.config/policyctl && sed -n 'w policy.yaml' f`, "sed -n 'w ../.config/policyctl/policy.yaml' f", `python3 -c "open('~/.config/policyctl/../policyctl/policy.yaml','w')"`,
			},
			harmless: []string{
				`python3 -c "import os,shutil; os.chdir('/'); os.chdir('/home/dev/project'); shutil.rmtree('.')"`, `python3 -c "import os,shutil; os.chdir('/'); shutil.rmtree('build')"`, `python3 -c "open('/dev/null','w').write('x')"`, `python3 -c "open('sda','w').write('x')"`, `cd /dev && python3 -c "print(open('sda').name)"`, `python3 -c "open('../notes/policy.yaml','w')"`,
				`cd ~/.config && python3 -c "open('htop/rc','w')"`, `cd ~/.config/policyctl && python3 -c "open('policy.yaml').read()"`, "sed -n 'w sda' f", "sed -n 'w policy.yaml' f", `cd /dev && python3 -c "open('/tmp/sda','w')"`,
			},
		},
		"clients": {
			denied: []string{
				"psql -c '\\echo `rm -rf /`'", "psql <<< '\\o |rm -rf /'", "psql <<< '\\setenv PAGER rm -rf /'", "psql <<< \"copy t to program 'rm -rf /'\"", `psql <<< "\\COPY t TO PROGRAM 'rm -rf /'"`, "m4 <<< 'syscmd(rm -rf /)'", "gm4 <<< 'a esyscmd(rm -rf /)'",
				`sqlite3 x "select edit('a', 'rm -rf /')"`, "sqlite3 x '.once |rm -rf /'", "sqlite3 x '.shell rm -rf /'", "gnuplot -e \"plot '<rm -rf /'\"", "gdb -ex 'pipe p x | rm -rf /'", `puppet apply -e "exec { 'rm -rf /': }"`,
			},
			harmless: []string{
				"psql -c 'select `rm -rf /`'", "m4 <<< 'system(rm -rf /)'", "sqlite3 x 'select 1 -- syscmd(rm -rf /)'", `psql -c "select edit('a', 'rm -rf /')"`, "psql <<< \"select 'copy to program'\"", "sqlite3 x '.once out.txt'",
			},
		},
	} {
		for _, line := range lines.denied {
			if _, ok := hardline.Match(scene(line)); !ok {
				t.Errorf("%s: not denied: %.200s", name, line)
			}
		}
		for _, line := range lines.harmless {
			if f, ok := hardline.Match(scene(line)); ok {
				t.Errorf("%s: denied by %s: %.200s", name, id(f), line)
			}
		}
	}
}

package hook

import (
	"strings"
	"testing"
)

func TestWaits(t *testing.T) {
	rows := []struct {
		want  bool
		lines string
	}{
		{true, "bash|sh|zsh|bash -i|bash -l|bash --norc|env bash|sudo bash|exec bash|cd x && zsh|ls; bash|(bash)|bash &"},
		{true, "python3|python|python3 -i|python3 -q|node|node -i|perl|ruby|php -a|ipython|/usr/bin/python3"},
		{true, "psql|psql -h host -U u db|sqlite3 x.db|mysql -u root db"},
		{true, "ssh host|ssh -p 22 user@host|su|su - root|sudo -i|sudo -s|docker exec -it c bash|timeout 9 bash|nice -n 5 python3"},
		{false, "ls|make|git status|cat x.py|npm test"},
		{false, "bash x.sh|bash -c ls|sh -lc 'ls -l'|bash --version|bash --help|echo ls | bash|bash < x.sh|bash <<EOF\nls\nEOF|python3 <<<'print(1)'"},
		{false, "python3 x.py|python3 -c 'print(1)'|python3 -m http.server|python3 --version|python3 -V|python3 -h|node x.js|node -e 1|node -v|node --test|perl -ne 'print' x|ruby -e 1|php -r 'echo 1;'"},
		{false, "psql -c 'select 1'|psql -l|psql -f x.sql|psql --version|sqlite3 x.db 'select 1'|mysql -e 'select 1'"},
		{false, "ssh host ls|sudo ls|su -c ls|docker exec c ls"},
	}
	for _, r := range rows {
		for line := range strings.SplitSeq(strings.ReplaceAll(r.lines, " | ", " \x00 "), "|") {
			line = strings.ReplaceAll(line, "\x00", "|")
			if got := lineWaits(line, "/w"); got != r.want {
				t.Errorf("%q: got %v", line, got)
			}
		}
	}
}

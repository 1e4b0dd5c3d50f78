package grant_test

import (
	"strings"
	"testing"
)

// TestReach shows arguments by which a program leaves its directory, or runs
// what its verb does not show; and those beside them that do neither.
func TestReach(t *testing.T) {
	for _, tc := range []struct{ want, line string }{
		{"ask", "tar -xPf a.tar"},
		{"ask", "tar xPf a.tar"},
		{"ask", "tar --absolute-names -xf a.tar"},
		{"ask", "tar --absolute-n -xf a.tar"},
		{"ask", "tar -cf a.tar -T list"},
		{"ask", "tar -cf user@host:x y"},
		{"ask", "tar -cf host:x y"},
		{"allow", "tar -xzpf a.tar"},
		{"allow", "tar -czf a.tar src"},
		{"ask", "unzip -: a.zip"},
		{"ask", "unzip -o: a.zip"},
		{"allow", "unzip -o a.zip"},
		{"ask", "git apply --unsafe-paths x.patch"},
		{"ask", "git apply --unsafe x.patch"},
		{"allow", "git apply -p1 x.patch"},
		{"ask", "git init --template=evil x"},
		{"ask", "git init --template evil"},
		{"allow", "git init x"},
		{"ask", "go env -w GOFLAGS=-toolexec=evil"},
		{"ask", "go run example.com/evil@latest"},
		{"ask", "go run -v example.com/evil@v1 x"},
		{"allow", "go run ./cmd/x mail@example.com"},
		{"ask", "go build -ldflags '-extld evil' ."},
		{"ask", "go build -ldflags=-extld=evil ."},
		{"allow", "go build -ldflags '-s -w -X main.version=1' ./x"},
		{"ask", "split --filter=evil a"},
		{"ask", "split --filt evil a"},
		{"allow", "split -b 10 a"},
		{"ask", "cargo test --config 'build.rustc=\"evil\"'"},
		{"ask", "cargo --config x test"},
		{"allow", "cargo test --lib -- --nocapture"},
		{"ask", "curl -K x"},
		{"ask", "curl -sK x"},
		{"allow", "curl -sS -o x https://example.com"},
		{"ask", "cmake -E rm -rf src"},
		{"allow", "cmake -DCMAKE_BUILD_TYPE=Release -S . -B build"},
		{"ask", "just -c evil"},
		{"ask", "just --shell evil x"},
		{"allow", "just test"},
		{"ask", "rake -qe evil"},
		{"allow", "rake test"},
		{"ask", "gcc -wrapper evil a.c"},
		{"ask", "gcc -fplugin=evil a.c"},
		{"allow", "gcc -I./include -Wall -c a.c -o a.o"},
		{"ask", "gcc -I../include -c a.c"},
		{"ask", "gcc -I./../include -c a.c"},
		{"ask", "make SHELL=evil"},
		{"ask", "make SHELL:=evil"},
		{"ask", "make MAKEFLAGS=--eval=evil"},
		{"ask", "make 'X=$(shell evil)'"},
		{"ask", "make 'X=`evil`'"},
		{"ask", "make 'CC=sh -c evil;' x"},
		{"ask", "make --eval='x:;evil'"},
		{"allow", "make -j4 CC=clang CFLAGS='-O2 -Wall' test"},
		{"ask", "less '+!evil' x"},
		{"ask", "php8.2 -r evil"},
		{"ask", "pypy3 -c evil"},
		{"ask", "hg push"},
		{"ask", "hg --config alias.commit=evil commit"},
		{"ask", "hg commit --config ui.editor=evil"},
		{"allow", "hg commit -m 'a b'"},
		{"ask", "hg"},
		{"ask", "git commit -m /etc"},
		{"ask", "git commit -m'../x y'"},
		{"ask", "git commit --template='/etc/x y'"},
		{"allow", "git commit -m'see /etc or a/b'"},
		{"allow", "git commit --message='see /etc'"},
		{"allow", "git commit -am 'see /etc'"},
	} {
		d := newDesk(t)
		d.settings.AutoAllowReadonly = false
		for _, verb := range strings.Split("tar,unzip,git apply,git init,git commit,go env,go run,go build,split,cargo test,curl,cmake,just,rake,gcc,make,less,php8.2,pypy3,hg commit,hg", ",") {
			d.entries = append(d.entries, here(t, verb+" in "+app)...)
		}
		if v := d.decide(d.call(tc.line)); v.Decision.String() != tc.want {
			t.Errorf("%q is %s by %s %s (%s), want %s", tc.line, v.Decision, v.Stage, v.Rule, v.Why, tc.want)
		}
	}
}

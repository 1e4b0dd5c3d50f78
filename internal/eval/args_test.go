package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// TestArgs compares the sub-command, the options and the roles of the operands
// of the first command.
func TestArgs(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"-r -f delete:/a delete:b", "rm -rf /a b"},
		{"delete:a -r -f", "rm a -rf"},
		{"-r delete:-f", "rm -r -- -f"},
		{"-recursive -force delete:a", "rm --recursive --force a"},
		{"-rec -forc delete:a", "rm --rec --forc a"},
		{"-r -nope! delete:a", "rm -r --nope a"},
		{"-R -q! delete:a", "rm -Rq a"},
		{"read:a write:b", "cp a b"},
		{"read:a read:b write:c", "cp a b c"},
		{"-t=d read:a read:b", "cp -t d a b"},
		{"-target-directory=d read:a", "cp --target-directory=d a"},
		{"move:a write:b", "mv a b"},
		{"data:755 alter:a alter:b", "chmod 755 a b"},
		{"-x alter:a", "chmod -x a"},
		{"-R data:a:b alter:c", "chown -R a:b c"},
		{"data:x read:f read:g", "grep x f g"},
		{"-e=x read:f", "grep -e x f"},
		{"-e=x read:f", "grep -ex f"},
		{"-regexp=x read:f", "grep --regexp=x f"},
		{"-r -n -A=3 data:x read:f", "grep -rnA3 x f"},
		{"-r -n -A=3 data:x read:f", "grep -rnA 3 x f"},
		{"-5 data:x", "grep -5 x"},
		{"-n=5 read:f", "head -n5 f"},
		{"-20 read:f", "head -20 f"},
		{"code:p read:f", "sed p f"},
		{"-i code:p write:f", "sed -i p f"},
		{"-i=.b code:p write:f", "sed -i.b p f"},
		{"-n -e=p read:f", "sed -ne p f"},
		{"-o=a read:b", "sort -o a b"},
		{"-u -o=a read:b", "sort -uoa b"},
		{"-outp=a read:b", "sort --outp=a b"},
		{"-compress-program=x", "sort --compress-program=x"},
		{"read:a write:b", "uniq a b"},
		{"read:. -name=x -delete", "find . -name x -delete"},
		{"read:a read:b -print", "find a b -print"},
		{"[status] -s", "git status -s"},
		{"-C=/x [status]", "git -C /x status"},
		{"-C=/x -c=a=b [log] -oneline -5", "git -C /x -c a=b log --oneline -5"},
		{"[remote add] data:a data:b", "git remote add a b"},
		{"[x] data:a", "git x a"},
		{"[commit] -m=a b", "git commit -m 'a b'"},
		{"[commit] -a -m=x", "git commit -amx"},
		{"-n=x [get] data:pods", "kubectl -n x get pods"},
		{"-n=x [get] data:pods", "kubectl -n=x get pods"},
		{"-n=x [get] data:pods -o=yaml", "kubectl -nx get pods -o=yaml"},
		{"[run] -v=/:/h data:a", "docker run -v=/:/h a"},
		{"-U==x", "psql -U=x"},
		{"[get] data:pods -n=x", "kubectl get pods -n x"},
		{"[container ls] -a", "docker container ls -a"},
		{"-p -i -e=x write:f", "perl -p -i -e x f"},
		{"-p -i -e=x write:f", "perl -pi -e x f"},
		{"-i alter:f", "chattr -i f"},
		{"data:+i alter:f", "chattr +i f"},
		{"-R -i alter:f", "chattr -R -i f"},
		{"[buildx build] -t=x dir:.", "docker buildx build -t x ."},
		{"[build] -t=x dir:.", "docker build -t x ."},
		{"-x -I=p -f=f data:g", "tar xIf p f g"},
		{"-T -TT=p write:a read:b", "zip -T -TT p a b"},
		{"-x -f=a -C=d", "tar xfC a d"},
		{"-bind=/a -chdir=/c", "bwrap --bind /a /b --chdir /c"},
		{"data:of=a data:if=b", "dd of=a if=b"},
		{"data:-l data:a", "echo -l a"},
		{"[build] -o=x data:./...", "go build -o x ./..."},
		{"[build] -o=x data:./...", "go build -o=x ./..."},
	} {
		l := Read(c.line, testEnv)
		if got := renderArgs(&l.Commands[0]); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// renderArgs renders the arguments in the order of the words.
func renderArgs(c *command.Command) string {
	at := make(map[int][]string)
	for _, o := range c.Args.Options {
		s := "-" + o.Name
		if o.Spec == nil {
			s += "!"
		}
		if o.HasArg {
			s += "=" + o.Arg.Values[0]
		}
		at[o.At] = append(at[o.At], s)
	}
	for _, o := range c.Args.Operands {
		at[o.At] = append(at[o.At], o.Role.String()+":"+c.Words[o.At].Values[0])
	}
	if c.Args.Sub != "" {
		at[c.Args.Verb] = append(at[c.Args.Verb], "["+c.Args.Sub+"]")
	}
	var out []string
	for i := range len(c.Words) + 1 {
		out = append(out, at[i]...)
	}
	return strings.Join(out, " ")
}

// TestEffects compares what all the commands of a line do.
func TestEffects(t *testing.T) {
	for _, c := range []struct{ want, line string }{
		{"reads f", "cat f"},
		{"writes g; reads f", "cat f > g"},
		{"reads f", "wc < f"},
		{"writes f", "ls > f"},
		{"writes f", "ls &>> f"},
		{"writes f", "ls >& f"},
		{"", "ls 2>&1"},
		{"", "ls >&2"},
		{"writes f", "ls <> f"},
		{"", "cat <<< a"},
		{"deletes a/", "rm -r a"},
		{"deletes a", "rm a"},
		{"", "rm --help a"},
		{"moves a/; writes b/; perhaps writes b/a/", "mv a b"},
		{"alters a/", "chmod -R 755 a"},
		{"reads a; writes b; perhaps writes b/a", "cp a b"},
		{"writes d; reads a; writes d/a", "cp -t d a"},
		{"writes a; reads b", "dd of=a if=b bs=1"},
		{"reads b; writes a", "x=if=b; [ -f c ] && x=of=a; dd $x"},
		{"writes a", "tee a"},
		{"deletes a/", "find a -delete"},
		{"reads a", "find a -name x"},
		{"reads a/", "find a"},
		{"writes f; reads .", "find . -name x -fprint f"},
		{"runs ./x", "./x"},
		{"runs x", "x"},
		{"runs /bin/ls; reads a", "/bin/ls a"},
		{"runs x", "bash x"},
		{"connects to http://h", "curl http://h"},
		{"reads f; connects to http://h", "curl -d @f http://h"},
		{"reads f; connects to http://h", "curl --data-bin @f http://h"},
		{"reads f; connects to http://h", "curl -F 'a=@f;type=x' http://h"},
		{"reads f; connects to http://h", "curl -F 'a=<f' http://h"},
		{"reads f; connects to http://h", "curl --data-urlencode a@f http://h"},
		{"reads f; reads g; connects to http://h", "curl -H @f -b g http://h"},
		{"reads ; connects to http://h", "curl -d @$f http://h"},
		{"connects to http://h", "curl -d a@f --data-raw @f --data-urlencode a=b@f -F a=b -b a=b -d @- http://h"},
		{"writes f; connects to http://h", "curl -o f http://h"},
		{"connects to h", "ssh h ls"},
		{"writes x.sh; connects to http://h/x.sh", "curl -O http://h/x.sh"},
		{"writes x; connects to http://h/a/x?b=/c", "wget 'http://h/a/x?b=/c'"},
		{"writes .; connects to http://h/", "wget http://h/"},
		{"writes f; connects to http://h/x", "wget -O f http://h/x"},
		{"connects to http://h/x", "wget --spider http://h/x"},
		{"writes f", "perl -pi -e x f"},
		{"deletes f", "git -C /x rm f"},
		{"alters f", "chattr -i f"},
		{"writes f; reads a", "sort -o f a"},
		{"deletes a", "sudo rm a"},
		{"reads a; connects to u@h:b", "scp a u@h:b"},
		{"connects to h:a; writes b; perhaps writes b/a", "scp h:a b"},
		{"connects to h:a; connects to g:b", "scp -r h:a g:b"},
		{"reads a/; connects to h::m/b", "rsync -a a h::m/b"},
		{"connects to rsync://h/m; writes b/; perhaps writes b/m/", "rsync rsync://h/m b"},
		{"reads a; writes /home/dev/b; connects to [::1]:b", "scp a '[::1]:b'"},
		{"reads a; writes /home/u/b; connects to u@[::1]:b", "scp a 'u@[::1]:b'"},
		{"reads a; writes b; connects to h:b", "x=b; [ x ] && x=h:b; scp a $x"},
		{"reads a; connects to ", "scp a h:$x"},
		{"reads a; writes ; connects to ", "scp a $x"},
		{"reads a; writes ; connects to ", "scp a h$x"},
		{"reads a; writes ", "scp a ./h$x"},
		{"reads a; writes ./h:b; perhaps writes ./h:b/a", "scp a ./h:b"},
		{"reads a; writes /b/h:b; perhaps writes /b/h:b/a", "scp a /b/h:b"},
		{"reads a; writes :b; perhaps writes :b/a", "scp a :b"},
		{"reads a; writes [h:b; perhaps writes [h:b/a", "scp a '[h:b'"},
		{"reads a; writes x[h:b; perhaps writes x[h:b/a", "scp a 'x[h:b'"},
		{"reads a; writes [h]x:b; perhaps writes [h]x:b/a", "scp a '[h]x:b'"},
		{"writes c; perhaps writes c/b", "docker cp a:b c"},
		{"reads a", "docker cp a c:b"},
		{"reads a; writes ./c:b; perhaps writes ./c:b/a", "docker cp a ./c:b"},
		{"reads a; writes /c:b; perhaps writes /c:b/a", "docker cp a /c:b"},
		{"reads a", "kubectl cp a n/p:b"},
		{"reads a; writes a/n/p:b; perhaps writes a/n/p:b/a", "kubectl cp a a/n/p:b"},
		{"reads a; writes h:b; perhaps writes h:b/a", "cp a h:b"},
		{"connects to h", "nc h 80"},
		{"connects to h", "nc -zvw3 h 80-90"},
		{"connects to p:1; connects to h", "nc -x p:1 h 80 81"},
		{"", "nc -l 80"},
		{"", "nc -klv 127.0.0.1 80"},
		{"connects to TCP:h:80", "socat - TCP:h:80"},
		{"deletes a", "bash -c 'rm a'"},
		// files that no argument spells
		{"reads a; writes d/; writes d/a", "cp a d/"},
		{"reads a; reads x/b; writes d; writes d/a; writes d/b", "cp a x/b d"},
		{"reads a; writes d", "cp -T a d"},
		{"moves *.go/; writes ./; writes ./*.go/", "mv *.go ."},
		{"writes x/a; writes ./a", "ln -s x/a"},
		{"connects to h:x/a; writes .; writes ./a", "scp h:x/a ."},
		{"reads a.tar; writes d/", "tar -C d -xf a.tar"},
		{"reads a.tar", "tar -tf a.tar"},
		{"writes d; reads a.zip; writes d/", "unzip a.zip -d d"},
		{"reads a.zip; writes ./", "unzip a.zip"},
		{"", "unzip -l"},
		{"writes d/", "7z x -od -y"},
		{"writes x; writes d; connects to http://h/x", "wget -P d http://h/x"},
		{"writes x; writes d; connects to http://h/x", "curl --output-dir d -O http://h/x"},
		{"writes f; writes f.bak", "sed -i.bak s/a/b/ f"},
		{"writes f; reads f; writes f.gz", "gzip f"},
		{"writes f.gz; reads f.gz; writes f", "gunzip f.gz"},
		{"writes a/", "git restore a"},
		{"", "git restore --staged a"},
		{"writes a/", "git checkout x -- a"},
		{"writes ./", "git checkout ."},
		{"", "git checkout feature/x"},
		{"reads p; writes ./", "git apply p"},
		{"reads p", "git apply --check p"},
		{"writes ./", "git stash pop"},
		{"", "git stash push"},
		{"reads p; writes d/", "patch -d d -i p"},
		{"writes f; reads p", "patch f p"},
		{"reads f; writes p", "split f p"},
		{"writes p; reads f", "csplit -f p f 3"},
		{"writes d/", "mktemp -p d"},
	} {
		l := Read(c.line, testEnv)
		var got []string
		for i := range l.Commands {
			l.Commands[i].Effects(func(e command.Effect) bool {
				s := fmt.Sprint(e.Kind, " ", strings.Join(e.Target.Values, "|"))
				if e.Recursive {
					s += "/"
				}
				if e.Perhaps {
					s = "perhaps " + s
				}
				got = append(got, s)
				return true
			})
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, g, c.want)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ want, path string }{
		{"/", "/"}, {"/", "//"}, {"/", "/."}, {"/", "/.."}, {"/", "/../.."}, {"/", "/a/.."}, {"/", "/./../a/.."}, {"/w", "."}, {"/w", ""},
		{"/", ".."}, {"/", "../../.."}, {"/etc", "../etc/"}, {"/w/a/b", "a//b/"}, {"/w/...", "..."}, {"/w/.a", ".a"}, {"/a/*", "/a/./*"}, {"/w/ ", " "},
	} {
		if got := shell.Paths(shell.Set{Values: []string{"/w"}}, shell.Set{Values: []string{c.path}})[0]; got != c.want {
			t.Errorf("%q is %s, want %s", c.path, got, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want          bool
		pattern, text string
	}{
		{true, "a", "a"}, {true, "*", ""}, {true, "*", "abc"}, {true, "a*c", "abbc"}, {true, "a?c", "abc"}, {true, "[ab]c", "bc"}, {true, "[a-c]", "b"},
		{true, "[!a]", "b"}, {true, "[^a]", "b"}, {true, `\*`, "*"}, {true, "[]a]", "]"}, {true, "[", "["}, {true, "a[", "a["}, {true, "[a-]", "-"}, {true, "**", "a"}, {true, `[\]]`, "]"},
		{false, "a", "b"}, {false, "a", "ab"}, {false, "?", ""}, {false, "[ab]", "c"}, {false, "[!a]", "a"}, {false, `\*`, "a"}, {false, "a*", "ba"}, {false, "[a-c]", "d"},
	} {
		if shell.Matches(c.pattern, c.text) != c.want {
			t.Errorf("%q matches %q: want %v", c.pattern, c.text, c.want)
		}
	}
}

package own_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/own"
)

var state = own.New(own.Place{
	Private:  []string{"/home/dev/.local/state/policyctl", "/srv/pol/approval.db", "/", "/srv"},
	Logs:     []string{"/home/dev/project/nohup.out"},
	Services: []string{"http://127.0.0.1:8765/s/pol_x", "https://ask.example/policy", "unix:/run/p.sock", "unix:relative", "ftp://x", "::"},
})

func read(line string) *eval.Line {
	return eval.Read(line, eval.Env{Dir: "/home/dev/project", Home: "/home/dev"})
}

func TestNothing(t *testing.T) {
	if s := own.New(own.Place{Private: []string{"/"}, Services: []string{"x"}}); s != nil {
		t.Errorf("%+v", s)
	}
	var none *own.State
	if _, reads := none.Reads(read("cat /srv/pol/approval.db"), 0, ""); reads || none.Holds("/x") || none.LiesBelow("/") || none.Contact(read("curl x"), 0) != own.None || none.Request("", "x") != own.None {
		t.Error("nothing is something")
	}
}

func TestHolds(t *testing.T) {
	for path, want := range map[string]bool{
		"/srv/pol/approval.db": true, "/SRV/pol/Approval.DB": true, "/srv/pol/approval.db/x": true, "/srv/pol/approval.db-old": false, "/srv/pol": false, "/srv": false,
		"/home/dev/.local/state/policyctl": true, "/home/dev/.local/state/policyctl-notes": false, "/home/dev/project/nohup.out": true, "/etc/passwd": false,
	} {
		if state.Holds(path) != want {
			t.Errorf("%s: want %v", path, want)
		}
	}
	for dir, want := range map[string]bool{"/": true, "/srv": true, "/srv/pol": true, "/srv/po": false, "/home/dev": true, "/home/dev/project": false, "/srv/pol/approval.db": false} {
		if state.LiesBelow(dir) != want {
			t.Errorf("below %s: want %v", dir, want)
		}
	}
}

func TestRequest(t *testing.T) {
	for url, want := range map[string]own.Use{
		"http://127.0.0.1:8765/v1/login": own.Decides, "http://localhost:8765/health": own.Ordinary, "localhost:8765/login": own.Decides, ":8765/v1/requests": own.Ordinary,
		"http://127.0.0.1:8765/": own.Unclear, "http://127.0.0.1:8765/v1/rules": own.Unclear, "http://127.0.0.1:8765/v1/nothing": own.Unclear, "http://127.0.0.1:87651/v1/login": own.None,
		"https://ask.example/policy/v1/login": own.Decides, "https://ask.example:443/policy/health": own.Ordinary, "https://ask.example/v1/login": own.None, "http://ask.example/policy/v1/login": own.None,
		"https://ask.example.evil/policy/v1/login": own.None, "http://10.0.0.1:8765/v1/login": own.None, "http://127.0.0.1:8765/s/tok/requests/1/decision": own.Decides, "": own.None,
	} {
		if got := state.Request("", url); got != want {
			t.Errorf("%s: %d, want %d", url, got, want)
		}
	}
	for method, want := range map[string]own.Use{"GET": own.Ordinary, "get": own.Ordinary, "POST": own.Decides, "patch": own.Decides, "": own.Unclear} {
		if got := own.UseOf(method, "/v1/rules/x"); got != want {
			t.Errorf("%q: %d, want %d", method, got, want)
		}
	}
}

func TestContact(t *testing.T) {
	for line, want := range map[string]own.Use{
		"curl --unix-socket /run/p.sock http://x/v1/login": own.Decides, "curl --unix-socket /run/p.sock http://x/health": own.Unclear, "nc -U /run/p.sock": own.Unclear,
		"curl http://127.0.0.1:8765/v1/rules": own.Ordinary, "curl -d x http://127.0.0.1:8765/v1/rules": own.Decides, "curl -G -d x http://127.0.0.1:8765/v1/rules": own.Ordinary,
		"curl \"http://127.0.0.1:8765/v1/requests/$ID\"": own.Ordinary, "curl -d x \"http://127.0.0.1:8765/v1/requests/$ID\"": own.Unclear, "curl \"$U/v1/requests/$ID/decision\" -d x": own.Unclear,
		"curl -d x \"$U/v1/login\"": own.None, "nc -z localhost 8765": own.Ordinary, "echo localhost 8765": own.None, "ls": own.None, "X=1": own.None, "f() { ls; }; f": own.None,
		"ls | xargs pwsh -c iwr": own.None, "xargs pwsh -c \"iwr http://127.0.0.1:8765/v1/login -Method $M\"": own.Unclear,
	} {
		if got := state.Contact(read(line), 0); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}

// What packs or copies a directory reads the state that lies below it.
func TestReadsBelow(t *testing.T) {
	for line, want := range map[string]bool{
		"tar c /srv": true, "7zr a x.7z /srv": true, "zip -r x.zip /srv": true, "zip -ry x.zip /srv": true, "pax -w /srv": true, "restic backup /srv": true, "rsync -a /srv host:": true, "rg x /srv": true, "rclone copy /srv a:b": true,
		"zip x.zip /srv": false, "cat /srv": false, "ls -R /srv": false, "tar c /srv/other": false, "restic backup /usr": false, "grep -r x /srv": true, "cp -a /srv /tmp": true,
	} {
		if _, got := state.Reads(read(line), 0, "/home/dev"); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// What only prints its words, or compares them, opens none.
func TestReadsPrinted(t *testing.T) {
	for line, want := range map[string]bool{
		"[[ -f /srv/pol/approval.db ]]": false, "[ -f /srv/pol/approval.db ]": false, "test -f /srv/pol/approval.db": false, "echo /srv/pol/approval.db": false,
		"grep /srv/pol/approval.db f": false, "rg /srv/pol/approval.db f": false, "cat /srv/pol/approval.db": true, "grep x /srv/pol/approval.db": true, "fgrep /srv/pol/approval.db f": false,
		"jq 'input \"/srv/pol/approval.db\"' f": true, "sqlite3 x \"attach '/srv/pol/approval.db' as y\"": true,
	} {
		if _, got := state.Reads(read(line), 0, "/home/dev"); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// The program itself shows the calls of all projects with some of its commands.
func TestRecalls(t *testing.T) {
	for line, want := range map[string]bool{
		"policyctl log": true, "policyctl log --project /srv/other": true, "policyctl log --here=false": true, "/opt/bin/policyctl log --json": true,
		"policyctl audit export": true, "policyctl audit list": true, "policyctl audit show 7": true,
		"policyctl log --here": false, "policyctl log --last 5 --here": false, "policyctl why": false, "policyctl why 937eb891": false,
		"policyctl status": false, "policyctl stats": false, "policyctl audit verify": false,
		"policyctl explain 'policyctl log'": false, "policyctl help log": false, "git log": false,
	} {
		if _, got := state.Reads(read(line), 0, "/home/dev"); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// The span is that of the word that names the state.
func TestReadsSpan(t *testing.T) {
	line := "cat notes /srv/pol/approval.db"
	span, ok := state.Reads(read(line), 0, "/home/dev")
	if !ok || line[span.From:span.To] != "/srv/pol/approval.db" {
		t.Errorf("%v %v", span, ok)
	}
}

func FuzzState(f *testing.F) {
	for _, l := range []string{"curl -d x http://127.0.0.1:8765/v1/login", "tar c -C / srv", "find ~ -exec cat {} +", "docker run -v /:/x y", "nc localhost 8765 <<< x"} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := read(text)
		for i := range line.Commands {
			state.Reads(line, i, "/home/dev")
			state.Contact(line, i)
		}
	})
}

package sensitive

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

const home = "/home/dev"

// has reports whether one of the entries that a path matches, found without the
// index, has the given id.
func has(path, id string) bool {
	var room room
	p := read("", path, home, false, &room)
	return slices.ContainsFunc(scan(&p, Secret|Trigger|Project), func(i int) bool { return Entries()[i].ID == id })
}

// scan returns all entries that a path matches, in the order of the table.
func scan(p *place, r Role) []int {
	var out []int
	t := index()
	for i := range t.patterns {
		q := &t.patterns[i]
		if t.entries[q.entry].Role&r != 0 && q.matches(p) && !t.excepted(q.entry, p) && !slices.Contains(out, q.entry) {
			out = append(out, q.entry)
		}
	}
	return out
}

func TestExamples(t *testing.T) {
	for _, e := range Entries() {
		if len(e.Hit) < 3 || len(e.Miss) < 3 {
			t.Errorf("%s: has fewer than three examples of a kind", e.ID)
		}
		for _, path := range e.Hit {
			if !has(path, e.ID) {
				t.Errorf("%s: does not match %s", e.ID, path)
			}
			if !has(strings.ToUpper(path), e.ID) {
				t.Errorf("%s: does not match %s", e.ID, strings.ToUpper(path))
			}
		}
		for _, path := range e.Miss {
			if has(path, e.ID) {
				t.Errorf("%s: matches %s", e.ID, path)
			}
		}
	}
}

func TestTable(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, e := range Entries() {
		if !kebab.MatchString(e.ID) || seen[e.ID] {
			t.Errorf("%s: is no id of its own", e.ID)
		}
		seen[e.ID] = true
		if e.Role == 0 || e.Why == "" || strings.HasSuffix(e.Why, ".") {
			t.Errorf("%s: needs a role and a clause that says why", e.ID)
		}
	}
}

// TestIndex checks that the index finds what a look at every pattern finds.
func TestIndex(t *testing.T) {
	for _, e := range Entries() {
		for _, path := range append(slices.Clone(e.Hit), e.Miss...) {
			checkIndex(t, path)
		}
	}
}

func checkIndex(t *testing.T, path string) {
	t.Helper()
	var room room
	p := read("", path, home, false, &room)
	for _, r := range []Role{Secret, Trigger, Project, Secret | Trigger} {
		want := ""
		if all := scan(&p, r); len(all) > 0 {
			slices.Sort(all)
			want = Entries()[all[0]].ID
		}
		got := ""
		if e, ok := FindRole(path, home, r); ok {
			got = e.ID
		}
		if got != want {
			t.Errorf("FindRole(%q, %v) = %q, want %q", path, r, got, want)
		}
	}
}

func TestFindRole(t *testing.T) {
	for _, tt := range []struct{ want, path, home string }{
		{"ssh-key", "/home/dev/.ssh/id_rsa", ""},
		{"ssh-key", "/srv/ann/.ssh/id_rsa", ""},
		{"ssh-key", "/home/dev/.\u200cſsh/id_rsa", ""},
		{"kube-config", "/home/dev/.\u212aube/config", ""},
		{"azure-credentials", "/work/.azure/token", "/work"},
		{"azure-credentials", "/work/.azure/token", "/Work/"},
		{"azure-credentials", "/~/.azure/token", ""},
		{"azure-credentials", "/proc/1/root/proc/self/root/root/.azure/token", ""},
		{"azure-credentials", "../../.azure/token", ""},
		{"env-file", ".env.", ""},
		{"env-file", "C:/app/.env", ""},
		{"sudoers", "/mnt/c/etc/sudoers", ""},
		{"", "/work/.azure/token", "/elsewhere"},
		{"", "/", "/"},
		{"", ".", ""},
		{"", "", ""},
		{"", "/home", ""},
		{"", "etc/shadow", ""},
		{"shadow", "/usr/../etc/./x/..//shadow", ""},
		{"shadow", "/../etc/shadow", ""},
		{"", "/etc/shadow/../hosts", ""},
		{"env-file", "x/../.env", ""},
	} {
		got := ""
		if e, ok := FindRole(tt.path, tt.home, Secret); ok {
			got = e.ID
		}
		if got != tt.want {
			t.Errorf("FindRole(%q, %q, Secret) = %q, want %q", tt.path, tt.home, got, tt.want)
		}
	}
	for _, tt := range []struct {
		want      bool
		dir, path string
	}{
		{true, "/home/dev/.ssh", "id_rsa"},
		{true, "/home/dev/project", "../.ssh/id_rsa"},
		{true, "/home/dev/project", "~/.ssh/id_rsa"},
		{true, "/home/dev/project", "/root/.ssh/id_rsa"},
		{true, "/etc", "shadow"},
		{false, "/home/dev/.ssh", "../project/a.go"},
		{false, "/home/dev/.ssh", "/tmp/a"},
	} {
		if e, ok := FindIn(tt.dir, tt.path, home, Secret); ok != tt.want {
			t.Errorf("FindIn(%q, %q) = %v %v, want %v", tt.dir, tt.path, e, ok, tt.want)
		}
	}
	if e, ok := FindRole("/home/dev/.bashrc", home, Secret); ok {
		t.Errorf("~/.bashrc is a secret: %s", e.ID)
	}
	if _, ok := FindRole("/etc/shadow", home, 0); ok {
		t.Error("no role finds an entry")
	}
}

func TestMayFind(t *testing.T) {
	for _, tt := range []struct {
		want    bool
		pattern string
		role    Role
	}{
		{true, "/home/dev/project/.env*", Secret},
		{true, "/home/dev/project/.e*", Secret},
		{true, "/home/dev/project/**/.env", Secret},
		{true, "**/.ssh/id_*", Secret},
		{false, "/home/dev/project/**/*.go", Secret},
		{true, "/home/dev/project/.*", Secret},
		{true, "/home/dev/project/.[e]nv", Secret},
		{true, "/home/dev/project/.en?", Secret},
		{true, "/home/dev/.*", Secret},
		{true, "/home/dev/.ssh/*", Secret},
		{true, "/home/dev/.s?h/id_rsa", Secret},
		{true, "/home/*/.ssh/id_rsa", Secret},
		{true, "/home/dev/.aw*/cred*", Secret},
		{true, "~/.ssh/*", Secret},
		{true, ".ssh/*", Secret},
		{true, "*.pem", Secret},
		{true, "/home/dev/project/certs/*.KEY", Secret},
		{true, "/home/dev/project/serv[a-z]r.k?y", Secret},
		{true, "/home/dev/project/*service-account*", Secret},
		{true, "/etc/shad*", Secret},
		{true, "/e*/shadow", Secret},
		{true, "/proc/*/environ", Secret},
		{true, "/etc/*", Secret},
		{true, "/etc/cron.d/*", Trigger},
		{true, "/home/dev/project/.git/hooks/*", Trigger},
		{true, "/home/dev/project/.github/**", Trigger},
		{true, "/home/dev/project/.git/**", Trigger},
		{true, "/home/dev/**", Secret},
		{true, "/home/**", Secret},
		{true, "/h*/**", Trigger},
		{true, "/**", Secret},
		{true, "../../**", Secret},
		{true, "/home/dev/.config/**", Secret},
		{true, "/home/dev/.ssh/**", Secret},
		{true, "/var/**", Trigger},
		{true, "/home/dev/project/.env/**", Secret},
		{false, "*", Secret},
		{false, "/home/dev/project/*", Secret | Trigger},
		{false, "/home/dev/project/**", Secret | Trigger},
		{false, "/home/dev/project/*/**", Secret | Trigger},
		{false, "/home/dev/project/src/**", Secret | Trigger},
		{false, "/home/dev/project/*.go", Secret | Trigger},
		{false, "/home/dev/project/*.json", Secret},
		{false, "/home/dev/project/config/*.yml", Secret},
		{false, "/home/dev/project/test*", Secret},
		{false, "/home/dev/project/?nv", Secret},
		{false, "/home/dev/*", Secret},
		{false, "/home/dev/*shrc", Secret | Trigger},
		{false, "/home/dev/.claude/*", Secret},
		{false, "/home/dev/project/id_rsa.pub", Secret},
		{false, "/var/log/*.log", Secret | Trigger},
		{false, `/home/dev/project/.e\*`, Secret},
		{false, "/home/dev/.ssh/*", 0},
		{false, "", Secret},
	} {
		if e, ok := MayFind(tt.pattern, home, tt.role); ok != tt.want {
			t.Errorf("MayFind(%q, %v) = %v %v, want %v", tt.pattern, tt.role, e, ok, tt.want)
		}
	}
}

// TestMayFindLiteral checks that a path is a pattern that reaches itself.
func TestMayFindLiteral(t *testing.T) {
	for _, e := range Entries() {
		for _, path := range e.Hit {
			if strings.Contains(path, `\`) {
				continue
			}
			if _, ok := MayFind(path, home, e.Role); !ok {
				t.Errorf("MayFind(%q, %v) finds nothing", path, e.Role)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	for _, path := range []string{"/home/dev/project/internal/service/server/server.go", "/home/dev/.ssh/id_rsa", "/home/dev/project/doc/Größe.md"} {
		if n := testing.AllocsPerRun(100, func() { FindRole(path, home, Secret|Trigger) }); n > 0 {
			t.Errorf("FindRole(%q) allocates %v times", path, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { MayFind("/home/dev/project/*.go", home, Secret) }); n > 0 {
		t.Errorf("MayFind allocates %v times", n)
	}
}

func FuzzFind(f *testing.F) {
	for _, e := range Entries() {
		for _, path := range append(slices.Clone(e.Hit), e.Miss...) {
			f.Add(path)
		}
	}
	f.Add("/home/dev/.[e*?]nv**/\\")
	f.Fuzz(func(t *testing.T, path string) {
		checkIndex(t, path)
		_, found := FindRole(path, home, Secret|Trigger)
		_, may := MayFind(path, home, Secret|Trigger)
		if found && !may && !strings.ContainsAny(path, `*?[\`) {
			t.Errorf("MayFind(%q) misses what Find finds", path)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, bb := range []struct{ name, path string }{
		{"miss", "/home/dev/project/internal/service/server/server.go"},
		{"hit", "/home/dev/.ssh/id_rsa"},
		{"short", "/tmp/x"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				FindRole(bb.path, home, Secret|Trigger)
			}
		})
	}
}

func BenchmarkMayFind(b *testing.B) {
	for _, bb := range []struct{ name, pattern string }{
		{"glob", "/home/dev/project/internal/*.go"},
		{"root", "/home/dev/project/**"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				MayFind(bb.pattern, home, Secret)
			}
		})
	}
}

package world

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProject(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := root + "/home/user"
	for _, dir := range []string{"/home/user/app/.git", "/home/user/app/web/src", "/home/user/plain/src", "/srv/lib/.git", "/srv/lib/x", "/home/dots"} {
		if err := os.MkdirAll(root+dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"/alias": home, "/up": root + "/home", "/app": home + "/app"} {
		if err := os.Symlink(to, root+name); err != nil {
			t.Fatal(err)
		}
	}
	transcript := func(dir string) string { return home + "/.claude/projects/" + folderOf(dir) + "/s.jsonl" }
	for name, tc := range map[string]struct {
		Work
		want string
	}{
		"a repository":                           {Work{Dir: home + "/app/web/src"}, home + "/app"},
		"no repository":                          {Work{Dir: home + "/plain/src"}, home + "/plain/src"},
		"a directory that is gone":               {Work{Dir: home + "/app/gone/x"}, home + "/app"},
		"dots":                                   {Work{Dir: home + "/app/../plain/"}, home + "/plain"},
		"the home directory":                     {Work{Dir: home}, ""},
		"above it":                               {Work{Dir: root + "/home"}, ""},
		"a link to the home directory":           {Work{Dir: root + "/alias"}, ""},
		"a link to above it":                     {Work{Dir: root + "/up"}, ""},
		"a link to a repository":                 {Work{Dir: root + "/app/web"}, root + "/app"},
		"the root":                               {Work{Dir: "/"}, ""},
		"a directory of the root":                {Work{Dir: "/none-of-it"}, ""},
		"no directory":                           {Work{}, ""},
		"a relative one":                         {Work{Dir: "app"}, ""},
		"named":                                  {Work{Dir: home + "/app/web/src", Named: home + "/app/web"}, home + "/app/web"},
		"named elsewhere":                        {Work{Dir: root + "/srv/lib/x", Named: home + "/app"}, root + "/srv/lib"},
		"the home directory is named":            {Work{Dir: home + "/app/web", Named: home}, home + "/app"},
		"the root is named":                      {Work{Dir: home + "/app/web", Named: "/"}, home + "/app"},
		"the name begins alike":                  {Work{Dir: home + "/app/web", Named: home + "/ap"}, home + "/app"},
		"by the transcript":                      {Work{Dir: home + "/app/web/src", Transcript: transcript(home + "/app/web")}, home + "/app/web"},
		"by that of a subagent":                  {Work{Dir: home + "/app/web/src", Transcript: home + "/.claude/projects/" + folderOf(home+"/app/web") + "/s/subagents/a.jsonl"}, home + "/app/web"},
		"begun at home":                          {Work{Dir: home + "/app/web", Transcript: transcript(home)}, home + "/app"},
		"begun where the call is not":            {Work{Dir: root + "/srv/lib", Transcript: transcript(home + "/app")}, root + "/srv/lib"},
		"begun where the agent says":             {Work{Dir: root + "/srv/lib", Named: home + "/app", Transcript: transcript(home + "/app")}, home + "/app"},
		"the name wins over the transcript":      {Work{Dir: home + "/app/web", Named: home + "/app", Transcript: transcript(home + "/app/web")}, home + "/app"},
		"the conversation has one":               {Work{Dir: root + "/srv/lib", Before: home + "/app"}, home + "/app"},
		"the transcript wins over what was":      {Work{Dir: home + "/app/web", Before: home + "/plain", Transcript: transcript(home + "/app")}, home + "/app"},
		"the name wins over what was":            {Work{Dir: home + "/app/web", Before: home + "/plain", Named: home + "/app"}, home + "/app"},
		"the home directory, before elsewhere":   {Work{Dir: home, Before: home + "/app"}, home + "/app"},
		"another directory beside one with dots": {Work{Dir: root + "/home/dots"}, root + "/home/dots"},
	} {
		tc.Home = home
		if got := tc.Project(); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

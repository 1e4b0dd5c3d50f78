package glean

import (
	"strings"
	"testing"
)

// TestDeeds shows what names and texts alone tell of a program, whatever its language.
func TestDeeds(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`(delete-directory/files "/")`, "deletes /"},
		{`(delete-directory/files (find-system-path 'home-dir))`, "deletes ~"},
		{`(for ([p (directory-list "/" #:build? #t)]) (delete-directory/files p))`, "deletes /"},
		{`(run! #(.delete %) (reverse (file-seq (java.io.File. "/"))))`, "deletes /"},
		{`(-> (fs/home) fs/delete-tree)`, "deletes ~"},
		{`Path.wildcard("/*") |> Enum.each(&File.rm_rf!/1)`, "deletes /*"},
		{`"/" |> File.rm_rf!`, "deletes /"},
		{`java.io.File(System.getProperty("user.home")).deleteRecursively()`, "deletes ~"},
		{`remove_tree(getenv("HOME"))`, "deletes ~"},
		{`java.io.File("/").walkBottomUp().forEach { it.delete() }`, "deletes /"},
		{`new AntBuilder().delete(dir: "/")`, "deletes /"},
		{`rm("/", recursive: true)`, "deletes /"},
		{`dir("/").map: { run "rm", "-rf", $_ }`, "deletes /; runs rm|-rf"},
		{`os.remove.all(os.Path("/"))`, "deletes /"},
		{`"/" delete-tree`, "deletes /"},
		{`(uiop:delete-directory-tree #p"/" :validate t)`, "deletes /"},
		{`try! FileManager.default.removeItem(at: URL(fileURLWithPath: "/"))`, "deletes /"},
		{`Directory("/").deleteSync(recursive: true)`, "deletes /"},
		{`Seq("rm","-rf","/").!`, "runs rm|-rf|/"},
		{`ProcessBuilder("rm", "-rf", "/").start()`, "runs rm|-rf|/"},
		{`Runtime.getRuntime().exec(arrayOf("rm","-rf",x))`, "runs rm|-rf"},
		{`Process.runSync("rm", ["-rf", "/"]);`, "runs rm|-rf|/"},
		{`Unix.execvp "rm" [|"rm"; "-rf"; "/"|]`, "runs rm|rm|-rf|/"},
		{"run(`rm -rf /`)", "runs rm -rf /"},
		{`qx{rm -rf /}`, "runs rm -rf /"},
		{`run <rm -rf />`, "runs rm -rf /"},
		{`s" rm -rf /" system`, "runs  rm -rf /"},
		{`(void (process "rm -rf ~"))`, "runs rm -rf ~"},

		{`println("/a/b".removePrefix("/"))`, ""},
		{`if path != "/" { delete_tree(path) }`, ""},
		{`(unless (equal? p "/") (delete-tree p))`, ""},
		{`delete_tree("/" + name)`, ""},
		{`delete_tree(base . "/")`, ""},
		{`remove_dir(join("/", "tmp", "x"))`, ""},
		{`remove_dir(Path("/", "tmp"))`, ""},
		{`remove_tree(name.strip("/"))`, ""},
		{`rm("/", recursive: false)`, ""},
		{`router.delete("/", handler)`, ""},
		{`routes.remove("/")`, ""},
		{`for f in walkDir("/"): if f.endsWith(".tmp"): removeFile(f)`, ""},
		{`walk("/"); remove_file("x")`, ""},
		{`print("rm -rf /")`, ""},
		{`system("ls " + "rm -rf /")`, ""},
		{`# delete_tree("/")`, ""},
		{`x = a # delete_tree("/")`, ""},
		{`delete_tree("never closed`, ""},
		{``, ""},
		{`)]}`, ""},
	} {
		var got []string
		for _, d := range Deeds(c.src, "", func(name string) bool { return name == "if" || name == "unless" }) {
			how := "deletes "
			if d.Runs {
				how = "runs "
			}
			if !strings.Contains(c.src[d.At:], strings.TrimLeft(d.Texts[0], "~")) {
				t.Errorf("%s: %q stands not at %d", c.src, d.Texts[0], d.At)
			}
			got = append(got, how+strings.Join(d.Texts, "|"))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.src, text, c.want)
		}
	}
}

// TestBounds shows that what is told, and how far brackets are followed, is bounded.
func TestBounds(t *testing.T) {
	never := func(string) bool { return false }
	if n := len(Deeds(strings.Repeat("rmtree('/')\n", 1000), "", never)); n != maxDeeds {
		t.Errorf("%d deeds, want %d", n, maxDeeds)
	}
	for depth, want := range map[int]int{maxSteps - 2: 1, maxSteps + 2: 0} {
		src := "rmtree" + strings.Repeat("(", depth) + "'/'" + strings.Repeat(")", depth)
		if n := len(Deeds(src, "", never)); n != want {
			t.Errorf("%d brackets: %d deeds, want %d", depth, n, want)
		}
	}
	if n := len(Deeds(strings.Repeat("x ", maxTokens)+"rmtree('/')", "", never)); n != 0 {
		t.Error("what stands behind the bound is read")
	}
}

// FuzzDeeds shows that whatever is read is read to its end.
func FuzzDeeds(f *testing.F) {
	for _, src := range []string{"", `f("/")`, "qx{", `a.b('x'`, "<>", `((((("/"`, "é'/'"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, d := range Deeds(src, "/home/u", func(string) bool { return false }) {
			if len(d.Texts) == 0 || d.At < 0 || d.At >= len(src) {
				t.Errorf("%q: %+v", src, d)
			}
		}
	})
}

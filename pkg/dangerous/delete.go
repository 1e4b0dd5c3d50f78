package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// interpreters are the programs whose one-liners some rules read.
func interpreters() string { return program.Names(program.IsInterpreter) }

func deleteRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "rm-recursive", Class: "delete", Programs: "rm",
			Why:     "deletes directories and everything in them",
			Instead: "List the contents with `ls -R` first, then delete only the files that this session created, by name and without -r.",
			Match:   match(option("recursive")),
			Hit:     []string{"rm -rf src", "rm -r ../build", "rm -rf node_modules src", "cd /opt/app && rm -fR dist", "sudo rm --recursive /opt/app/cache", "rm --rec old"},
			Miss:    []string{"rm build.log", "rmdir build", "rm --help", "echo rm -rf node_modules", "git commit -m 'rm -r build'", "grep -rn 'rm -rf' scripts"},
		},
		{
			ID: "rm-force", Class: "delete", Programs: "rm",
			Why:     "deletes files without asking, even protected ones",
			Instead: "Delete the files by name with plain `rm`, which reports what is missing or protected.",
			Match:   match(option("force")),
			Hit:     []string{"rm -f app.log", "rm -f *.tmp", "find . -name '*.o' | xargs rm -f"},
			Miss:    []string{"rm app.log", "rm -i app.log", "man rm -f", "test -f app.log"},
		},
		{
			ID: "find-delete", Class: "delete", Programs: program.Names(program.Finds) + " " + program.NamesOf("seeks"),
			Why:     "deletes every file that a search finds",
			Instead: "Run the same search without deleting, and delete the files that it names one by one.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				if c.Function || !c.Args.Has("delete") && !runs(s, c, deletes) {
					return span{}, false
				}
				return c.Span, true
			},
			Hit:  []string{"find . -name '*.pyc' -delete", `find . -name '*.orig' -exec rm {} \;`, "fd -e tmp --exec rm", `find logs -mtime +7 -exec sh -c 'unlink "$1"' _ {} \;`},
			Miss: []string{"find . -name '*.pyc'", "find . -name '*delete*'", "find . -exec grep -l rm {} +", "fd delete"},
		},
		{
			ID: "xargs-delete", Class: "delete", Programs: program.Names(program.Appends),
			Why:     "deletes every file that another command names",
			Instead: "Look at the list first, and delete the files that it names one by one.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				return c.Span, !c.Function && (runs(s, c, deletes) || joins(c, func(v string) bool { return program.OfKind(v, "deletes") }))
			},
			Hit:  []string{"git ls-files -o | xargs rm", "find . -name '*.bak' -print0 | xargs -0 rm", "ls *.tmp | parallel rm"},
			Miss: []string{"git ls-files | xargs wc -l", "find . -name '*.go' | xargs grep -n rm", "ls | xargs echo rm"},
		},
		{
			ID: "script-delete", Class: "delete", Programs: interpreters(),
			Why:     "deletes directories from a script on the command line",
			Instead: "Delete the files by name with `rm`, so that a reader sees what is deleted.",
			Match:   callIn(deletesTree),
			Hit:     []string{`python3 -c "import shutil; shutil.rmtree('data')"`, `node -e "fs.rmSync('dist', {recursive: true})"`, `ruby -rfileutils -e "FileUtils.rm_rf('tmp')"`, "python3 -c 'import os; os.system(\"rm -rf build\")'", "python3 - <<'EOF'\nimport shutil\nshutil.rmtree('out')\nEOF"},
			Miss:    []string{`python3 -c "import os; print(os.listdir('data'))"`, `node -e "console.log(fs.readdirSync('dist'))"`, "python3 tools/rmtree.py", `grep -n "shutil.rmtree(" tools/*.py`},
		},
		{
			ID: "rimraf", Class: "delete", Kind: "razes",
			Why:     "deletes directories and everything in them",
			Instead: "List the contents first, then delete only the files that this session created, by name.",
			Match:   match(acts("razes")),
			Hit:     []string{"rimraf src", "npx rimraf node_modules src", "npx -y rimraf ../build"},
			Miss:    []string{"npm ls rimraf", "npx eslint rimraf.js", "grep rimraf package.json"},
		},
		{
			ID: "rsync-delete", Class: "delete", Programs: "rsync",
			Why:     "deletes files at the target that are not at the source, or the source itself",
			Instead: "Run it with --dry-run --itemize-changes first, then without --delete.",
			Match: match(option("del", "delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded", "remove-source-files"),
				not(option("dry-run", "list-only"))),
			Hit:  []string{"rsync -a --delete src/ backup/", "rsync -av --delete-after a/ b/", "rsync --remove-source-files -a in/ out/"},
			Miss: []string{"rsync -a src/ backup/", "rsync -an --delete src/ backup/", "rsync --dry-run -a --delete src/ backup/"},
		},
		{
			ID: "shred", Class: "delete", Kind: "overwrites",
			Why:     "overwrites files beyond recovery",
			Instead: "Delete the file with plain `rm`, or ask the user to shred it.",
			Match:   match(arguments(1), acts("overwrites")),
			Hit:     []string{"shred -u secrets.txt", "shred -n 3 dump.sql", "srm old.key"},
			Miss:    []string{"shred --help", "man shred", "grep shred README.md"},
		},
		{
			ID: "truncate-file", Class: "delete", Programs: "truncate",
			Why:     "truncates files, and what is cut off is lost",
			Instead: "Move the file aside with `mv`, so that its contents are kept.",
			Match:   match(optionIs("size", func(v string) bool { return zeroSize(v) || hasPrefix("-", "<", "/")(v) })),
			Hit:     []string{"truncate -s 0 app.log", "truncate --size=0 data.db", "truncate -s -10M dump.bin", "truncate -s0K app.log"},
			Miss:    []string{"truncate -s 10M disk.img", "truncate -s +1K pad.bin", "echo truncate -s 0 app.log"},
		},
		{
			ID: "archive-and-delete", Class: "delete", Kind: "packs-away",
			Why:     "deletes files after archiving them",
			Instead: "Archive without deleting, check the archive, and then delete the files by name.",
			Match:   match(acts("packs-away"), not(option("remove-source-files", "remove-sent-files"))),
			Hit:     []string{"tar czf logs.tgz --remove-files logs", "zip -rm old.zip old", "7z a -sdel old.7z old"},
			Miss:    []string{"tar czf logs.tgz logs", "zip -r old.zip old", "tar xmf logs.tar"},
		},
	}
}

func deletes(c *cmd) bool { return program.OfKind(c.Name, "deletes") }

// joins reports whether a wrapper that evaluates its arguments as one text, and
// adds what it reads, starts the text with one of some programs.
func joins(c *cmd, starts func(string) bool) bool {
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleJoined && anyValue(c.Words[o.At].Set, starts) {
			return true
		}
	}
	return false
}

// zeroSize reports whether a size is none, with a unit or without.
func zeroSize(v string) bool {
	if v == "" {
		return false
	}
	for i := range len(v) {
		if v[i] != '0' {
			return i > 0 && v[i] >= 'A'
		}
	}
	return true
}

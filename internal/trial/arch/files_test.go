package arch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// direct are the places in which files are opened without plainfile, with the reason. A
// file of ours that a link could replace is not among them.
var direct = map[string]string{
	"internal/service/auth/origin_linux.go":      "the files of the kernel about a process",
	"internal/service/sqlite/place.go":           "the new database, which O_EXCL makes: it opens no link",
	"internal/service/postgres/pgtest/pgtest.go": "a server that only tests run",
	"internal/machine/layers/files.go":           "policies, which people write and may link",
	"internal/support/plainfile/plainfile.go":    "this is the one place",
	"internal/service/desk/icon/gen/main.go":     "the pictures of the repository",
	"internal/support/atomicfile/atomicfile.go":  "a directory, to have it last",
}

// TestFilesOfOurs shows that what stores state opens files through plainfile alone, which
// follows no link in the place of a file of ours.
func TestFilesOfOurs(t *testing.T) {
	opens := regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile|WriteFile|Create)\(`)
	for _, dir := range []string{"internal/service", "internal/machine", "internal/support", "internal/agents/state", "internal/agents/guard", "internal/cli/serve", "pkg/grant", "pkg/trail", "pkg/approval", "pkg/audit"} {
		err := filepath.WalkDir(filepath.Join("../../..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../../")))
			if found := opens.Find(text); found != nil && direct[name] == "" {
				t.Errorf("%s has %s): open files of ours with plainfile.OpenOwn, ReadOwn, WriteOwn or Append, and others with plainfile.Open", name, found)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

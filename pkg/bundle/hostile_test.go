package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
)

// kind is the header of an entry without content.
func kind(flag byte, name, target string) tar.Header {
	return tar.Header{Typeflag: flag, Name: name, Linkname: target, Devmajor: 1, Devminor: 3}
}

func TestHostileArchives(t *testing.T) {
	tarball := tarred(plain("a.rego", "package a"))
	half := len(tarball) / 2
	zeros := make([]byte, 1024)
	for _, row := range []struct {
		want    error
		text    string
		archive []byte
	}{
		{nil, "", gzipped(tarball)},
		{nil, "", append(gzipped(tarball[:half]), gzipped(tarball[half:])...)},
		{nil, "", gzipped(append(tarball, make([]byte, 10240)...))},
		{nil, "", gzipped(tarred(kind(tar.TypeDir, "./", ""), kind(tar.TypeDir, "./a/", ""), plain("./a/a.rego", "package a")))},
		{nil, "", gzipped(tarred(tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}}, plain("a.rego", "package a")))},
		{nil, "", archived("/a.rego", "package a")},
		{nil, "", archived("Größe/a b.rego", "package a")},
		{nil, "", archived("..a/b...rego", "package a")},

		{ErrMalformed, "not gzip", nil},
		{ErrMalformed, "not gzip", []byte{}},
		{ErrMalformed, "not gzip", []byte("hello, this is no archive at all")},
		{ErrMalformed, "not gzip", []byte("<html>404</html>")},
		{ErrMalformed, "not gzip", tarball},
		{ErrMalformed, "broken or cut off", gzipped([]byte("hello"))},
		{ErrMalformed, "broken or cut off", gzipped(bytes.Repeat([]byte("hello"), 300))},
		{ErrMalformed, "broken or cut off", gzipped(nil)},
		{ErrMalformed, "the archive is empty", gzipped(zeros)},
		{ErrMalformed, "the archive is empty", gzipped(tarred(kind(tar.TypeDir, "a/", "")))},
		{ErrMalformed, "broken or cut off", gzipped(gzipped(tarball))},
		{ErrMalformed, "broken or cut off", gzipped(tarball[:len(tarball)-1024])},
		{ErrMalformed, "goes on after its end", gzipped(append(tarball[:len(tarball):len(tarball)], tarball...))},
		{ErrMalformed, "goes on after its end", append(gzipped(tarball), gzipped(tarball)...)},
		{ErrMalformed, "broken or cut off", append(gzipped(tarball), "garbage"...)},

		{ErrMalformed, "leaves the archive", archived("../a.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("a/../../b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("a/../b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("/../b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("//etc/b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("/./b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("a//b.rego", "package a")},
		{ErrMalformed, "leaves the archive", archived("././b.rego", "package a")},
		{ErrMalformed, "drive letter", archived("C:/a.rego", "package a")},
		{ErrMalformed, "drive letter", archived("/c:a.rego", "package a")},
		{ErrMalformed, "backslash", archived(`..\a.rego`, "package a")},
		{ErrMalformed, "backslash", archived(`\\host\a.rego`, "package a")},
		{ErrMalformed, "do not print", archived("a\nb.rego", "package a")},
		{ErrMalformed, "do not print", archived("a\x1b[2Jb.rego", "package a")},
		{ErrMalformed, "do not print", archived("a\u202eoger.b", "package a")},
		{ErrMalformed, "not UTF-8", archived("a\xff.rego", "package a")},
		{ErrMalformed, "longer than 1024", archived(strings.Repeat("a/", 600)+"a.rego", "package a")},
		{ErrMalformed, "leaves the archive", gzipped(tarred(kind(tar.TypeDir, "../", ""), plain("a.rego", "package a")))},

		{ErrMalformed, "a link, a device", gzipped(tarred(kind(tar.TypeSymlink, "a.rego", "/etc/passwd")))},
		{ErrMalformed, "a link, a device", gzipped(tarred(plain("a.rego", "package a"), kind(tar.TypeLink, "b.rego", "a.rego")))},
		{ErrMalformed, "a link, a device", gzipped(tarred(kind(tar.TypeChar, "null", "")))},
		{ErrMalformed, "a link, a device", gzipped(tarred(kind(tar.TypeBlock, "sda", "")))},
		{ErrMalformed, "a link, a device", gzipped(tarred(kind(tar.TypeFifo, "pipe", "")))},
		{ErrMalformed, "a link, a device", gzipped(tarred(kind('Z', "odd", "")))},

		{ErrMalformed, "a.rego: the archive has it twice", archived("a.rego", "package a", "a.rego", "package b")},
		{ErrMalformed, "a.rego: the archive has it twice", archived("a.rego", "package a", "./a.rego", "package b")},
		{ErrMalformed, "a.rego: the archive has it twice", archived("/a.rego", "package a", "a.rego", "package b")},
		{ErrMalformed, ".manifest: the archive has it twice", archived(".manifest", "{}", "/.manifest", "{}")},
		{ErrMalformed, "only manifest is .manifest at the top", archived(".manifest", "{}", "sub/.manifest", "{}")},
		{ErrMalformed, "only manifest is .manifest at the top", archived("x.manifest", "{}")},
		{ErrMalformed, "only one is .signatures.json", archived("a.rego", "package a", "sub/.signatures.json", "{}")},
		{ErrMalformed, "in protobuf", archived(".manifest.pb", "")},
		{ErrMalformed, "WebAssembly is refused", archived("policy.wasm", "\x00asm")},
		{ErrMalformed, "WebAssembly is refused", archived("deep/other.wasm", "")},
		{ErrMalformed, "delta bundles are refused", archived("patch.json", `{"data":[]}`)},
		{ErrMalformed, "delta bundles are refused", archived("/deep/patch.json", `{"data":[]}`)},
		{ErrMalformed, "plans are refused", archived("plan.json", `{}`)},
	} {
		_, err := Read(row.archive, nil, Limits{})
		if (err == nil) != (row.want == nil) || !errors.Is(err, row.want) || (err != nil && !strings.Contains(err.Error(), row.text)) {
			t.Errorf("%q: got %v", row.text, err)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b\u202e") {
			t.Errorf("%q reaches the terminal", err)
		}
	}
}

// TestTruncated cuts a signed archive at each byte.
func TestTruncated(t *testing.T) {
	good := signed(t, written(t, sample()), main1)
	for n := range good {
		if _, err := Read(good[:n], nil, Limits{}); !errors.Is(err, ErrMalformed) {
			t.Fatalf("%d of %d bytes: got %v", n, len(good), err)
		}
	}
	inner, err := gzip.NewReader(bytes.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	tarball, err := io.ReadAll(inner)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(tarball); n += 128 {
		if _, err := Read(gzipped(tarball[:n]), trust1, Limits{}); err == nil {
			t.Errorf("%d of %d bytes of the tar: accepted", n, len(tarball))
		}
	}
}

// bomb packs zeros, behind the tar header of a file of that size if wanted.
func bomb(t *testing.T, header bool, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if header {
		if err := tar.NewWriter(w).WriteHeader(&tar.Header{Name: "data.json", Typeflag: tar.TypeReg, Size: size}); err != nil {
			t.Fatal(err)
		}
	}
	chunk := make([]byte, 1<<20)
	for n := int64(0); n < min(size, 160<<20); n += 1 << 20 {
		w.Write(chunk)
	}
	w.Close()
	return b.Bytes()
}

func TestLimits(t *testing.T) {
	small := archived("a.rego", "package a", "b.rego", "package b") // 2 entries, 3,072 bytes
	padded := gzipped(append(tarred(plain("a.rego", "package a")), make([]byte, 100_000)...))
	var many []tar.Header
	for i := range 60 {
		many = append(many, kind(tar.TypeDir, fmt.Sprintf("d%d/", i), ""))
	}
	long := tar.Header{Name: "a.rego", Linkname: "package a", PAXRecords: map[string]string{"POLICYCTL.x": strings.Repeat("x", 900_000)}}
	for _, row := range []struct {
		want    error
		text    string
		archive []byte
		limits  Limits
	}{
		{nil, "", small, Limits{}},
		{nil, "", small, Limits{-1, -1, -1, -1}},
		{nil, "", small, Limits{Archive: int64(len(small)), Unpacked: 3072, Files: 2}},
		{ErrTooLarge, "the archive has", small, Limits{Archive: int64(len(small)) - 1}},
		{ErrTooLarge, "unpacks to more than 3071 bytes", small, Limits{Unpacked: 3071}},
		{ErrTooLarge, "unpacks to more than 512 bytes", small, Limits{Unpacked: 512}},
		{ErrTooLarge, "unpacks to more than 1 bytes", small, Limits{Unpacked: 1}},
		{ErrTooLarge, "more than 1 entries", small, Limits{Files: 1}},
		{ErrTooLarge, "more than 59 entries", gzipped(tarred(many...)), Limits{Files: 59}},
		{ErrTooLarge, "unpacks to more", padded, Limits{Unpacked: 50_000}},
		{ErrTooLarge, "unpacks to more", gzipped(tarred(plain("x", strings.Repeat("x", 5000)))), Limits{Unpacked: 4000}},
		{ErrTooLarge, "unpacks to more", gzipped(tarred(long)), Limits{Unpacked: 4000}},
		{ErrTooLarge, "unpacks to more", bomb(t, true, 8<<30), Limits{}},
		{ErrTooLarge, "unpacks to more", bomb(t, true, 256<<20), Limits{}},
		{ErrTooLarge, "the archive has 33554433 bytes", make([]byte, 32<<20+1), Limits{}},
		{ErrMalformed, "the archive is empty", bomb(t, false, 64<<20), Limits{}},
		{ErrTooLarge, "unpacks to more", bomb(t, false, 256<<20), Limits{}},
	} {
		_, err := Read(row.archive, nil, row.limits)
		if (err == nil) != (row.want == nil) || !errors.Is(err, row.want) || (err != nil && !strings.Contains(err.Error(), row.text)) {
			t.Errorf("%q %+v: got %v", row.text, row.limits, err)
		}
		if errors.Is(err, ErrMalformed) && errors.Is(err, ErrTooLarge) {
			t.Errorf("%v is two things", err)
		}
	}
}

func TestBombsAreNotAllocated(t *testing.T) {
	for name, archive := range map[string][]byte{"one file": bomb(t, true, 8<<30), "padding": bomb(t, false, 256<<20)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		took := cputime.Of(func() {
			if _, err := Read(archive, trust1, Limits{}); !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s: got %v", name, err)
			}
		})
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d bytes of %d allocated", name, grown, len(archive))
		}
		if took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

func TestSparse(t *testing.T) {
	h := plain("a.rego", "1\n0\n512\n"+strings.Repeat("\x00", 504)+strings.Repeat("#", 512))
	h.PAXRecords = map[string]string{
		"GNU_sparse.major": "1", "GNU_sparse.minor": "0", "GNU_sparse.name": "a.rego", "GNU_sparse.realsize": "8589934592",
	}
	pax := bytes.ReplaceAll(tarred(h), []byte("GNU_sparse"), []byte("GNU.sparse"))
	old := tarred(plain("a.rego", "package a"))
	old[156] = 'S'
	copy(old[148:], fmt.Sprintf("%06o\x00 ", checksum(old[:512])))
	for _, tarball := range [][]byte{pax, old} {
		if _, err := Read(gzipped(tarball), nil, Limits{}); !errors.Is(err, ErrMalformed) {
			t.Errorf("got %v", err)
		}
	}
}

// checksum sums a tar header as if its own checksum were spaces.
func checksum(header []byte) (sum int) {
	for i, b := range header {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int(b)
	}
	return sum
}

// TestManyValues has small archives that would take gigabytes of memory as
// values, before the signature is known to be wrong.
func TestManyValues(t *testing.T) {
	good := signed(t, written(t, sample()), main1)
	list := func(value string, n int) string { return `{"a":[` + value + strings.Repeat(","+value, n) + `]}` }
	few := Limits{Values: 20_000}
	for _, row := range []struct {
		want       error
		name, text string
		limits     Limits
	}{
		{ErrSignature, "data.json", list("0", 19_000), few},
		{ErrTooLarge, "data.json", list("0", 20_000), few},
		{ErrTooLarge, "data.json", list("[]", 20_000), few},
		{ErrTooLarge, "data.json", list("{}", 20_000), few},
		{ErrTooLarge, "data.json", list(`""`, 20_000), few},
		{ErrTooLarge, "data.json", list("0", 2_000_000), Limits{}},
		{ErrTooLarge, "more/data.yaml", strings.Repeat("- a\n", 12_000), few},
		{ErrSignature, ".signatures.json", `{"signatures":[` + strings.Repeat(`"",`, 300_000) + `""]}`, Limits{}},
	} {
		if _, err := Read(changed(t, good, row.name, row.text), trust1, row.limits); !errors.Is(err, row.want) {
			t.Errorf("%s of %d bytes: got %v", row.name, len(row.text), err)
		}
	}
	pair := archived("a/data.json", `{"x":["1","2"]}`, "b/data.json", `{"x":["1","2"]}`) // 5 of each
	for values, want := range map[int]error{9: ErrTooLarge, 5: ErrTooLarge, 10: nil} {
		if _, err := Read(pair, nil, Limits{Values: values}); !errors.Is(err, want) {
			t.Errorf("two files, %d values: got %v", values, err)
		}
	}
}

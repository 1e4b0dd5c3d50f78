package redact

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var template = regexp.MustCompile(`\{([whudb])(\d+)\}`)

// fill puts made-up text in place of {w36} and its like, so that no file of
// the project holds what looks like a secret.
func fill(s string) string {
	alphabets := map[string]string{
		"w": "k7Qz2mXa9RtY4vBn6LpW3cHd8JsF5gKe", "h": "3f9a07c1e84b6d25", "u": "Q7ZK2MX9RT4VB6NLPW3CHD8JSF5GYAE",
		"d": "7294610583", "b": "k7Qz/2mXa9Rt+Y4vBn6LpW3cHd8JsF5gKe",
	}
	return template.ReplaceAllStringFunc(s, func(m string) string {
		p := template.FindStringSubmatch(m)
		n, _ := strconv.Atoi(p[2])
		a := alphabets[p[1]]
		return strings.Repeat(a, n/len(a)+1)[:n]
	})
}

func kindsOf(found []Finding) []string {
	var list []string
	for _, f := range found {
		list = append(list, f.Kind)
	}
	return list
}

func TestKindsMatchTheirExamples(t *testing.T) {
	for _, k := range kinds {
		if k.What == "" || len(k.Hits) == 0 || len(k.Misses) < 3 {
			t.Errorf("%s: needs what it is, a hit and three misses", k.ID)
		}
		for _, text := range k.Hits {
			if out, found := Text(fill(text)); !slices.Contains(kindsOf(found), k.ID) {
				t.Errorf("%s: no hit in %q: %q", k.ID, text, out)
			}
		}
		for _, text := range k.Misses {
			if out, found := Text(fill(text)); slices.Contains(kindsOf(found), k.ID) {
				t.Errorf("%s: hit in %q: %q", k.ID, text, out)
			}
		}
	}
}

func TestEveryRuleHasAKind(t *testing.T) {
	for _, r := range allRules() {
		if !isKind(r.kind) {
			t.Errorf("%q: the kind %q is not in the table", r.literal, r.kind)
		}
	}
	for _, names := range []map[string]string{secretNouns(), keyOwners(), specialNames()} {
		for name, kind := range names {
			if !isKind(kind) {
				t.Errorf("%q: the kind %q is not in the table", name, kind)
			}
		}
	}
}

// corpus returns the lines of a file without comments, ⏎ being a line end.
func corpus(t testing.TB, name string) []string {
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, strings.ReplaceAll(fill(line), "⏎", "\n"))
		}
	}
	return lines
}

var marked = regexp.MustCompile(`(?s)«.*?»`)

// TestSecrets replaces what stands in «» and nothing else.
func TestSecrets(t *testing.T) {
	lines := corpus(t, "secrets.txt")
	if len(lines) < 150 {
		t.Errorf("%d texts, want 150", len(lines))
	}
	for _, line := range lines {
		names, text, ok := strings.Cut(line, " · ")
		if !ok {
			t.Fatalf("no kind: %q", line)
		}
		kinds := strings.Split(names, ",")
		want := marked.ReplaceAllStringFunc(text, func(string) string {
			kind := kinds[0]
			if len(kinds) > 1 {
				kinds = kinds[1:]
			}
			return "[redacted " + kind + "]"
		})
		in := strings.NewReplacer("«", "", "»", "").Replace(text)
		if got, _ := Text(in); got != want {
			t.Errorf("Text(%q)\n = %q\nwant %q", in, got, want)
		}
	}
}

func TestLookalikes(t *testing.T) {
	lines := corpus(t, "lookalikes.txt")
	if len(lines) < 150 {
		t.Errorf("%d texts, want 150", len(lines))
	}
	for _, line := range lines {
		if got, found := Text(line); got != line || found != nil {
			t.Errorf("Text(%q)\n = %q", line, got)
		}
	}
}

// Whoever sees a mark learns whether it may stand for more than a secret.
func TestCode(t *testing.T) {
	for in, want := range map[string]bool{
		"curl -u ann:correct-horse https://a.example": false, "PASSWORD='hunter2/+=~!' make": false, "mysql -phunter2": false,
		"PASSWORD='steal now' make": true, "x --token `steal.sh`": true, `PGPASSWORD="` + "a`id`" + `" psql`: true, `curl -b "session=$(id)" h`: true,
		"mysql -p$(id) db": true, "PASSWORD='a;b' make": true, "PASSWORD='a|b' make": true,
	} {
		text, found := Text(in)
		if len(found) != 1 || found[0].Code != want {
			t.Errorf("%s: %+v in %s", in, found, text)
		}
	}
}

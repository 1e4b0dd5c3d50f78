package reviewer_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer"
	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/config"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "approvers.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// decoded returns the reviewers of a file.
func decoded(t *testing.T, name string) ([]reviewer.Settings, error) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root, err := config.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return reviewer.Decode(name, root.Entry("reviewers"))
}

func TestSettings(t *testing.T) {
	name := file(t, `reviewers:
  local: {type: openai, url: http://127.0.0.1:11434/v1, model: "qwen3:8b"}
  claude:
    type: anthropic
    model: claude-haiku
    key_file: claude.key
    timeout: 25s
    max_risk: medium
    prices: {in: 1, out: 5}
    cache: 0s
    failures: 2
    on_error: deny
    max_tokens: 2000
  gpt: {type: openai, model: m, key_env: OPENAI_API_KEY, max_risk: none, prices: {in: 1.5, out: 2, cached: 0.1}}
`)
	list, err := decoded(t, name)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d, %v", len(list), err)
	}
	want := []reviewer.Settings{{
		Name: "local", Origin: name + ":2", Kind: wire.OpenAI, URL: "http://127.0.0.1:11434/v1", Model: "qwen3:8b", Timeout: 20 * time.Second, MaxRisk: reviewer.Low,
		Cache: time.Hour, Failures: 5, OnError: reviewer.ToPeople, MaxTokens: 1024,
	}, {
		Name: "claude", Origin: name + ":3", Kind: wire.Anthropic, Model: "claude-haiku", KeyFile: filepath.Join(filepath.Dir(name), "claude.key"), Timeout: 25 * time.Second,
		MaxRisk: reviewer.Medium, Prices: reviewer.Prices{In: 1, Out: 5, Cached: 1}, Failures: 2, OnError: reviewer.ToDeny, MaxTokens: 2000,
	}, {
		Name: "gpt", Origin: name + ":14", Kind: wire.OpenAI, Model: "m", KeyEnv: "OPENAI_API_KEY", Timeout: 20 * time.Second, MaxRisk: reviewer.NoRisk,
		Prices: reviewer.Prices{In: 1.5, Out: 2, Cached: 0.1}, Cache: time.Hour, Failures: 5, OnError: reviewer.ToPeople, MaxTokens: 1024,
	}}
	for i := range want {
		if list[i] != want[i] {
			t.Errorf("%+v\nwant %+v", list[i], want[i])
		}
	}
	for _, empty := range []string{"channels: {phone: {type: telegram}}\n", "", "# nothing\n", "reviewers: {}\n"} {
		if list, err := decoded(t, file(t, empty)); err != nil || len(list) != 0 {
			t.Errorf("%q: %v, %v", empty, list, err)
		}
	}
}

// Every mistake has its place and the next step.
func TestMistakes(t *testing.T) {
	const local = "type: openai, url: http://127.0.0.1:1/v1, model: m"
	for text, want := range map[string]string{
		"reviewers: {a: {" + local + ", modle: x}}":       `:1:69: unknown key of a reviewer "modle" (did you mean model?)`,
		"reviewers: {a: {" + local + ", temperature: 1}}": `unknown key of a reviewer "temperature": it is one of type, url,`,
		"reviewers: []":                                                   ":1:12: expected a mapping",
		"reviewers: {a: x}":                                               "expected a mapping",
		"reviewers: {A: {" + local + "}}":                                 `"A" cannot be the name of a reviewer`,
		"reviewers: {dashboard-approval: {" + local + "}}":                "is the queue of the service",
		"reviewers: {a: {" + local + "}, a: {" + local + "}}":             `duplicate key "a": it is already in line 1`,
		"reviewers: {a: {" + local + ", model: n}}":                       `duplicate key "model"`,
		"reviewers: {a: {url: http://127.0.0.1:1/v1, model: m}}":          "type is missing: write openai or anthropic",
		"reviewers: {a: {type: openai, url: http://127.0.0.1:1/}}":        "model is missing",
		"reviewers: {a: {type: opneai, model: m}}":                        `unknown value "opneai" (did you mean openai?)`,
		"reviewers: {a: {type: openai, model: m}}":                        "wants a key: add key_file or key_env",
		"reviewers: {a: {" + local + ", key_env: A, key_file: b}}":        "key_file and key_env exclude each other",
		"reviewers: {a: {" + local + ", key_file: ~/k}}":                  "~ is not resolved here",
		"reviewers: {a: {" + local + ", timeout: 31s}}":                   "not a time between 1s and 30s",
		"reviewers: {a: {" + local + ", timeout: 20}}":                    "not a time between 1s and 30s",
		"reviewers: {a: {" + local + ", max_risk: critical}}":             `unknown value "critical": it is one of none, low, medium, high`,
		"reviewers: {a: {" + local + ", max_risk: hihg}}":                 "(did you mean high?)",
		"reviewers: {a: {" + local + ", prices: {in: -1}}}":               "not a price",
		"reviewers: {a: {" + local + ", prices: {in: .nan}}}":             "not a price",
		"reviewers: {a: {" + local + ", prices: {input: 1}}}":             `unknown price "input"`,
		"reviewers: {a: {" + local + ", cache: -1s}}":                     "not a time between 0s and 24h0m0s",
		"reviewers: {a: {" + local + ", failures: 0}}":                    "not a number between 1 and 100",
		"reviewers: {a: {" + local + ", failures: \"3\"}}":                "not a number between 1 and 100",
		"reviewers: {a: {" + local + ", on_error: allow}}":                `unknown value "allow": it is one of human, deny`,
		"reviewers: {a: {" + local + ", max_tokens: 1}}":                  "not a number between 64 and 16384",
		"reviewers: {a: {type: openai, key_env: K, model: }}":             "expected a text",
		"reviewers: {a: {type: openai, model: 5, key_env: K}}":            "expected a text",
		"reviewers: {a: {type: openai, url: http://x.example, model: m}}": "calls in the clear",
		"x: &x {" + local + "}\nreviewers: {a: *x}":                       "aliases are not supported",
		"reviewers: {a: {<<: {" + local + "}}}":                           "merge keys are not supported",
		"reviewers: {":                                                    "yaml:",
	} {
		list, err := decoded(t, file(t, text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "approvers.yaml") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if len(list) > 0 && err == nil {
			t.Errorf("%s: %v", text, list)
		}
	}
}

func TestKeys(t *testing.T) {
	none := func(string) string { return "" }
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := reviewer.Settings{Name: "a", Origin: "approvers.yaml:2"}
	if key, err := s.Key(none); key != "" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	s.KeyFile = write("good", "sk-1\n", 0o600)
	if key, err := s.Key(none); key != "sk-1" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	for name, want := range map[string]string{
		write("empty", "\n", 0o600): "does not hold one key", write("two", "sk-1\nsk-2\n", 0o600): "does not hold one key",
		filepath.Join(dir, "none"): "", dir: "", write("long", strings.Repeat("k", 5000), 0o600): "",
	} {
		s.KeyFile = name
		if key, err := s.Key(none); err == nil || key != "" || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "approvers.yaml:2: reviewer a: key_file "+name) {
			t.Errorf("%s: %q, %v", name, key, err)
		}
	}
	if runtime.GOOS != "windows" {
		s.KeyFile = write("open", "sk-1", 0o640)
		if _, err := s.Key(none); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a file that others may read: %v", err)
		}
	}
	s.KeyFile, s.KeyEnv = "", "K"
	if _, err := s.Key(none); err == nil || !strings.Contains(err.Error(), "K is not set") {
		t.Errorf("%v", err)
	}
	if key, err := s.Key(func(string) string { return " sk-2 " }); key != "sk-2" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
}

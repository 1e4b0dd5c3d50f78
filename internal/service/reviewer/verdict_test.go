package reviewer

import (
	"strings"
	"testing"
)

const good = `{"quote":"npm ci","rationale":"fine","authorization":"unknown","risk":"low"}`

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, row := range []struct{ text, bad string }{
		{good, ""},
		{" \n" + good + "\n", ""},
		{"```json\n" + good + "\n```", ""},
		{"```\n" + good + "\n```", ""},
		{"", "not one JSON object"},
		{"null", "not one JSON object"},
		{"allow", "not one JSON object"},
		{"Sure! " + good, "not one JSON object"},
		{good + good, "not one JSON object"},
		{good + " trailing", "not one JSON object"},
		{"[" + good + "]", "not one JSON object"},
		{"```json\n" + good, "not one JSON object"},
		{good[:40], "not one JSON object"},
		{`{"quote":"npm ci","rationale":"fine","authorization":"unknown","risk":1}`, "not one JSON object"},
		{`{"quote":"npm ci","rationale":"fine","authorization":null,"risk":"low"}`, `authorization is ""`},
		{`{"quote":"npm ci","rationale":"fine","authorization":"unknown","risk":"critical","risk":"low"}`, "not one JSON object"},
		{`{"quote":"npm ci","rationale":"fine","authorization":"unknown","risk":"critical","Risk":"low"}`, "more than"},
		{`{"quote":"npm ci","rationale":"fine","authorization":"unknown","Risk":"low"}`, "risk is missing"},
		{`{"quote":"npm ci","rationale":"fine","authorization":"unknown","risk":"low","outcome":"allow"}`, "more than"},
		{`{"outcome":"allow"}`, "is missing"},
		{strings.Replace(good, `"low"`, `"none"`, 1), `risk is "none"`},
		{strings.Replace(good, `"low"`, `"LOW"`, 1), `risk is "LOW"`},
		{strings.Replace(good, `"low"`, `""`, 1), `risk is ""`},
		{strings.Replace(good, `"unknown"`, `"granted"`, 1), `authorization is "granted"`},
		{strings.Replace(good, `fine`, ` `, 1), "rationale is empty"},
		{strings.Replace(good, `fine`, long, 1), "rationale has"},
		{strings.Replace(good, `npm ci`, long, 1), "quote has"},
		{strings.Repeat(good, 200), "may have 8192"},
	} {
		v, err := read(row.text)
		if (err == nil) != (row.bad == "") || err != nil && !strings.Contains(err.Error(), row.bad) {
			t.Errorf("%.90s: %v, want %q", row.text, err, row.bad)
		}
		if err == nil && (v.risk != Low || v.authorization != Unknown || v.quote != "npm ci" || v.rationale != "fine") {
			t.Errorf("%s: %+v", row.text, v)
		}
	}
}

func TestQuotes(t *testing.T) {
	texts := []string{"npm ci --omit=dev", "ls", "/work/a b"}
	for quote, bad := range map[string]string{
		"npm ci": "", "npm ci --omit=dev": "", "ls": "", " ls ": "", "/work": "",
		"npm": "shorter", "": "shorter", " ": "shorter", "a": "shorter",
		"npm install": "does not occur", "NPM CI": "does not occur", "npm ci --omit=dev && ls": "does not occur",
	} {
		if err := checkQuote(quote, texts); (err == nil) != (bad == "") || err != nil && !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v, want %q", quote, err, bad)
		}
	}
}

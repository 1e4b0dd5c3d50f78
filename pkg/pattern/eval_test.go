package pattern

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/record"
)

// columns are what a field can hold.
var columns = []struct {
	name  string
	value any
}{
	{"Get", "Get"}, {"12", "12"}, {"10.0.0.7", "10.0.0.7"}, {"empty", ""}, {"number", 12.0}, {"true", true}, {"null", nil},
	{"list", []any{"Get", "Put"}}, {"texts", []string{"Get", "Put"}}, {"numbers", []any{json.Number("12")}}, {"none", []any{}},
	{"object", map[string]any{"a": 12.0}}, {"partly", []any{"Get", record.OpenElement{}}}, {"missing", nil}, {"unknown", nil},
}

// evaluated has a line for each condition on x.y: for each column True,
// False or Unknown.
var evaluated = []struct{ condition, want string }{
	//                                            Get,12,IP,empty,number,true,null,list,texts,numbers,none,object,partly,missing,unknown
	{`"Get"`, "TFFFFFF FFFFF F FU"},
	{`12`, "FFFFTFF FFFFF F FU"},
	{`"12"`, "FTFFFFF FFFFF F FU"},
	{`true`, "FFFFFTF FFFFF F FU"},
	{`""`, "FFFTFFF FFFFF F FU"},
	{`null`, "FFFFFFT FFFFF F FU"},
	{`["Get", "Put"]`, "TFFFFFF TTFFF U FU"},
	{`["Put", "Get"]`, "TFFFFFF FFFFF F FU"},
	{`["Get", 12]`, "TFFFTFF FFFFF U FU"},
	{`["Get"]`, "TFFFFFF FFFFF U FU"},
	{`["Put"]`, "FFFFFFF FFFFF F FU"},
	{`[]`, "FFFFFFF FFFTF F FU"},
	{`[12.0]`, "FFFFTFF FFTFF F FU"},
	{`{"equals": "Get"}`, "TFFFFFF FFFFF F FU"},
	{`{"equals": 12}`, "FFFFTFF FFFFF F FU"},
	{`{"equals": ["Get", "Put"]}`, "FFFFFFF TTFFF U FU"},
	{`{"equals": {"a": 12}}`, "FFFFFFF FFFFT F FU"},
	{`{"equals": {"a": "12"}}`, "FFFFFFF FFFFF F FU"},
	{`{"equals": {"a": 12, "b": 1}}`, "FFFFFFF FFFFF F FU"},
	{`{"in": ["Get", 12]}`, "TFFFTFF TTTFF T FU"},
	{`{"in": ["Put", true]}`, "FFFFFTF TTFFF U FU"},
	{`{"in": [null]}`, "FFFFFFT FFFFF U FU"},
	{`{"pattern": "^G"}`, "TFFFFFF FFFFF F FU"},
	{`{"pattern": "et$"}`, "TFFFFFF FFFFF F FU"},
	{`{"pattern": "^g"}`, "FFFFFFF FFFFF F FU"},
	{`{"pattern": "^g", "flags": "i"}`, "TFFFFFF FFFFF F FU"},
	{`{"pattern": "(?i)^g"}`, "TFFFFFF FFFFF F FU"},
	{`{"pattern": ""}`, "TTTTFFF FFFFF F FU"},
	{`{"contains": "gE"}`, "TFFFFFF FFFFF U FU"},
	{`{"contains": "Get"}`, "TFFFFFF TTFFF T FU"},
	{`{"contains": "get"}`, "TFFFFFF FFFFF U FU"},
	{`{"contains": 12}`, "FFFFFFF FFTFF U FU"},
	{`{"contains": "12"}`, "FTFFFFF FFFFF U FU"},
	{`{"contains": ""}`, "TTTTFFF FFFFF U FU"},
	{`{"notContains": "gE"}`, "FTTTTTT TTTTT U TU"},
	{`{"notContains": "Get"}`, "FTTTTTT FFTTT F TU"},
	{`{"notContains": 12}`, "TTTTTTT TTFTT U TU"},
	{`{"glob": "G*"}`, "TFFFFFF FFFFF F FU"},
	{`{"glob": "?et"}`, "TFFFFFF FFFFF F FU"},
	{`{"glob": "*"}`, "TTTTFFF FFFFF F FU"},
	{`{"glob": "get"}`, "FFFFFFF FFFFF F FU"},
	{`{"glob": ""}`, "FFFTFFF FFFFF F FU"},
	{`{"globPath": "**"}`, "TTTTFFF FFFFF F FU"},
	{`{"exists": true}`, "TTTTTTF TTTTT T FU"},
	{`{"exists": false}`, "FFFFFFT FFFFF F TU"},
	{`{"startsWith": "Ge"}`, "TFFFFFF FFFFF F FU"},
	{`{"startsWith": "ge"}`, "FFFFFFF FFFFF F FU"},
	{`{"endsWith": "t"}`, "TFFFFFF FFFFF F FU"},
	{`{"gt": 11}`, "FTFFTFF FFFFF F FU"},
	{`{"gt": "12"}`, "FFFFFFF FFFFF F FU"},
	{`{"gte": 12.0}`, "FTFFTFF FFFFF F FU"},
	{`{"lt": 12.5}`, "FTFFTFF FFFFF F FU"},
	{`{"lte": 11}`, "FFFFFFF FFFFF F FU"},
	{`{"gt": 1, "lt": 20}`, "FTFFTFF FFFFF F FU"},
	{`{"gt": 1, "lt": 10}`, "FFFFFFF FFFFF F FU"},
	{`{"cidr": "10.0.0.0/8"}`, "FFTFFFF FFFFF F FU"},
	{`{"cidr": ["192.168.0.0/16", "10.0.0.7"]}`, "FFTFFFF FFFFF F FU"},
	{`{"cidr": "::/0"}`, "FFFFFFF FFFFF F FU"},
	{`{"time": {"days": "tue"}}`, "TTTTTTT TTTTT T FU"},
	{`{"time": {"days": "wed"}}`, "FFFFFFF FFFFF F FU"},
}

// noon is one on a Tuesday.
var noon = time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)

func TestOperators(t *testing.T) {
	for _, tc := range evaluated {
		c, n := compile(t, `{"x.y": `+tc.condition+`}`), compile(t, `{"not": {"x.y": `+tc.condition+`}}`)
		got := ""
		for i, column := range columns {
			r := &record.Record{Facets: map[string]map[string]any{"x": {"y": column.value}}}
			switch column.name {
			case "missing":
				r.Facets = nil
			case "unknown":
				r.Unknown = []string{"x.y"}
			case "partly":
				r.Facets["x"]["y"], r.Unknown = []any{"Get", "?"}, []string{"x.y[1]"}
			}
			if i == 7 || i == 12 || i == 13 {
				got += " "
			}
			v := c.Eval(r, &Input{Now: noon})
			got += strings.ToUpper(v.String()[:1])
			if n.Eval(r, &Input{Now: noon}) != not(v) {
				t.Errorf("%s over %s: not does not turn it round", tc.condition, column.name)
			}
		}
		if got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.condition, got, tc.want)
		}
	}
}

// matched has conditions on x.y with values that they match and do not.
var matched = []struct {
	condition string
	yes, no   []any
}{
	{`{"contains": "straße"}`, []any{"Die STRAßE", "straße"}, []any{"strasse", "STRASSE"}},
	{`{"contains": "İstanbul"}`, []any{"istanbul", "İSTANBUL"}, []any{"ıstanbul"}},
	{`{"contains": "k"}`, []any{"K", "\u212a", "ak"}, []any{"", "x"}},
	{`{"contains": "\ufffd"}`, []any{"\ufffd"}, []any{"\xff"}},
	{`{"glob": "*.example.com"}`, []any{"a.example.com", ".example.com", "a.b.example.com", "a\n.example.com"}, []any{"example.com", "a.example.com.evil", "aXexample.com"}},
	{`{"glob": "a?c*"}`, []any{"abc", "aéc", "abcd", "a\nc", "a/c/d"}, []any{"ac", "abbc", "xabc"}},
	{`{"glob": "**a**"}`, []any{"a", "xax"}, []any{"", "x"}},
	{`{"glob": "[ab].(c)"}`, []any{"[ab].(c)"}, []any{"a.c", "[ab]x(c)"}},
	{`{"globPath": "/src/**/*.go"}`, []any{"/src/a.go", "/src/a/b/c.go"}, []any{"/src/a.goo", "/src/.go/x", "src/a.go"}},
	{`{"globPath": "/src/*.go"}`, []any{"/src/a.go", "/src/.go"}, []any{"/src/a/b.go"}},
	{`{"globPath": "/src/**"}`, []any{"/src/", "/src/a", "/src/a/b"}, []any{"/src", "/srcs/a"}},
	{`{"globPath": "**/id_rsa"}`, []any{"id_rsa", "/id_rsa", "/a/b/id_rsa"}, []any{"/a/xid_rsa", "id_rsa.pub"}},
	{`{"globPath": "/a/?/c"}`, []any{"/a/b/c"}, []any{"/a///c", "/a/bb/c", "/a//c"}},
	{`{"globPath": "a**b"}`, []any{"ab", "a/x/b"}, []any{"a", "b"}},
	{`{"pattern": "^a.c$"}`, []any{"abc"}, []any{"a\nc", "abc\n", "xabc"}},
	{`{"pattern": "^a.c$", "flags": "s"}`, []any{"a\nc"}, []any{"abc\n"}},
	{`{"pattern": "^b$", "flags": "m"}`, []any{"a\nb\nc"}, []any{"ab"}},
	{`{"pattern": "a|B", "flags": "i"}`, []any{"xA", "xb"}, []any{"c"}},
	{`{"gt": 0.10}`, []any{0.2, "0.11", 1}, []any{0.1, "0.1", "0.10", json.Number("0.1"), "1,000", " 5", "0x10", "", "five", true}},
	{`{"gte": 9007199254740993}`, []any{json.Number("9007199254740993"), "9007199254740993.0", int64(9007199254740993)}, []any{json.Number("9007199254740992"), 9007199254740992.0}},
	{`{"lt": -1.5}`, []any{-2.0, "-1.50001", json.Number("-15e0")}, []any{-1.5, "-1.5", 0.0, "1"}},
	{`{"gt": 1000}`, []any{"1e6", "1E+4", "+1001", "01001", json.Number("1e999999999999")}, []any{"1e2", "1e", "e5", "+-5", "--5000", "1e-999999999999"}},
	{`{"equals": 1}`, []any{1.0, json.Number("1"), json.Number("1.0"), json.Number("10e-1"), 1}, []any{"1", true, json.Number("1.0000000000000000001")}},
	{`{"equals": 0}`, []any{0.0, json.Number("-0"), json.Number("0.00e7")}, []any{"", nil, false}},
	{`{"equals": 123456789012345678901234567890}`, []any{json.Number("123456789012345678901234567890"), json.Number("1.2345678901234567890123456789e29")}, []any{json.Number("123456789012345678901234567891"), 1.2345678901234568e29}},
	{`{"cidr": "10.0.0.0/8"}`, []any{"10.255.0.1", "::ffff:10.1.2.3"}, []any{"11.0.0.1", "10.0.0.0/8", "10.1", "010.0.0.1", "host"}},
	{`{"size": 2}`, []any{"ab", "éé", []any{1, nil}, []string{"a", "b"}, map[string]any{"a": 1, "b": 2}}, []any{"", "abc", "a", 2, nil, true, []any{}, []any{[]any{1, 2}}}},
	{`{"size": {"gt": 1, "lte": 3}}`, []any{"ab", []any{1, 2, 3}}, []any{"a", "abcd", []any{1}}},
	{`{"size": {"lt": 0.5}}`, []any{"", []any{}, map[string]any{}}, []any{"a", 0, nil}},
	{`{"semver": ">=1.2.0 <2.0.0"}`, []any{"1.2.0", "v1.9.9", "1.2.1-rc.1", "2.0.0-rc.1", "1.2.0+x"}, []any{"1.2.0-rc.1", "2.0.0", "1.2", "latest", "", 1.2, "V1.2.0", "01.2.0", "1.2.0 "}},
	{`{"semver": "^1.2.3"}`, []any{"1.2.3", "1.99.0"}, []any{"1.2.2", "2.0.0", "2.0.0-0", "1.2.3-1"}},
	{`{"semver": "^0.2.3"}`, []any{"0.2.3", "0.2.99"}, []any{"0.3.0", "0.3.0-a", "1.0.0"}},
	{`{"semver": "^0.0.3 || =4.0.0"}`, []any{"0.0.3", "4.0.0"}, []any{"0.0.4", "4.0.1"}},
	{`{"semver": "~1.2.3"}`, []any{"1.2.9"}, []any{"1.3.0", "1.2.2"}},
	{`{"semver": ">1.0.0-alpha.1"}`, []any{"1.0.0-alpha.beta", "1.0.0-alpha.1.0", "1.0.0-beta", "1.0.0"}, []any{"1.0.0-alpha.1", "1.0.0-alpha", "1.0.0-alpha.0"}},
	{`{"cidr": ["fc00::/7"]}`, []any{"fd00::1", "fd00::1%eth0"}, []any{"fe80::1", "10.0.0.1"}},
}

func TestMatches(t *testing.T) {
	for _, tc := range matched {
		c := compile(t, `{"x.y": `+tc.condition+`}`)
		for want, values := range map[Truth][]any{True: tc.yes, False: tc.no} {
			for _, v := range values {
				r := &record.Record{Facets: map[string]map[string]any{"x": {"y": v}}}
				if got := c.Eval(r, nil); got != want {
					t.Errorf("%s over %#v is %s", tc.condition, v, got)
				}
			}
		}
	}
}

// TestTopLevel shows the fields beside the facets.
func TestTopLevel(t *testing.T) {
	r := &record.Record{Type: "http.request", Verb: "DELETE", Sensitivity: record.Destructive, Primary: "http", Tags: []string{"net", "prod"},
		Facets: map[string]map[string]any{"http": {"headers": map[string]any{"x.y": "1", "accept": "text"}}}}
	for _, tc := range []struct{ want, condition string }{
		{"true", `{"type": "http.request"}`},
		{"true", `{"sensitivity": {"in": ["mutate", "destructive"]}}`},
		{"true", `{"tags": {"contains": "prod"}}`},
		{"false", `{"tags": {"contains": "PROD"}}`},
		{"true", `{"tags": {"in": ["prod", "dev"]}}`},
		{"true", `{"tags": ["net", "prod"]}`},
		{"false", `{"tags": ["prod", "net"]}`},
		{"true", `{"facets.http.headers.accept": "text"}`},
		{"true", `{"http.headers.\"x.y\"": "1"}`},
		{"false", `{"http.headers.x.y": "1"}`},
		{"true", `{"http.headers": {"equals": {"x.y": "1", "accept": "text"}}}`},
		{"false", `{"http.headers": {"equals": {"x.y": "1"}}}`},
		{"true", `{"not": {"http.method": "GET"}}`},
		{"true", `{"any": [{"verb": "GET"}, {"verb": "DELETE"}], "not": {"http.url": {"contains": "/sandbox/"}}}`},
		{"false", `{"all": [{"verb": "GET"}, {"verb": "DELETE"}]}`},
		{"unknown", `{"time": {"days": "mon"}}`},
		{"unknown", `{"verb": "DELETE", "time": {"days": "mon"}}`},
		{"false", `{"verb": "GET", "time": {"days": "mon"}}`},
		{"true", `{"any": [{"verb": "DELETE"}, {"time": {"days": "mon"}}]}`},
	} {
		c := compile(t, tc.condition)
		if got := c.Eval(r, &Input{}); got.String() != tc.want {
			t.Errorf("%s is %s, not %s", tc.condition, got, tc.want)
		}
	}
}

func TestSchedule(t *testing.T) {
	for _, tc := range []struct {
		want            bool
		condition, when string
	}{
		{true, `{"from": "09:00", "to": "17:00"}`, "Tue 09:00"},
		{true, `{"from": "09:00", "to": "17:00"}`, "Tue 16:59"},
		{false, `{"from": "09:00", "to": "17:00"}`, "Tue 17:00"},
		{false, `{"from": "09:00", "to": "17:00"}`, "Tue 08:59"},
		{true, `{"from": "22:00"}`, "Tue 23:59"},
		{false, `{"from": "22:00"}`, "Tue 00:00"},
		{true, `{"to": "06:00"}`, "Tue 05:59"},
		{true, `{"days": ["mon"], "from": "22:00", "to": "06:00"}`, "Mon 23:00"},
		{true, `{"days": ["mon"], "from": "22:00", "to": "06:00"}`, "Tue 05:59"},
		{false, `{"days": ["mon"], "from": "22:00", "to": "06:00"}`, "Mon 05:59"},
		{false, `{"days": ["mon"], "from": "22:00", "to": "06:00"}`, "Tue 23:00"},
		{true, `{"days": ["sat"], "from": "22:00", "to": "06:00"}`, "Sun 01:00"},
		{true, `{"days": "sun"}`, "Sun 12:00"},
		{false, `{"days": ["sat", "sun"]}`, "Mon 00:00"},
		{true, `{"days": ["sat", "sun"], "tz": "America/New_York"}`, "Mon 00:00"},
		{true, `{"from": "18:00", "to": "24:00", "tz": "Asia/Tokyo"}`, "Tue 12:00"},
	} {
		c := compile(t, `{"time": `+tc.condition+`}`)
		var day, clock string
		if _, err := fmt.Sscan(tc.when, &day, &clock); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) // a Sunday
		for at.Weekday().String()[:3] != day {
			at = at.AddDate(0, 0, 1)
		}
		hm, err := time.Parse("15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Duration(hm.Hour())*time.Hour + time.Duration(hm.Minute())*time.Minute)
		if got := c.Eval(&record.Record{}, &Input{Now: at}); got != truth(tc.want) {
			t.Errorf("%s at %s is %s", tc.condition, tc.when, got)
		}
	}
}

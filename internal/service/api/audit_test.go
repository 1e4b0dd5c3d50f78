package api_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A changed is a store whose log somebody has touched.
type changed struct {
	backend.Data
	touch func(after int64, page []*audit.Record) ([]*audit.Record, error)
}

func (c changed) Audit(ctx context.Context, after int64, limit int) ([]*audit.Record, error) {
	page, err := c.Data.Audit(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	return c.touch(after, page)
}

// withLog starts a service with so many refusals in a log that was touched.
func withLog(t *testing.T, records int, touch func(int64, []*audit.Record) ([]*audit.Record, error)) (*servertest.Service, string) {
	s := servertest.New(t, servertest.Options{Data: func(d backend.Data) backend.Data { return changed{d, touch} }})
	var log []audit.Entry
	for range records {
		log = append(log, audit.Entry{Time: s.Now(), Kind: audit.KindRefusal, Actor: "token:x", Reason: strings.Repeat("no ", 100)})
	}
	if err := s.Data.Record(t.Context(), log...); err != nil {
		t.Fatal(err)
	}
	return s, s.Token(t, "reader", "read")
}

// The first record that is not as it was written is named.
func TestVerifyBrokenLog(t *testing.T) {
	s, reader := withLog(t, 10, func(_ int64, page []*audit.Record) ([]*audit.Record, error) {
		for _, r := range page {
			if r.Seq == 7 {
				r.Actor = "token:y"
			}
		}
		return page, nil
	})
	c := newCaller(t, s)
	if a := c.do(200, reader, "GET", "/v1/audit/verify", ""); a.At("ok") != false || a.At("seq") != 7.0 || a.At("records") != 6.0 || text(a, "problem") == "" {
		t.Error(a.Text)
	}
}

// A log whose tail is gone, or that cannot be read, is not said to be sound.
func TestVerifyUnreadableLog(t *testing.T) {
	lost := func(_ int64, page []*audit.Record) ([]*audit.Record, error) {
		return slices.DeleteFunc(page, func(r *audit.Record) bool { return r.Seq > 5 }), nil
	}
	damaged := func(int64, []*audit.Record) ([]*audit.Record, error) { return nil, errors.New("damaged") }
	for _, row := range []struct {
		touch func(int64, []*audit.Record) ([]*audit.Record, error)
		path  string
	}{
		{lost, "/v1/audit/verify"}, {damaged, "/v1/audit/verify"}, {damaged, "/v1/audit/export"},
		{damaged, "/v1/audit"},
	} {
		s, reader := withLog(t, 10, row.touch)
		if a := s.Do(t, reader, "GET", row.path, ""); a.Status != http.StatusServiceUnavailable || a.Code() != "storage" {
			t.Errorf("%s: %d %.300s", row.path, a.Status, a.Text)
		}
	}
}

// An export that cannot be ended breaks off, so that nobody takes a part for
// the whole.
func TestExportBreaksOff(t *testing.T) {
	s, reader := withLog(t, 2500, func(after int64, page []*audit.Record) ([]*audit.Record, error) {
		if after >= 2000 {
			return nil, errors.New("damaged")
		}
		return page, nil
	})
	r, err := http.NewRequest("GET", s.URL+"/v1/audit/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+reader)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	n := 0
	for part := make([]byte, 64<<10); err == nil; {
		var m int
		m, err = res.Body.Read(part)
		n += m
	}
	if res.StatusCode != 200 || n == 0 || err.Error() != "unexpected EOF" {
		t.Errorf("%d bytes, and then: %v", n, err)
	}
}

// What is exported is verified by itself, by who has the keys.
func TestExportVerifies(t *testing.T) {
	s, reader := withLog(t, 2500, func(_ int64, page []*audit.Record) ([]*audit.Record, error) { return page, nil })
	signed, err := audit.ReadCheckpoint([]byte(s.Do(t, reader, "GET", "/v1/audit/checkpoint", "").Text))
	if err != nil {
		t.Fatal(err)
	}
	var v audit.Verifier
	keys, err := s.Service.Keys().ForCheckpoint(signed)
	if err == nil {
		err = v.Expect(signed, keys)
	}
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range audit.ReadJSONL(strings.NewReader(s.Do(t, reader, "GET", "/v1/audit/export", "").Text)) {
		if err == nil {
			err = v.Check(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := v.Head(); v.End() != nil || n < 2500 {
		t.Errorf("%d records, %v", n, v.End())
	}
}

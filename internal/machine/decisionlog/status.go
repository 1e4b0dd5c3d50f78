package decisionlog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
)

// A StatusReport says which bundles are active, in the format of OPA's status
// API.
type StatusReport struct {
	Labels  map[string]string       `json:"labels"`
	Bundles map[string]BundleStatus `json:"bundles,omitempty"`
}

// A BundleStatus is the state of one bundle. Zero times stand for never.
type BundleStatus struct {
	Name                     string    `json:"name"`
	ActiveRevision           string    `json:"active_revision,omitempty"`
	LastSuccessfulActivation time.Time `json:"last_successful_activation"`
	Type                     string    `json:"type,omitempty"`
	Size                     int       `json:"size,omitempty"`
	LastSuccessfulDownload   time.Time `json:"last_successful_download"`
	LastSuccessfulRequest    time.Time `json:"last_successful_request"`
	LastRequest              time.Time `json:"last_request"`
	// Code is "bundle_error" where the bundle is not what it should be.
	Code    string        `json:"code,omitempty"`
	Message string        `json:"message,omitempty"`
	Errors  []StatusError `json:"errors,omitempty"`
	// HTTPCode is the status of the failed download, "" if it was none.
	HTTPCode json.Number `json:"http_code,omitempty"`
}

// A StatusError is one error of a bundle that does not compile.
type StatusError struct {
	Code     string    `json:"code"`
	Message  string    `json:"message"`
	Location *Location `json:"location,omitempty"`
}

// A Location is a place in a file of a bundle; row and column count from 1.
type Location struct {
	File string `json:"file"`
	Row  int    `json:"row"`
	Col  int    `json:"col"`
}

// SendStatus posts a report to a URL once. Messages are sent without their
// secrets. The error says that the server did not take the report.
func SendStatus(ctx context.Context, client *http.Client, url string, header http.Header, r StatusReport) error {
	body, err := json.Marshal(r.masked())
	if err != nil {
		return fmt.Errorf("status report: %w", err)
	}
	if client == nil {
		client = &http.Client{}
	}
	if err := post(ctx, sameHost(client), url, header, body); err != nil {
		text := clean(err)
		return fmt.Errorf("status report to the collector: %s", text)
	}
	return nil
}

// masked returns a copy without secrets, with labels.
func (r StatusReport) masked() StatusReport {
	if r.Labels = maps.Clone(r.Labels); r.Labels == nil {
		r.Labels = make(map[string]string)
	}
	r.Bundles = maps.Clone(r.Bundles)
	for name, b := range r.Bundles {
		if b.Name == "" {
			b.Name = name
		}
		b.Message, _ = redact.Text(b.Message)
		b.Errors = append([]StatusError(nil), b.Errors...)
		for i := range b.Errors {
			b.Errors[i].Message, _ = redact.Text(b.Errors[i].Message)
		}
		r.Bundles[name] = b
	}
	return r
}

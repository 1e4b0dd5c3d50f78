package telemetry

import "strings"

// A Kind is what a metric is. The zero value is a gauge.
type Kind uint8

// The kinds of metrics.
const (
	Gauge     Kind = iota // a value that goes up and down
	Counter               // a number that only grows, from 0 at the start of the service
	Histogram             // how many values lie in each of some ranges
)

// String returns the kind as Prometheus names it.
func (k Kind) String() string { return [...]string{"gauge", "counter", "histogram"}[k] }

// A Metric is one of those that the service has.
type Metric struct {
	// Name is that of OpenTelemetry, such as policyctl.decisions.
	Name string
	Kind Kind
	// Unit is that of UCUM: s for seconds, By for bytes, 1 for yes or no, and what is
	// counted in braces.
	Unit string
	// Labels are the names of its labels. Their values come from closed sets.
	Labels []string
	Help   string
}

// Prometheus returns the name under which Prometheus knows the metric.
func (m *Metric) Prometheus() string {
	name := strings.ReplaceAll(m.Name, ".", "_")
	switch m.Unit {
	case "s":
		name += "_seconds"
	case "By":
		name += "_bytes"
	}
	if m.Kind == Counter {
		name += "_total"
	}
	return name
}

// The metrics, by their places in the table.
const (
	decisions = iota
	decisionDuration
	floorDenials
	requestsSubmitted
	requestsEnded
	requestWait
	requestsPending
	channelDeliveries
	channelUp
	pushFailing
	reviews
	reviewDuration
	reviewTokens
	reviewCost
	breakerOpen
	databaseDuration
	databaseErrors
	bundleAge
	bundleCurrent
	spoolSize
	spoolLost
	callsLost
	auditVerified
	healthy
	ready
	exportFailures
	spansLost
	build
	metricCount
)

// table has the metrics, in the order in which they are printed.
var table = [metricCount]Metric{
	decisions:         {"policyctl.decisions", Counter, "{decision}", []string{"decision", "reason", "source", "stage"}, "Calls that the service's engine has decided."},
	decisionDuration:  {"policyctl.decision.duration", Histogram, "s", []string{"source"}, "How long a decision took."},
	floorDenials:      {"policyctl.floor.denials", Counter, "{decision}", []string{"rule"}, "Calls that the floor has denied, by rule."},
	requestsSubmitted: {"policyctl.requests.submitted", Counter, "{request}", []string{"state"}, "Requests for approval that were stored, by initial state."},
	requestsEnded:     {"policyctl.requests.ended", Counter, "{request}", []string{"source", "state"}, "Requests that no longer wait, by outcome and by who decided."},
	requestWait:       {"policyctl.request.wait", Histogram, "s", []string{"state"}, "How long a request waited until it was decided or ended."},
	requestsPending:   {"policyctl.requests.pending", Gauge, "{request}", nil, "Requests in the database that wait for a decision."},
	channelDeliveries: {"policyctl.channel.deliveries", Counter, "{delivery}", []string{"channel", "outcome"}, "Messages to channels, by outcome; a retried message is sent again."},
	channelUp:         {"policyctl.channel.up", Gauge, "1", []string{"channel"}, "1 if a channel is working as far as the service knows, else 0."},
	pushFailing:       {"policyctl.push.failing", Gauge, "{browser}", nil, "Browsers that did not receive their last Web Push message."},
	reviews:           {"policyctl.reviews", Counter, "{review}", []string{"outcome", "reviewer"}, "Requests put to a language model, by outcome."},
	reviewDuration:    {"policyctl.review.duration", Histogram, "s", []string{"reviewer"}, "How long a review took."},
	reviewTokens:      {"policyctl.review.tokens", Counter, "{token}", []string{"reviewer", "type"}, "Language model tokens paid for; cached tokens are part of input."},
	reviewCost:        {"policyctl.review.cost", Counter, "{currency}", []string{"reviewer"}, "Cost of reviews, in the currency of the prices in approvers.yaml."},
	breakerOpen:       {"policyctl.reviewer.breaker.open", Gauge, "1", []string{"reviewer"}, "1 while a language model is not asked because it failed too often in a row, else 0."},
	databaseDuration:  {"policyctl.database.duration", Histogram, "s", []string{"operation"}, "How long the database took to read or write requests, audit records and deliveries."},
	databaseErrors:    {"policyctl.database.errors", Counter, "{error}", []string{"operation"}, "Database operations that failed."},
	bundleAge:         {"policyctl.bundle.age", Gauge, "s", []string{"bundle"}, "Time since a bundle's server last confirmed it."},
	bundleCurrent:     {"policyctl.bundle.current", Gauge, "1", []string{"bundle"}, "1 if a bundle applies in full and its last update worked, else 0."},
	spoolSize:         {"policyctl.spool.size", Gauge, "By", []string{"spool"}, "Decisions on this machine's disk that are not shipped yet, in bytes."},
	spoolLost:         {"policyctl.spool.lost", Counter, "{event}", []string{"cause", "spool"}, "Decisions that a spool could not keep or ship since it was created."},
	callsLost:         {"policyctl.calls.lost", Counter, "{call}", nil, "Decided calls that were not kept for rule previews."},
	auditVerified:     {"policyctl.audit.verified", Gauge, "{record}", nil, "Audit log records that the last verification found unchanged."},
	healthy:           {"policyctl.health", Gauge, "1", []string{"part"}, "1 if a part of the service is healthy, else 0."},
	ready:             {"policyctl.ready", Gauge, "1", nil, "1 if the service is ready, as /health/ready reports, else 0."},
	exportFailures:    {"policyctl.otlp.failures", Counter, "{export}", []string{"signal"}, "Failed exports to the OTLP collector; their contents are lost."},
	spansLost:         {"policyctl.spans.lost", Counter, "{span}", nil, "Decisions that got no span because too many were waiting."},
	build:             {"policyctl.build.info", Gauge, "1", []string{"version"}, "Always 1; the label holds the version of the program."},
}

// Metrics returns the metrics, in the order in which they are printed.
func Metrics() []Metric { return table[:] }

// The ranges of histograms, in seconds.
var (
	decisionBounds = []float64{.000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .05, .25, 1}
	databaseBounds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, .5, 2.5, 10}
	reviewBounds   = []float64{.25, .5, 1, 2, 4, 8, 15, 30}
	waitBounds     = []float64{1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14400, 86400}
)

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
	decisions:         {"policyctl.decisions", Counter, "{decision}", []string{"decision", "reason", "source", "stage"}, "Calls that the engine of the service has decided."},
	decisionDuration:  {"policyctl.decision.duration", Histogram, "s", []string{"source"}, "How long a decision took."},
	floorDenials:      {"policyctl.floor.denials", Counter, "{decision}", []string{"rule"}, "Calls that the hardline floor has denied, by its rule."},
	requestsSubmitted: {"policyctl.requests.submitted", Counter, "{request}", []string{"state"}, "Requests for approval that were stored, by the state in which they began."},
	requestsEnded:     {"policyctl.requests.ended", Counter, "{request}", []string{"source", "state"}, "Requests that waited and wait no more, by what became of them and who decided."},
	requestWait:       {"policyctl.request.wait", Histogram, "s", []string{"state"}, "How long a request waited until it was decided or over."},
	requestsPending:   {"policyctl.requests.pending", Gauge, "{request}", nil, "Requests that wait for a decision, as the database has it."},
	channelDeliveries: {"policyctl.channel.deliveries", Counter, "{delivery}", []string{"channel", "outcome"}, "What became of messages to channels; retried ones are sent again."},
	channelUp:         {"policyctl.channel.up", Gauge, "1", []string{"channel"}, "1 where a channel works as far as is known, else 0."},
	pushFailing:       {"policyctl.push.failing", Gauge, "{browser}", nil, "Browsers to which the last message by Web Push did not come."},
	reviews:           {"policyctl.reviews", Counter, "{review}", []string{"outcome", "reviewer"}, "Requests about which a language model was asked, by what came of it."},
	reviewDuration:    {"policyctl.review.duration", Histogram, "s", []string{"reviewer"}, "How long a review took."},
	reviewTokens:      {"policyctl.review.tokens", Counter, "{token}", []string{"reviewer", "type"}, "Tokens of language models that were paid for; cached is a part of input."},
	reviewCost:        {"policyctl.review.cost", Counter, "{currency}", []string{"reviewer"}, "What reviews cost, in the currency of the prices in approvers.yaml."},
	breakerOpen:       {"policyctl.reviewer.breaker.open", Gauge, "1", []string{"reviewer"}, "1 while a language model is left alone because it failed too often in a row, else 0."},
	databaseDuration:  {"policyctl.database.duration", Histogram, "s", []string{"operation"}, "How long the database took to read or to write requests, audit records and deliveries."},
	databaseErrors:    {"policyctl.database.errors", Counter, "{error}", []string{"operation"}, "Operations that the database could not do."},
	bundleAge:         {"policyctl.bundle.age", Gauge, "s", []string{"bundle"}, "How long ago the server of a bundle last confirmed it."},
	bundleCurrent:     {"policyctl.bundle.current", Gauge, "1", []string{"bundle"}, "1 where a bundle counts in full and its last update worked, else 0."},
	spoolSize:         {"policyctl.spool.size", Gauge, "By", []string{"spool"}, "Bytes of decisions on the disk of this machine that were not shipped yet."},
	spoolLost:         {"policyctl.spool.lost", Counter, "{event}", []string{"cause", "spool"}, "Decisions that a spool could not keep or ship, since the spool was made."},
	callsLost:         {"policyctl.calls.lost", Counter, "{call}", nil, "Decided calls that were not kept for previews of rules."},
	auditVerified:     {"policyctl.audit.verified", Gauge, "{record}", nil, "Records of the audit log that the last verification found as they were written."},
	healthy:           {"policyctl.health", Gauge, "1", []string{"part"}, "1 where a part of the service is in order, else 0."},
	ready:             {"policyctl.ready", Gauge, "1", nil, "1 where the service is ready, as /health/ready says, else 0."},
	exportFailures:    {"policyctl.otlp.failures", Counter, "{export}", []string{"signal"}, "Exports to the OTLP collector that failed; what was in them is lost."},
	spansLost:         {"policyctl.spans.lost", Counter, "{span}", nil, "Decisions that became no span because too many waited."},
	build:             {"policyctl.build.info", Gauge, "1", []string{"version"}, "1, with the version of the program."},
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

package telemetry

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
)

// problems gets what the libraries of OpenTelemetry would print themselves, which may
// hold values of variables, such as a password for the collector. What they say while the
// exporters are made stops the start.
type problems struct {
	log *slog.Logger

	mu      sync.Mutex
	started bool
	found   []string
}

// hear has the libraries tell p: they have one ear in a process.
func (p *problems) hear() {
	otel.SetErrorHandler(p)
	otel.SetLogger(logr.New(p))
}

// end says what was wrong until now, and has what follows go to the log.
func (p *problems) end() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = true
	if len(p.found) == 0 {
		return nil
	}
	slices.Sort(p.found)
	return fmt.Errorf("the environment has variables of OpenTelemetry that cannot be followed: %s: correct them, or unset OTEL_EXPORTER_OTLP_ENDPOINT to export nothing",
		strings.Join(slices.Compact(p.found), ", "))
}

// tell notes a problem at the start by the names of variables in it, or else by what in
// it is no value.
func (p *problems) tell(what string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		p.log.Warn("OpenTelemetry: "+what, "error", err)
		return
	}
	text := what
	if err != nil {
		text += " " + err.Error()
	}
	if names := regexp.MustCompile(`\bOTEL_[A-Z_]+`).FindAllString(text, -1); names != nil {
		p.found = append(p.found, names...)
		return
	}
	if what == "" {
		what, _, _ = strings.Cut(text, ":")
	}
	p.found = append(p.found, strings.TrimSpace(what))
}

// Handle implements [otel.ErrorHandler].
func (p *problems) Handle(err error) { p.tell("", err) }

// Error implements [logr.LogSink], and so do the methods that follow.
func (p *problems) Error(err error, what string, _ ...any) { p.tell(what, err) }

func (p *problems) Init(logr.RuntimeInfo)          {}
func (p *problems) Enabled(int) bool               { return false }
func (p *problems) Info(int, string, ...any)       {}
func (p *problems) WithValues(...any) logr.LogSink { return p }
func (p *problems) WithName(string) logr.LogSink   { return p }

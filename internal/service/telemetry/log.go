package telemetry

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/policyctl/policyctl/internal/support/redact"
)

// redacting masks secrets in what it hands on.
type redacting struct{ next slog.Handler }

func (h redacting) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

func (h redacting) Handle(ctx context.Context, r slog.Record) error {
	text, _ := redact.Text(r.Message)
	clean := slog.NewRecord(r.Time, r.Level, text, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(withoutSecrets(a))
		return true
	})
	return h.next.Handle(ctx, clean)
}

func (h redacting) WithAttrs(list []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(list))
	for i, a := range list {
		clean[i] = withoutSecrets(a)
	}
	return redacting{h.next.WithAttrs(clean)}
}

func (h redacting) WithGroup(name string) slog.Handler { return redacting{h.next.WithGroup(name)} }

// withoutSecrets returns an attribute in which secrets are masked: by their form, and by
// its name. What is no number, time or truth becomes text.
func withoutSecrets(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	switch a.Value.Kind() {
	case slog.KindGroup:
		group := make([]slog.Attr, 0, len(a.Value.Group()))
		for _, in := range a.Value.Group() {
			group = append(group, withoutSecrets(in))
		}
		a.Value = slog.GroupValue(group...)
	case slog.KindString, slog.KindAny:
		text := fmt.Sprint(a.Value.Any())
		clean, _ := redact.Value(map[string]any{a.Key: text})
		if m, ok := clean.(map[string]any); ok {
			text, _ = m[a.Key].(string)
		}
		a.Value = slog.StringValue(text)
	}
	return a
}

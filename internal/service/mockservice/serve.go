package mockservice

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// patience is how long requests may take that are under way at the end.
const patience = 5 * time.Second

// Serve answers what comes to a listener until ctx is done, and closes it.
func Serve(ctx context.Context, l net.Listener, c Config) error {
	server := webguard.Server(Handler(c), slog.New(slog.DiscardHandler))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	if err := server.Shutdown(last); err != nil {
		server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

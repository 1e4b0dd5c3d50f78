package webguard

import (
	"log/slog"
	"net/http"
	"time"
)

// How long clients may take. Whoever is slower holds a connection for nothing.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second // the body, too
	writeTimeout  = 30 * time.Second // from the end of the header of the request
	idleTimeout   = 2 * time.Minute
	maxHeader     = 32 << 10
)

// Server returns a server that no slow client can hold. A handler that takes
// longer than 30 seconds calls [Hold] first.
func Server(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:                      h,
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is for the handler too
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// Hold lets a handler take so long before it answers: [Server] would break off
// the answer else. The body has to be read before.
func Hold(w http.ResponseWriter, d time.Duration) error {
	return http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d + writeTimeout))
}

// Package server puts the approval service on the network: listeners on the
// loopback addresses, a Unix socket, and the chain of checks around the routes.
//
//	s, err := server.New(server.Config{Backend: b, Hub: hub, Listen: server.Loopback(8765)})
//	err = s.Serve(ctx) // until ctx is done
//
// The package opens no database and makes no certificate.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A Config says what a server serves, and where. Backend, Hub and one of
// Listen and Socket must be set.
type Config struct {
	Backend *backend.Backend
	// Hub gets the events of the store; see [api.NewHub].
	Hub *stream.Hub
	// Listen are addresses and ports, such as those of [Loopback]. Port 0 takes
	// a free one, the same for all that say so.
	Listen []string
	// Exposed permits addresses that other machines reach. What they send can
	// be read on the way, tokens too, unless something in front speaks TLS.
	Exposed bool
	// TLS has the addresses speak TLS, so that others may reach them; nil for
	// plain HTTP.
	TLS *tls.Config
	// Socket is the path of a Unix socket, "" for none.
	Socket string
	// Hosts are names beside those of this machine that clients may use.
	Hosts []string
	// Identities bounds how often one identity asks; a burst of 0 stands for 50
	// a second and 200 at once.
	Identities webguard.Bucket
	API        api.Options
	// More are families of routes beside the native ones.
	More []route.Family
}

// A Server is a service that listens. Serve must be called, or Close.
type Server struct {
	b         *backend.Backend
	hub       *stream.Hub
	api       *api.API
	http      *http.Server
	listeners []net.Listener
	scheme    string          // of the addresses
	unlock    func()          // of the socket
	base      context.Context // of all requests; ends when they had time to end
	cancel    context.CancelFunc
}

// New returns a server that listens and does not answer yet.
func New(c Config) (*Server, error) {
	s := &Server{b: c.Backend, hub: c.Hub, api: api.New(c.Hub, c.Backend.Now, c.API), scheme: "http", unlock: func() {}}
	s.base, s.cancel = context.WithCancel(context.Background())
	c.Exposed = c.Exposed || c.TLS != nil
	if err := s.listen(&c); err != nil {
		s.Close()
		return nil, err
	}
	secured := s.secure(c.TLS)
	hosts, err := hostsOf(s.listeners, c.Hosts)
	if err != nil {
		s.Close()
		return nil, err
	}
	s.http = webguard.Server(s.handler(&c, hosts), c.Backend.Log)
	s.http.TLSConfig = secured
	s.http.ConnContext = auth.PeerConn
	s.http.BaseContext = func(net.Listener) context.Context { return s.base }
	return s, nil
}

// secure has the addresses speak TLS; the socket needs none. A browser opens few
// connections to a host, and each page of the desk holds a stream: HTTP/2 has
// room for all of them on one.
func (s *Server) secure(c *tls.Config) *tls.Config {
	if c == nil {
		return nil
	}
	s.scheme = "https"
	c = c.Clone()
	c.NextProtos = []string{"h2", "http/1.1"}
	for i, l := range s.listeners {
		if l.Addr().Network() != "unix" {
			s.listeners[i] = tls.NewListener(l, c)
		}
	}
	return c
}

// Addresses returns where the server listens, as clients write it.
func (s *Server) Addresses() []string {
	var list []string
	for _, l := range s.listeners {
		if a := l.Addr(); a.Network() == "unix" {
			list = append(list, "unix:"+a.String())
		} else {
			list = append(list, s.scheme+"://"+a.String())
		}
	}
	return list
}

// Close lets go of what New took, for a server that does not serve.
func (s *Server) Close() {
	s.api.Close()
	s.cancel()
	for _, l := range s.listeners {
		_ = l.Close() // it is not used any more
	}
	s.unlock()
}

// Serve answers until ctx is done, or a listener fails, and ends the requests
// whose time is over. Then streams end, and what waits for a decision is
// answered as it stands.
func (s *Server) Serve(ctx context.Context) error {
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	expiry := make(chan struct{})
	go func() {
		defer close(expiry)
		s.b.Service.Run(ctx, func(err error) { s.b.Log.Error("requests were not ended in time", "error", err) })
	}()
	failed := make(chan error, len(s.listeners))
	for _, l := range s.listeners {
		go func() { failed <- s.http.Serve(l) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	s.shutdown()
	<-expiry
	return err
}

// How long requests that are being served have to end, and those that wait for
// the end of their context after that.
const (
	grace     = 5 * time.Second
	lastGrace = 2 * time.Second
)

func (s *Server) shutdown() {
	s.api.Close()
	s.hub.Close()
	for _, step := range []struct {
		time time.Duration
		then func()
	}{{grace, s.cancel}, {lastGrace, func() { _ = s.http.Close() }}} {
		ctx, cancel := context.WithTimeout(context.Background(), step.time)
		err := s.http.Shutdown(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			return
		}
		step.then()
	}
}

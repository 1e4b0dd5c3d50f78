package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

// Loopback returns the addresses of this machine alone, with a port.
func Loopback(port uint16) []string {
	return []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("[::1]:%d", port)}
}

// listen opens the listeners of a configuration.
func (s *Server) listen(c *Config) error {
	for _, text := range c.Listen {
		address, err := checkAddress(text, c.Exposed)
		if err == nil {
			err = s.listenTCP(address)
		}
		if err != nil {
			return err
		}
	}
	if c.Socket != "" {
		l, unlock, err := listenSocket(c.Socket)
		if err != nil {
			return err
		}
		s.listeners, s.unlock = append(s.listeners, l), unlock
	}
	if len(s.listeners) == 0 {
		return errors.New("there is neither an address nor a socket to listen on: give one")
	}
	return nil
}

func (s *Server) listenTCP(address netip.AddrPort) error {
	if address.Port() == 0 && len(s.listeners) > 0 {
		address = netip.AddrPortFrom(address.Addr(), portOf(s.listeners[0]))
	}
	l, err := net.Listen("tcp", address.String())
	if unsupported(err) && address.Addr() == netip.IPv6Loopback() && len(s.listeners) > 0 {
		return nil // nobody else can listen there either
	}
	if err != nil {
		return fmt.Errorf("listen on %s: %w: end what listens there, or choose another port with --listen", address, err)
	}
	s.listeners = append(s.listeners, l)
	return nil
}

// unsupported says that the machine has no such address.
func unsupported(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}

// checkAddress reads an address. Names are none: what they stand for changes.
func checkAddress(text string, exposed bool) (netip.AddrPort, error) {
	address, err := netip.ParseAddrPort(text)
	if err != nil {
		return address, fmt.Errorf("listen on %q: give an address and a port, such as 127.0.0.1:8765", text)
	}
	if !exposed && !address.Addr().Unmap().IsLoopback() {
		return address, fmt.Errorf("listen on %s: other machines reach it, and tokens travel readable: listen on 127.0.0.1, or say that it is to be exposed", text)
	}
	return address, nil
}

func portOf(l net.Listener) uint16 {
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		return uint16(a.Port)
	}
	return 0
}

// hostsOf returns what clients of the listeners may write as the host.
func hostsOf(listeners []net.Listener, names []string) ([]string, error) {
	var hosts []string
	for _, l := range listeners {
		a, ok := l.Addr().(*net.TCPAddr)
		if !ok {
			continue
		}
		own, err := webguard.LocalHosts(a.Port, names...)
		if err != nil {
			return nil, err
		}
		hosts = append(hosts, own...)
		if !a.IP.IsUnspecified() {
			hosts = append(hosts, net.JoinHostPort(a.IP.String(), strconv.Itoa(a.Port)))
		}
	}
	return hosts, nil
}

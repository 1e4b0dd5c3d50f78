package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/mockservice"
)

// A mock answers programs as a file says.
type mock struct {
	*console.Process
	config, host string
	port         int
}

func newMock(p *console.Process) *cobra.Command {
	m := &mock{Process: p}
	cmd := &cobra.Command{
		Use:   "mock-approval-service --config FILE",
		Short: "Answer every proved program as a file says, for tests without a person",
		Long: `Answer every program sent to POST /requests as a JSON file says, for tests and
demonstrations without a person. The keys of the file:

  decision                approved_once (the default), approved_remember,
                          auto_approved, rejected, rejected_contract or
                          request_more
  receipt                 what goes with an approval; by default mock- and the
                          id of the request
  feedback                a text for the agent
  require_program_sha256  reject any program with another SHA-256

The first line that it prints sets the variable by which clients find it. It
runs until it is stopped. Agents are denied this command.`,
		Example: `  policyctl mock-approval-service --config decision.json
  policyctl mock-approval-service --config decision.json --port 0`,
		Args: console.NoArgs,
		RunE: console.UntilStopped(m.run),
	}
	flags := cmd.Flags()
	flags.StringVar(&m.config, "config", "", "the `FILE` that says what to answer")
	flags.StringVar(&m.host, "host", "127.0.0.1", "the `ADDRESS` to listen on")
	flags.IntVar(&m.port, "port", 8765, "the `PORT` to listen on; 0 picks a free one")
	return cmd
}

func (m *mock) run(ctx context.Context) error {
	config, err := m.read()
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(m.host, strconv.Itoa(m.port)))
	if err != nil {
		return fmt.Errorf("%w: choose another --host or --port; --port 0 picks a free one", err)
	}
	if err := m.announce(listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	return mockservice.Serve(ctx, listener, config)
}

// read checks the flags and reads the file.
func (m *mock) read() (mockservice.Config, error) {
	switch {
	case m.config == "":
		return mockservice.Config{}, console.Usagef(`--config is missing: name a JSON file, such as one with {"decision": "approved_once"}`)
	case m.host == "":
		return mockservice.Config{}, console.Usagef("--host is empty: leave it out for 127.0.0.1")
	case m.port < 0 || m.port > 65535:
		return mockservice.Config{}, console.Usagef("--port %d: choose one from 1 to 65535, or 0 for a free one", m.port)
	}
	data, err := os.ReadFile(m.config)
	if err != nil {
		return mockservice.Config{}, console.Usagef("--config: %v", err)
	}
	config, err := mockservice.ReadConfig(data)
	if err != nil {
		return mockservice.Config{}, console.Usagef("%s: %v", m.config, err)
	}
	return config, nil
}

// announce says where the service is, under the name that was asked for.
func (m *mock) announce(at net.Addr) error {
	address, ok := at.(*net.TCPAddr)
	if ok && !address.IP.IsLoopback() {
		fmt.Fprintln(m.Stderr, "policyctl: whoever reaches this machine gets an answer: the mock asks nobody who they are")
	}
	_, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Stdout, "CLAUZ3_APPROVAL_SERVICE=http://%s\n", net.JoinHostPort(m.host, port))
	return err
}

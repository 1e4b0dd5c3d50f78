package postgres

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/policyctl/policyctl/internal/support/sleep"
)

// leadLock is the first number of the advisory locks of who leads ("pctl").
const leadLock = 1885566060

// The times of who leads: how often it tries to lead, looks whether it still does, and how
// long the server may take for that.
const (
	leadEvery = time.Second
	leadTime  = 3 * time.Second
)

// Shared implements sqlstore.Engine.
func (s *server) Shared() bool { return true }

// Lead implements sqlstore.Engine. Who leads holds an advisory lock by a session of its
// own: where its connection is lost, the server lets go of the lock, and another instance
// leads. This one learns of it within a few seconds.
func (s *server) Lead(ctx context.Context, what string, run func(context.Context)) {
	for ctx.Err() == nil {
		_ = s.lead(ctx, what, run) // what fails, fails at all that the service does, and is told there
		sleep.For(ctx, leadEvery)
	}
}

// errEnded says that there is nothing to lead any more.
var errEnded = errors.New("it has ended")

func (s *server) lead(ctx context.Context, what string, run func(context.Context)) error {
	c, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	defer func() {
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), leadTime)
		defer stop()
		_ = c.Close(bounded)
	}()
	for held := false; !held; {
		if held, err = try(ctx, c, what); err != nil {
			return err
		}
		if !held && !sleep.For(ctx, leadEvery) {
			return ctx.Err()
		}
	}
	leading, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(leading)
	}()
	for err == nil {
		select {
		case <-done:
			return errEnded
		case <-time.After(leadEvery):
			err = look(ctx, c)
		}
	}
	stop()
	<-done
	return err
}

// try takes the lock of what there is to lead, if nobody has it.
func try(ctx context.Context, c *pgx.Conn, what string) (held bool, err error) {
	ctx, stop := context.WithTimeout(ctx, leadTime)
	defer stop()
	h := fnv.New32a()
	_, _ = io.WriteString(h, what) // which never fails
	err = c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", leadLock, int32(h.Sum32())).Scan(&held)
	return held, err
}

// look reports whether the session is there still.
func look(ctx context.Context, c *pgx.Conn) error {
	ctx, stop := context.WithTimeout(ctx, leadTime)
	defer stop()
	return c.Ping(ctx)
}

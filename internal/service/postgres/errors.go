package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// advice says what to do about errors that the server tells, by their codes
// (PostgreSQL, Appendix A); a code of two characters stands for its class.
var advice = []struct{ code, text string }{
	{"28P01", "the password is wrong, or there is none: set PGPASSWORD, or a line in the PGPASSFILE"},
	{"28", "the server does not let this role in from here: check the role, and pg_hba.conf of the server"},
	{"3D000", "there is no such database: make it with createdb --encoding UTF8, or name another one"},
	{"3F000", "there is no such schema: make it, or name another one as search_path in the URL"},
	{"42501", "the role lacks rights: run docs/postgresql.sql as the owner of the database, or give another role"},
	{"25006", "the server takes only reads now: name the primary server"},
	{"53100", "the disk of the server is full and nothing of this was stored: free space and try again"},
	{"53300", "the server has no connection left: raise max_connections, or end other clients"},
	{"53", "the server is short of memory or of another resource, and nothing of this was stored: see its log"},
	{"55P03", "other instances have written for too long, and nothing of this was stored: try again, and see what holds the lock in pg_stat_activity"},
	{"57014", "the server took too long and has given up: try again, or see its load"},
	{"57P03", "the server is starting or stopping: it is asked again, and answers when it is ready"},
	{"57P", "the server has ended the connection, as it stops or was told to: it is asked again"},
	{"XX", "the server has found damage: stop the service, see the log of the server, and restore a backup"},
}

// Explain implements sqlstore.Engine.
func (s *server) Explain(err error) error { return sqlstore.Fail(s.name, err, cause) }

// IsFull reports whether an error is that of a server whose disk has no space.
func IsFull(err error) bool {
	var told *pgconn.PgError
	return errors.As(err, &told) && told.Code == "53100"
}

// IsDenied reports whether an error is that of a role that lacks rights.
func IsDenied(err error) bool {
	var told *pgconn.PgError
	return errors.As(err, &told) && told.Code == "42501"
}

// cause says what an error means and what to do.
func cause(err error) string {
	var told *pgconn.PgError
	if errors.As(err, &told) {
		return causeOfCode(told)
	}
	for _, known := range []error{errReplica, errEncoding, errOld} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if errors.Is(err, approval.ErrDamaged) {
		return "what is stored of it is damaged: restore a backup"
	}
	if text := causeOfTLS(err); text != "" {
		return text
	}
	return causeOfNetwork(err)
}

func causeOfCode(e *pgconn.PgError) string {
	if e.Code == "28000" && strings.Contains(e.Message, "no encryption") || strings.Contains(e.Message, "SSL off") {
		return "the server wants TLS from here: set sslmode=verify-full, or sslmode=require"
	}
	for _, a := range advice {
		if strings.HasPrefix(e.Code, a.code) {
			return a.text
		}
	}
	return ""
}

func causeOfTLS(err error) string {
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var wrong *tls.CertificateVerificationError
	switch {
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return "the server speaks no TLS: switch ssl on there; sslmode=disable does without, on a network that nobody else reads"
	case errors.As(err, &host):
		return "the certificate of the server is for another name: use a name of the certificate as the host, or have one made for this name"
	case errors.As(err, &authority):
		return "the certificate of the server is signed by nobody that is known here: give the authority's file as sslrootcert"
	case errors.As(err, &invalid), errors.As(err, &wrong):
		return "the certificate of the server is not valid: have a new one made"
	}
	return ""
}

func causeOfNetwork(err error) string {
	var lookup *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &lookup):
		return "the name of the host is not known: check it, and the name service"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return "no server answers there: start it, or check host and port"
	case errors.Is(err, fs.ErrPermission):
		return "the socket of the server is not for this user: check its permissions"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "the server has not answered within " + patience.String() + ": check the network and the load of the server"
	case lost(err):
		return "the connection was lost: reconnecting"
	}
	return ""
}

// lost reports whether an error is that of a connection that was lost.
func lost(err error) bool {
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF, pgconn.ErrConnClosed, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed, driver.ErrBadConn} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

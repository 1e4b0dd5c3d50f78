package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// secret is a password that no error has.
const secret = "s3cr3t-w0rd"

// refused fails unless Open refuses a URL with some words, in one line, soon, and without
// the password.
func refused(t *testing.T, url, want string) {
	t.Helper()
	began := time.Now()
	d, err := postgres.Open(t.Context(), url, postgres.Options{})
	if err == nil {
		shut(t, d)
		t.Errorf("%s was opened", url)
		return
	}
	text := err.Error()
	if !strings.Contains(text, want) || strings.Contains(text, "\n") || strings.Contains(text, "w0rd") || time.Since(began) > 7*time.Second {
		t.Errorf("%s: after %v: %s; want %q", url, time.Since(began), text, want)
	}
}

func TestBadURLs(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://u:" + secret + "/x@h/db":                                     "cannot be read",
		"postgres://u:" + secret + "?@h/db":                                      "cannot be read",
		"postgres://u:" + secret + "@h:99999/db":                                 "invalid port",
		"postgres://u:" + secret + "@h/db?sslmode=" + "always":                   "sslmode is invalid",
		"postgres://u@h/db?sslmode=w&password=" + secret:                         "sslmode is invalid",
		"postgres://u:" + secret + "@h/":                                         "names none",
		"postgres://u:" + secret + "@h/db?sslmode=verify-full&sslrootcert=/none": "/none",
		"/var/lib/approval.db":                                                   "no URL",
	} {
		refused(t, url, want)
	}
	for url, want := range map[string]bool{
		"postgres://u:p@h/db": true, "postgres://u@h/db?password=p": true, "postgres://u@h/db": false, "/a:b@c": false, "postgres://u:a/b@h": true,
	} {
		if got := postgres.HasPassword(url); got != want {
			t.Errorf("%s has a password: %v", url, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	seed.Slow(t)
	c := pgtest.Start(t)
	port := c.Listen(t)
	c.SQL(t, "postgres", `CREATE ROLE pw LOGIN PASSWORD '`+secret+`'; CREATE ROLE low LOGIN; CREATE ROLE many LOGIN CONNECTION LIMIT 0; CREATE DATABASE x;
		CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0; CREATE DATABASE others; CREATE DATABASE newer`)
	c.SQL(t, "others", "CREATE TABLE shop (id bigint)")
	c.Write(t, "pg_hba.conf", []byte("local all all trust\nlocal replication all trust\nhost all pw 127.0.0.1/32 scram-sha-256\nhostssl all low 127.0.0.1/32 trust\n"))
	tcp := func(user string) string { return fmt.Sprintf("postgres://%s@127.0.0.1:%d/x?sslmode=", user, port) }
	t.Setenv("PGPASSFILE", filepath.Join(t.TempDir(), "none"))

	refused(t, "postgres://u:"+secret+"@127.0.0.1:1/x", "no server answers there")
	refused(t, "postgres://u:"+secret+"@nowhere.invalid/x", "the name of the host is not known")
	refused(t, "postgres:///x?host="+t.TempDir()+"&user=u", "no server answers there")
	refused(t, tcp("pw")+"disable", "set PGPASSWORD")
	refused(t, tcp("pw:"+secret+"2")+"disable", "the password is wrong")
	refused(t, tcp("nobody")+"disable", "pg_hba.conf")
	refused(t, tcp("pw:"+secret)+"require", "the server speaks no TLS")
	refused(t, c.To("nowhere", "postgres"), "createdb")
	refused(t, c.To("x", "many"), "no connection left")
	refused(t, c.To("x", "low"), "lacks rights")
	refused(t, c.To("latin", "postgres"), "UTF-8")
	refused(t, c.To("others", "postgres"), "tables of another program")
	refused(t, c.To("x", "postgres")+"&search_path=gone", "schema of its search_path is not there")

	shut(t, open(t, c.To("newer", "postgres"), postgres.Options{}))
	c.SQL(t, "newer", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)")
	refused(t, c.To("newer", "postgres"), "use a newer program")

	t.Setenv("PGPASSWORD", secret)
	c.SQL(t, "x", "GRANT CREATE ON SCHEMA public TO pw")
	shut(t, open(t, tcp("pw")+"disable", postgres.Options{}))

	root := certify(t, c)
	refused(t, tcp("low")+"disable", "the server wants TLS")
	refused(t, strings.Replace(tcp("pw"), "127.0.0.1", "localhost", 1)+"verify-full&sslrootcert="+root, "is for another name")
	refused(t, tcp("pw")+"verify-full", "signed by nobody that is known here")
	shut(t, open(t, tcp("pw")+"verify-full&sslrootcert="+root, postgres.Options{}))

	standby := c.Standby(t)
	refused(t, standby.To("x", "postgres"), "the server is a replica")
	// Of several servers the one that takes writes is used.
	shut(t, open(t, fmt.Sprintf("postgres:///x?user=postgres&host=%s,%s&port=5432,%d", dirOf(standby), dirOf(c), port), postgres.Options{}))
	c.SQL(t, "postgres", "ALTER ROLE pw SET default_transaction_read_only = on")
	refused(t, tcp("pw")+"disable", "takes only reads")
}

func dirOf(c *pgtest.Cluster) string { return filepath.Dir(c.Data()) }

// certify gives a server a certificate for 127.0.0.1, and returns the file of the one who
// signed it.
func certify(t *testing.T, c *pgtest.Cluster) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "db"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	c.Write(t, "server.crt", cert)
	c.Write(t, "server.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	c.SQL(t, "postgres", "ALTER SYSTEM SET ssl = on")
	c.SQL(t, "postgres", "SELECT pg_reload_conf()")
	file := filepath.Join(t.TempDir(), "root.crt")
	if err := os.WriteFile(file, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 100 { // until the server has read it
		if c.SQL(t, "postgres", "SHOW ssl") == "on" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return file
}

// Instances that start at once make the tables once.
func TestOpenAtOnce(t *testing.T) {
	seed.Slow(t)
	url := pgtest.URL(t)
	if there, err := postgres.Made(t.Context(), url); there || err != nil {
		t.Errorf("%v, %v", there, err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			d, err := postgres.Open(t.Context(), url, postgres.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			shut(t, d)
		})
	}
	all.Wait()
	if there, err := postgres.Made(t.Context(), url); !there || err != nil {
		t.Errorf("%v, %v", there, err)
	}
}

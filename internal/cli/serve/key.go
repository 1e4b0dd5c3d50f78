package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/receiptkey"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A SigningKey says where the key is that signs receipts and checkpoints.
type SigningKey struct{ file, command string }

// Register adds the flags.
func (k *SigningKey) Register(flags *pflag.FlagSet) {
	flags.StringVar(&k.file, "sign-key", "", "the `FILE` of the key that signs, in PEM (default the name of the database and .key); with --sign-command that of its public half")
	flags.StringVar(&k.command, "sign-command", "", "the `PROGRAM` that signs, with its arguments: it reads a text and writes the signature")
}

// Check refuses flags that do not fit together.
func (k *SigningKey) Check() error {
	switch {
	case k.command == "":
		return nil
	case k.file == "":
		return console.Usagef("--sign-command: give its public key with --sign-key, in PEM")
	case strings.ContainsAny(k.command, `"'\`+"`$"):
		return console.Usagef("--sign-command %q: no shell reads it, and it is split at spaces: put anything more complex into a script", k.command)
	}
	return nil
}

// path returns where the key of a database is.
func (k *SigningKey) path(p *console.Process, database string) (string, error) {
	if k.file == "" {
		if target, err := filepath.EvalSymlinks(database); err == nil {
			database = target
		}
		return database + receiptkey.Suffix, nil
	}
	return p.Absolute(k.file)
}

// byCommand returns the signer of the command.
func (k *SigningKey) byCommand(ctx context.Context, path string) (approval.Signer, error) {
	public, err := receiptkey.LoadPublic(path)
	if err != nil {
		return nil, console.Usagef("--sign-key: %v", err)
	}
	return receiptkey.NewCommand(ctx, strings.Fields(k.command), public)
}

// Open returns the signer of a database that a service has worked on.
func (k *SigningKey) Open(ctx context.Context, p *console.Process, database string) (approval.Signer, error) {
	path, err := k.path(p, database)
	if err != nil {
		return nil, err
	}
	if k.command != "" {
		return k.byCommand(ctx, path)
	}
	key, err := receiptkey.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("signing key %s: there is none: start policyctl serve to create it, or name another with --sign-key", path)
	}
	return key, err
}

// make returns the signer of a service, and makes the key at the first start.
// One that a program of before kept in the database goes to the file; when it
// is there, the database forgets it.
func (k *SigningKey) make(ctx context.Context, p *console.Process, db Store, database string, log *slog.Logger) (approval.Signer, error) {
	path, err := k.path(p, database)
	if err != nil {
		return nil, err
	}
	find := func() (approval.Signer, error) {
		if k.command != "" {
			return k.byCommand(ctx, path)
		}
		return inFile(ctx, db, path, log)
	}
	file, isFile := db.(*sqlite.DB)
	if !isFile {
		return agreed(ctx, db, path, find)
	}
	key, err := find()
	if err != nil {
		return nil, err
	}
	if err := file.WipePrivateKeys(ctx); err != nil {
		log.Error("the service goes on", "error", err)
	}
	return key, nil
}

// A claim says which key an instance is about to sign with first, and since when. It
// stands until that key is in the database, or claimTime long where that failed.
type claim struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

const (
	claimShelf = "first signing key"
	claimTime  = time.Minute
)

// agreed returns the key of an instance of several. They find theirs one after the other,
// so that of those which start at the same moment one makes the key, and the others take
// it from its file, or are refused before they begin with another one.
func agreed(ctx context.Context, db Store, path string, find func() (approval.Signer, error)) (key approval.Signer, err error) {
	err = db.Shelf(claimShelf).Change(ctx, func(text []byte) ([]byte, error) {
		known, err := db.Keys(ctx)
		if err != nil {
			return nil, err
		}
		var first claim
		if len(text) > 0 {
			err = json.Unmarshal(text, &first)
		}
		if err != nil || len(known) > 0 || time.Since(first.At).Abs() > claimTime {
			first = claim{} // over, or nothing that an instance wrote
		}
		if _, absent := os.Stat(path); first.ID != "" && errors.Is(absent, fs.ErrNotExist) {
			return nil, errLacking(path)
		}
		if key, err = find(); err != nil {
			return nil, err
		}
		own := approval.NewKey(key.Public(), time.Now()).ID
		if first.ID != "" && first.ID != own {
			return nil, errOther(path, own, first.ID)
		}
		if err := isTheirs(known, own, path); err != nil {
			return nil, err
		}
		return json.Marshal(claim{own, time.Now().UTC()})
	})
	return key, err
}

// errLacking says that an instance has no key, and errOther that it has another one than
// the instances that serve.
func errLacking(path string) error {
	return fmt.Errorf("signing key %s: there is none, but other instances sign with one: copy theirs to this path, or name it with --sign-key", path)
}

func errOther(path, own, theirs string) error {
	return fmt.Errorf("signing key %s: it is %s, and the other instances sign with %s: give this one theirs; to replace it, start with theirs and --rotate-key", path, own, theirs)
}

// isTheirs refuses a key other than the one with which the other instances sign: to begin
// with it would retire theirs.
func isTheirs(known []approval.Key, own, path string) error {
	for _, k := range known {
		if k.Ended.IsZero() && k.ID != own {
			return errOther(path, own, k.ID)
		}
	}
	return nil
}

// inFile returns the key in a file, which it makes if there is none.
func inFile(ctx context.Context, db Store, path string, log *slog.Logger) (approval.Signer, error) {
	key, err := receiptkey.Load(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	file, isFile := db.(*sqlite.DB)
	if isFile {
		old, err := file.PrivateKey(ctx)
		if err != nil {
			return nil, err
		}
		if old != nil {
			return old, receiptkey.Save(path, old)
		}
	}
	known, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	if len(known) > 0 && !isFile {
		return nil, errLacking(path)
	}
	if len(known) > 0 {
		log.Warn("the signing key is gone, and a new one signs from now on: executors must pin it", "file", path)
	}
	key = approval.NewPrivateKey()
	return key, receiptkey.Save(path, key)
}

// rotate has a new key sign from now on. The file comes first: where the rest
// fails, the next start finds the key there.
func (k *SigningKey) rotate(ctx context.Context, p *console.Process, service *approval.Service, database string) error {
	path, err := k.path(p, database)
	if err != nil {
		return err
	}
	key := approval.NewPrivateKey()
	if err := receiptkey.Save(path, key); err != nil {
		return err
	}
	return service.SignWith(ctx, key, Owner())
}

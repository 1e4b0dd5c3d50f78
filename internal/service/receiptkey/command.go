package receiptkey

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/bounded"
)

// commandTime is how long a command may take. All who store something wait.
const commandTime = 10 * time.Second

// maxOutput bounds what is read of a command, in bytes.
const maxOutput = 4096

// A Command is an approval.Signer that runs a program for each signature. The
// program reads the text from its standard input, and writes the signature to
// its standard output: 64 bytes, or their base64.
type Command struct {
	argv   []string
	public ed25519.PublicKey
}

// NewCommand returns the signer of a program with its arguments. It has it sign
// something, so that one that does not have the key is found at once.
func NewCommand(ctx context.Context, argv []string, public ed25519.PublicKey) (*Command, error) {
	if len(argv) == 0 || len(public) != ed25519.PublicKeySize {
		return nil, errors.New("sign command: it needs a program and a public key")
	}
	c := &Command{argv, public}
	_, err := c.Sign(ctx, []byte("policyctl asks whether this key is there"))
	return c, err
}

// Public implements approval.Signer.
func (c *Command) Public() ed25519.PublicKey { return c.public }

// Sign implements approval.Signer. What is not the signature of the text by the
// key is an error.
func (c *Command) Sign(ctx context.Context, text []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.WaitDelay = time.Second                                                   // for children that keep its output open
	out, said := &bounded.Buffer{Max: maxOutput}, &bounded.Buffer{Max: maxOutput} // too much does not stop it in its work
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), out, said
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("it was stopped: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("sign command %s: %w%s", c.argv[0], err, told(said.Bytes()))
	}
	signature := signatureIn(out.Bytes())
	if !ed25519.Verify(c.public, text, signature) {
		return nil, fmt.Errorf("sign command %s: its output is not a signature of the text by the key of the service%s", c.argv[0], told(said.Bytes()))
	}
	return signature, nil
}

// signatureIn reads the output of a command; what it cannot read is no
// signature.
func signatureIn(out []byte) []byte {
	if len(out) == ed25519.SignatureSize {
		return out
	}
	text := strings.TrimRight(strings.Map(oneAlphabet, string(bytes.TrimSpace(out))), "=")
	signature, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(signature) != ed25519.SignatureSize {
		return nil
	}
	return signature
}

// oneAlphabet makes base64url of base64.
func oneAlphabet(r rune) rune {
	switch r {
	case '+':
		return '-'
	case '/':
		return '_'
	}
	return r
}

// told is what a command said, as the end of an error.
func told(said []byte) string {
	if line := strings.Join(strings.Fields(strings.ToValidUTF8(string(said), "?")), " "); line != "" {
		return ": " + line
	}
	return ""
}

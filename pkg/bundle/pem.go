package bundle

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// keyBlock returns the one key in a PEM. openssl ecparam writes the
// parameters of the curve before the key; they are in the key as well.
func keyBlock(text string) (*pem.Block, error) {
	var key *pem.Block
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "EC PARAMETERS" {
			continue
		}
		if key != nil {
			return nil, errors.New("the PEM holds more than one key; give one")
		}
		key = block
	}
	if key == nil {
		return nil, errors.New("no PEM; give the text of the key file, or the algorithm HS256 for a shared secret")
	}
	if key.Type == "ENCRYPTED PRIVATE KEY" || key.Headers["DEK-Info"] != "" {
		return nil, errors.New("the key is encrypted; decrypt it by: openssl pkey -in FILE")
	}
	return key, nil
}

func publicKey(block *pem.Block) (key crypto.PublicKey, err error) {
	switch block.Type {
	case "PUBLIC KEY":
		key, err = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		key, err = x509.ParsePKCS1PublicKey(block.Bytes)
	case "CERTIFICATE":
		c, e := x509.ParseCertificate(block.Bytes)
		if e != nil {
			return nil, fmt.Errorf("the certificate cannot be read: %w", e)
		}
		return c.PublicKey, nil
	case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
		return nil, errors.New("the key is private, and who verifies must not have it; publish: openssl pkey -in FILE -pubout")
	default:
		return nil, fmt.Errorf("a PEM of type %q is not supported; give a PUBLIC KEY", block.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("the public key cannot be read: %w", err)
	}
	return key, nil
}

func privateKey(block *pem.Block) (crypto.Signer, error) {
	var key any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		return nil, fmt.Errorf("a PEM of type %q does not sign; give a PRIVATE KEY", block.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("the private key cannot be read: %w", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("a key of type %T does not sign; make one by: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", key)
	}
	return signer, nil
}

package mockservice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A Config says what the service answers.
type Config struct {
	// Decision is one of the words of the protocol.
	Decision approval.Word
	// Receipt goes with an approval; "" stands for mock- and the id of the
	// request.
	Receipt string
	// Feedback is for the agent; "" for none.
	Feedback string
	// Program is the SHA-256 of the only program that is not rejected, in
	// lower-case hexadecimal; "" for any program.
	Program string
}

// file is a Config as it is written.
type file struct {
	Decision text `json:"decision"`
	Receipt  text `json:"receipt"`
	Feedback text `json:"feedback"`
	Program  text `json:"require_program_sha256"`
}

// A text is a string that is neither null nor empty, or "" where it is absent.
type text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(data []byte) error {
	var s *string
	if err := json.Unmarshal(data, &s); err != nil || s == nil || *s == "" {
		return errors.New("it must be a string that is not empty, or be left out")
	}
	*t = text(*s)
	return nil
}

// words are the decisions of the protocol.
var words = []string{
	string(approval.ApprovedOnce), string(approval.ApprovedRemember), string(approval.AutoApproved),
	string(approval.Rejected), string(approval.RejectedContract), string(approval.RequestMore),
}

var digest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

// ReadConfig reads a configuration strictly: a key that is misspelt would
// else approve what it was to reject.
func ReadConfig(data []byte) (Config, error) {
	var f file
	if err := webguard.Decode(bytes.NewReader(data), &f); err != nil {
		return Config{}, err
	}
	c := Config{approval.Word(f.Decision), string(f.Receipt), string(f.Feedback), strings.ToLower(string(f.Program))}
	if c.Decision == "" {
		c.Decision = approval.ApprovedOnce
	}
	if word := string(c.Decision); !slices.Contains(words, word) {
		next := "write one of " + strings.Join(words, ", ")
		if near := spelling.Nearest(word, words); near != "" {
			next = fmt.Sprintf("did you mean %q?", near)
		}
		return Config{}, fmt.Errorf("decision: %q is unknown; %s", word, next)
	}
	if c.Program != "" && !digest().MatchString(c.Program) {
		return Config{}, fmt.Errorf("require_program_sha256: %q is no SHA-256; write its 64 hexadecimal digits", f.Program)
	}
	return c, nil
}

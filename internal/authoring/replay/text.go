package replay

import (
	"io"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// text returns a call in few words: its command, or its tool and arguments.
func text(tools *toolNames, c *policy.Call) string {
	for _, key := range []string{"command", "cmd"} {
		switch v := c.Input[key].(type) {
		case string:
			return clip.Text(strings.TrimSpace(v), maxSample)
		case []any:
			var list []string
			for _, w := range v {
				s, _ := w.(string)
				list = append(list, s)
			}
			return clip.Text(strings.Join(list, " "), maxSample)
		}
	}
	for _, key := range []string{"file_path", "path", "notebook_path", "url", "query", "pattern", "description"} {
		if v, ok := c.Input[key].(string); ok {
			return clip.Text(tools.name(c.Tool)+" "+v, maxSample)
		}
	}
	text, err := strictjson.Marshal(c.Input)
	if err != nil {
		return c.Tool
	}
	return clip.Text(tools.name(c.Tool)+" "+string(text), maxSample)
}

// byteCounter counts the bytes that are read.
type byteCounter struct {
	from io.Reader
	n    int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

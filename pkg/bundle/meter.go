package bundle

import (
	"bytes"
	"fmt"
	"io"
)

// tarEnd is the number of zero bytes that end a tar archive.
const tarEnd = 2 * 512

// A meter reads what an archive unpacks to, and stops at the limit.
type meter struct {
	r           io.Reader
	limit, left int64
	// zeros counts the zero bytes at the end of what was read.
	zeros int
}

// Read implements [io.Reader].
func (m *meter) Read(p []byte) (int, error) {
	if int64(len(p)) > m.left+1 {
		p = p[:m.left+1] // one more shows that there is more
	}
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		m.left = 0
		return 0, m.tooLarge()
	}
	content := bytes.TrimRight(p[:n], "\x00")
	if len(content) > 0 {
		m.zeros = 0
	}
	m.zeros += n - len(content)
	return n, err
}

func (m *meter) tooLarge() error {
	return fmt.Errorf("%w: the archive unpacks to more than %d bytes; publish less, or raise the limit", ErrTooLarge, m.limit)
}

// finish reads on behind the tar archive. There is only padding, or else
// another reader might see other files; and gzip proves its checksum here.
func (m *meter) finish() error {
	buf := make([]byte, 4096)
	for {
		n, err := m.Read(buf)
		if len(bytes.TrimRight(buf[:n], "\x00")) > 0 {
			return fmt.Errorf("%w: the archive goes on after its end; build it again as one tar", ErrMalformed)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return broken(err)
		}
	}
	if m.zeros < tarEnd {
		return broken(io.ErrUnexpectedEOF)
	}
	return nil
}

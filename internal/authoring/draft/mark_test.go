package draft_test

import (
	"bytes"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/draft"
)

func TestMarked(t *testing.T) {
	file := []byte("# Imported from x.\nversion: 1\npermissions: {\"shell make *\": deny}\n")
	marked := draft.Marked(file)
	if !draft.Unedited(marked) {
		t.Errorf("%s", marked)
	}
	for at := range marked {
		edited := bytes.Clone(marked)
		edited[at] ^= 1
		if draft.Unedited(edited) {
			t.Errorf("edited at %d: %s", at, edited)
		}
	}
	for _, other := range [][]byte{nil, file, append(bytes.Clone(marked), '\n'), marked[:len(marked)-1]} {
		if draft.Unedited(other) {
			t.Errorf("%s", other)
		}
	}
}

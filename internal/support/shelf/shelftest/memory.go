// Package shelftest has a shelf in memory, for tests.
package shelftest

import (
	"bytes"
	"context"
	"sync"
)

// A Memory is a shelf that tries each change twice, as a database does after a conflict.
// The zero value is empty.
type Memory struct {
	mu    sync.Mutex
	value []byte
	gone  error
}

// Fail has every call fail with an error, until it is nil.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = err
}

// Look implements shelf.Shelf.
func (m *Memory) Look(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.value), m.gone
}

// Change implements shelf.Shelf.
func (m *Memory) Change(_ context.Context, change func([]byte) ([]byte, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone != nil {
		return m.gone
	}
	if _, err := change(bytes.Clone(m.value)); err != nil {
		return err
	}
	value, err := change(bytes.Clone(m.value))
	if err == nil {
		m.value = value
	}
	return err
}

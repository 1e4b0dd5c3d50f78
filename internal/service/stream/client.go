package stream

// A mark is how far the news of a hub had come at one moment.
type mark struct {
	high int64
	told int
}

func (h *Hub) mark() mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	return mark{h.high, h.told}
}

// join makes a client of a connection that has seen all events up to one, as
// the log had them after a mark. It returns nil if there may be more since:
// they have to be read first.
func (h *Hub) join(seen int64, since mark) (*client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return nil, ErrClosed
	}
	if max(h.high, h.last) > seen || h.told != since.told {
		return nil, nil
	}
	if len(h.clients) == 0 {
		h.last = seen // never lower than before: a reader of the log may be at work
	}
	c := &client{queue: make(chan []part, h.o.Queue), gone: make(chan struct{})}
	h.clients[c] = true
	return c, nil
}

func (h *Hub) leave(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients[c] {
		h.drop(c)
	}
}

// enter takes a place for a client with a key.
func (h *Hub) enter(key string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ctx.Err() != nil:
		return ErrClosed
	case h.taken >= h.o.MaxClients, h.o.Key != nil && h.keys[key] >= h.o.MaxPerKey:
		return ErrFull
	}
	h.taken++
	h.keys[key]++
	return nil
}

func (h *Hub) exit(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken--
	if h.keys[key]--; h.keys[key] == 0 {
		delete(h.keys, key)
	}
}

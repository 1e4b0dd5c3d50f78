package shell

// maxBraces bounds how deep braces may nest, which costs the parser the cube of it.
const maxBraces = 24

// The bounds of reading. What lies beyond is unreadable, never cut off.
const (
	MaxText   = 512 << 10 // bytes parsed, payloads included
	MaxValues = 16        // values of one word
	MaxFields = 1024      // words that one word expands to
	MaxItems  = 4 << 10   // bytes that xargs appends
)

package shell

// maxBraces bounds how deep braces may nest, which costs the parser the cube of it;
// braceBytes is about what each word that they make costs.
const (
	maxBraces = 24
)

package command

// MaxVariants bounds how many readings one source command may have.
const MaxVariants = 12

// feedsInput reports whether a redirection is one of the standard input.
func (rd Redirect) FeedsInput() bool {
	return rd.Fd == "0" || rd.Fd == "" && (rd.Inline() || rd.Reads() || rd.Op == "<&")
}

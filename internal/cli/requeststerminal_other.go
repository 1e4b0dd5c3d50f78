//go:build !linux && !darwin

package cli

import "os"

// typingHidden is what a question says of its answer: nothing, since it shows.
const typingHidden = ""

// hideTyping does nothing: what is typed shows.
func hideTyping(*os.File) (restore func(), err error) { return func() {}, nil }

// terminalWidth returns 0: the columns are not known.
func terminalWidth(any) int { return 0 }

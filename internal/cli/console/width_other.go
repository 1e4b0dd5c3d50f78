//go:build !linux && !darwin

package console

import "os"

// TypingHidden is what a question says of its answer: nothing, since it shows.
const TypingHidden = ""

// HideTyping does nothing: what is typed shows.
func HideTyping(*os.File) (restore func(), err error) { return func() {}, nil }

// terminalWidth returns 0: the columns are unknown.
func terminalWidth(any) int { return 0 }

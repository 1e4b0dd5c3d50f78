package program

// codeOptions are the options by which programs of all kinds take code as their argument.
const codeOptions = "-e -c -E -eval -exec -code -expr --eval --evaluate --exec --execute --expr --expression --code --run --command " +
	"--cmd --script -run"

// lineOptions are those of them that take a line for a shell as well.
const lineOptions = "-c -exec --exec --execute --run --command --cmd"

// TakesLine reports whether an option, with its dashes, says by its name that its argument
// is a line for a shell, whatever program has it.
func TakesLine(option string) bool { return len(option) > 1 && HasWord(lineOptions, option) }

// TakesCode reports whether an option, with its dashes, says by its name that its argument
// is code, whatever program has it.
func TakesCode(option string) bool { return len(option) > 1 && HasWord(codeOptions, option) }

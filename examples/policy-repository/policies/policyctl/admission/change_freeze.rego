# METADATA
# title: Change freeze
# description: Denies a push to a branch that is frozen.
# entrypoint: true
package policyctl.admission

# METADATA
# description: The frozen branches are those whose name begins with "freeze/".
deny contains {
	"id": "change-freeze",
	"reason": "the branch is frozen; push to another one and open a pull request",
	"command": command.index,
} if {
	some command in input.commands
	command.program == "git"
	"push" in {word.text | some word in command.words}
	some word in command.words
	startswith(word.text, "freeze/")
}

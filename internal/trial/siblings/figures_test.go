package siblings_test

// figures are how many kinds of siblings of each spelling break their law: a program
// whose line is decided about otherwise. A change that makes a figure lower writes the lower
// one here; nothing makes one higher. A spelling that is not listed has none.
//
//	go test ./internal/trial/siblings -run TestSiblings -v
//
// prints the first of them.
var figures = map[string]int{
	"a synonym":                  4,
	"another name of an option":  5,
	"a value glued or apart":     13,
	"-- before the operands":     2,
	"a dot in a path":            4,
	"two slashes in a path":      2,
	"a slash behind a directory": 6,
	"a path from elsewhere":      2,
	"a word in single quotes":    2,
	"a word in double quotes":    2,
	"a word half in quotes":      2,
	"a continued line":           6,
	"a word in a variable":       2,
	"the program in a variable":  23,
	"the words in an array":      16,
	"env":                        4,
	"command":                    3,
	"nice":                       2,
	"timeout":                    2,
	"nohup":                      4,
	"setsid":                     4,
	"xargs":                      79, // more lines print processes since
	"sudo":                       24, // which clears variables: more lines set some since
	"a subshell":                 4,
	"a function":                 4,
	"sh -c":                      1,
	"bash -c":                    1,
	"eval":                       3,
	"a here-string":              16,
	"echo to sh":                 15,
}

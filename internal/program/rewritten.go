package program

import (
	"path"
	"strings"
)

// rewritten returns the endings and names of the files that a program changes by itself
// below a directory that its operands name. Such a program follows no link of a directory
// there; it may follow one of a file. By the sources of ruff 0.14, black 25, prettier 3,
// eslint 9 and gofmt 1.25; isort, stylelint and biome follow both.
func rewritten(program string) string {
	switch program {
	case "ruff":
		return "py pyi ipynb pyw"
	case "black":
		return "py pyi ipynb"
	case "gofmt", "goimports":
		return "go"
	case "eslint":
		return "js mjs cjs jsx ts mts cts tsx vue svelte astro json jsonc json5 md mdx html htm yml yaml graphql"
	case "prettier":
		return "js mjs cjs jsx es6 ts mts cts tsx css wxss pcss postcss scss less sass json json5 jsonc jsonl code-workspace webmanifest importmap geojson topojson gltf har ice " +
			"map avsc 4DForm 4DProject graphql gql graphqls md markdown mdx mdown mkd mkdn mkdown mdwn ronn scd workbook livemd html htm hta xht xhtml inc vue component mjml hbs handlebars " +
			"yml yaml mir reek rviz sublime-syntax syntax lock cff svelte astro php rb xml toml sql prisma README Jakefile start.frag end.frag frag gs jsb jscad jsfl jslib jsm jspre jss bones " +
			"javascript jake _js njs pac sjs ssjs xsjs xsjslib wxs mcmeta mcmod.info sarif tact tfstate tfstate.backup tern-project backup yy yyp apinotes jsonld ipynb avdl"
	}
	return ""
}

// Rewrites reports whether a program may change a file of that path by itself where one of
// its operands names a directory above it. Of a program that is unknown that is so for all
// files, and for links of directories.
func Rewrites(name, file string, directory bool) bool {
	list := rewritten(name)
	if list == "" {
		return true
	}
	base := path.Base(file)
	return !directory && (strings.HasPrefix(base, ".") || HasWord(list, base) || HasWord(list, strings.TrimPrefix(path.Ext(base), ".")))
}

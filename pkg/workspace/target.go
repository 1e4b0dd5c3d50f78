package workspace

import (
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/program"
)

// The words of which the names of targets, scripts and sessions consist, so far as they say
// that running one changes more than the project, by what it does and to what.
const (
	// announcing makes something known to the world, whatever it is a word of; publishing does
	// as a target, or puts something to use.
	announcing = "deploy publish release upload rollout"
	publishing = announcing + " ship push promote"
	// ruining takes away what nobody can bring back, whatever it is done to.
	ruining = "destroy nuke wipe purge truncate teardown drop eject rollback reset erase obliterate sudo uninstall"
	// removing takes away what stands beside it.
	removing = "delete remove clear clean flush kill prune empty undo revert down rm recreate"
	// applying changes what runs elsewhere, if it stands alone or beside one of managed.
	applying = "apply"
	managed  = "terraform tf tofu infra infrastructure k8s kube kubernetes kubectl helm stack cdk pulumi cloud cluster manifests ansible prod " +
		"production staging live migration migrations"
	// stored is what the project does not keep.
	stored = "db database databases data datastore redis mongo mongodb postgres postgresql pg mysql mariadb mssql sql elastic elasticsearch queue " +
		"queues bucket buckets s3 volume volumes table tables schema schemas " +
		"collection collections users accounts env stack cluster namespace prod production staging remote aws gcp azure k8s migrate migration " +
		"migrations server servers"
	// rebuilt is what comes back by itself, so that nothing is lost with it.
	rebuilt = "mock mocks cache caches caching snapshot snapshots dist build builds coverage artifacts tmp temp deps modules css styles fixture " +
		"fixtures nodemodules"
	// builders make of a release a kind of build, and checkers of whatever follows them the
	// thing that is looked at.
	builders = "build builds bundle compile assemble package test tests lint start preview typecheck dev install check"
	checkers = "test tests lint check validate verify typecheck spec build-script"
	// rehearsing says that nothing is done.
	rehearsing = "dry dryrun noop simulate"
	// compounds are words that are written as two.
	compounds = "tear-down roll-back roll-out"
	// readings of a database change nothing in it.
	readings = "generate gen codegen types typegen validate lint format status diff check docs client"
)

// endangers says why the name of what the project has to run lets one expect that it
// changes what others use, or destroys what the project does not keep; "" if it does not.
// Several names may stand in one word, commas between them.
func endangers(names string) (why string) {
	for name := range strings.SplitSeq(names, ",") {
		if why = endangersAs(name); why != "" {
			return why
		}
	}
	return ""
}

func endangersAs(name string) (why string) {
	const ruins = "it may destroy something, or change what others use"
	t := targetOf(name)
	switch {
	case len(t.parts) == 0:
		return ""
	case publishes(name):
		return "it may make something known to the world"
	case t.has(ruining) && !t.has(rebuilt), t.has(removing) && t.has(stored), t.has(applying) && (len(t.parts) == 1 || t.has(managed)):
		return ruins
	case t.has("all") && t.has("delete remove flush"):
		return ruins
	case t.has(liveTargets) && !t.has(builders):
		return ruins
	case len(t.parts) > 1 && t.parts[0] == "db" && !program.HasWord(readings, t.parts[1]):
		return "it changes a database"
	}
	return ""
}

// publishes reports whether a name says that something is made known to the world.
func publishes(name string) bool {
	t := targetOf(name)
	return t.has(publishing) && !t.has(rehearsing) && !t.onlyChecks()
}

// A target is the name of one, in its words.
type target struct {
	parts []string
}

// targetOf returns the words of a name such as db:reset, reset-db, resetDb or resetdb.
func targetOf(name string) target {
	var t target
	var spaced strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(c))
	}
	for part := range strings.FieldsFuncSeq(spaced.String(), func(c rune) bool { return strings.ContainsRune(" :_-.,/@+", c) }) {
		t.parts = append(t.parts, split(part)...)
	}
	joined := strings.Join(t.parts, " ")
	for word := range strings.FieldsSeq(compounds) {
		if strings.Contains(joined, strings.Replace(word, "-", " ", 1)) {
			t.parts = append(t.parts, strings.Replace(word, "-", "", 1))
		}
	}
	return t
}

// split returns the two words of one that joins what is done and to what, as dropdb, and
// one such as undeploy by what it undoes.
func split(part string) []string {
	for verb := range strings.FieldsSeq(ruining + " " + removing) {
		if rest, ok := strings.CutPrefix(part, verb); ok && (program.HasWord(stored, rest) || rest == "all") {
			return []string{verb, rest}
		}
		if rest, ok := strings.CutSuffix(part, verb); ok && program.HasWord(stored, rest) {
			return []string{rest, verb}
		}
	}
	for _, prefix := range [...]string{"un", "re", "auto", "pre", "post"} {
		if rest, ok := strings.CutPrefix(part, prefix); ok && program.HasWord(publishing, rest) {
			return []string{rest}
		}
	}
	return []string{part}
}

// has reports whether one of the words is in a list.
func (t target) has(list string) bool {
	for _, part := range t.parts {
		if program.HasWord(list, part) {
			return true
		}
	}
	return false
}

// onlyChecks reports whether publishing is what a target looks at or builds for, as in
// test:publish and build:release, and not what it does, as in build-and-push.
func (t target) onlyChecks() bool {
	if t.has("and then") {
		return false
	}
	if program.HasWord(checkers, t.parts[0]) {
		return true
	}
	acts := strings.ReplaceAll(publishing, "release ", "")
	return !t.has(acts) && t.has("release") && t.has(builders)
}

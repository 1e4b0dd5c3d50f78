package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func publishRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "npm-publish", Class: "publish", Programs: "npm pnpm yarn bun lerna changeset npx pnpx nx",
			Why:     "publishes a package for everyone",
			Instead: "Run it with --dry-run, and let the user or the build service publish.",
			Match:   match(not(dry), either(both(named("npm", "pnpm", "yarn", "bun", "lerna", "changeset"), verbs("publish", "npm publish")), verbs("lerna publish", "changeset publish", "np", "semantic-release", "npm publish", "release publish"), both(named("pnpm", "yarn"), verbs("changeset publish")))),
			Hit:     []string{"npm publish", "npm publish --access public", "pnpm publish -r", "yarn npm publish", "npx changeset publish", "npx semantic-release"},
			Miss:    []string{"npm publish --dry-run", "npm pack", "npm run publish-docs", "npm view publish", "npx eslint publish.js"},
		},
		{
			ID: "npm-unpublish", Class: "publish", Programs: "npm pnpm yarn",
			Why:     "changes or removes a package that others use",
			Instead: "Ask the user to change the published package.",
			Match:   match(not(dry), verbs("unpublish", "deprecate", "dist-tag add", "dist-tag rm", "owner add", "owner rm", "access", "npm tag", "token create", "token revoke")),
			Hit:     []string{"npm unpublish a@1.0.0", "npm deprecate a@1 'old'", "npm dist-tag add a@2 latest", "npm owner add bob a"},
			Miss:    []string{"npm dist-tag ls a", "npm owner ls a", "npm uninstall a", "npm token list"},
		},
		{
			ID: "cargo-publish", Class: "publish", Programs: "cargo",
			Why:     "publishes or withdraws a crate for everyone",
			Instead: "Run `cargo publish --dry-run`, and let the user publish.",
			Match:   match(sub("publish", "yank", "owner", "release"), not(dry), not(both(sub("owner"), option("list")))),
			Hit:     []string{"cargo publish", "cargo yank --version 1.0.0 a", "cargo publish -p core", "cargo owner --add bob"},
			Miss:    []string{"cargo publish --dry-run", "cargo package", "cargo build --release", "cargo owner --list"},
		},
		{
			ID: "python-publish", Class: "publish", Programs: "twine poetry uv flit hatch pdm rye python maturin",
			Why:     "publishes a package for everyone",
			Instead: "Build and check the package (`twine check dist/*`), and let the user publish.",
			Match:   match(not(dry), either(both(named("twine", "maturin"), verbs("upload")), both(named("poetry", "uv", "flit", "hatch", "pdm", "rye", "maturin"), verbs("publish")), both(named("python"), both(optionIs("m", is("twine", "flit", "poetry")), says("upload", "publish"))))),
			Hit:     []string{"twine upload dist/*", "poetry publish --build", "uv publish", "python -m twine upload dist/*", "hatch publish"},
			Miss:    []string{"twine check dist/*", "poetry build", "uv build", "python -m build", "poetry publish --dry-run"},
		},
		{
			ID: "package-publish", Class: "publish", Programs: programsOf(registries, runners(), "gem bundle rake mvn gradle sbt nuget pod dart flutter vsce ovsx rebar3 luarocks opam stack cabal composer conda"),
			Why:     "publishes or withdraws a package for everyone",
			Instead: "Build the package, and let the user or the build service publish.",
			Match: match(not(dry), either(both(named("gem"), verbs("push", "yank", "owner")), both(named("bundle"), verbs("exec gem push", "exec rake release")), both(named("rake"), says("release")), both(named("mvn"), says("deploy", "deploy:deploy", "release:perform")),
				both(named("gradle"), argument(isPublishTask)), both(named("sbt"), argument(isPublishTask)), both(named("dotnet"), verbs("nuget push")), uses(registries), both(named("nuget"), verbs("push", "delete")), both(named("pod"), verbs("trunk push", "trunk delete", "repo push")),
				both(named("dart", "flutter"), verbs("pub publish")), both(named("vsce", "ovsx"), verbs("publish", "unpublish")), both(named("rebar3"), verbs("hex publish")), both(named("luarocks", "conan", "anaconda", "cabal", "stack"), verbs("upload")), both(named("opam"), verbs("publish")))),
			Hit:  []string{"gem push a-1.0.gem", "mvn deploy", "./gradlew publishToSonatype", "dotnet nuget push a.nupkg", "vsce publish", "mix hex.publish", "mvn -B clean deploy -DskipTests"},
			Miss: []string{"gem build a.gemspec", "mvn package", "./gradlew publishToMavenLocal", "dotnet pack", "mvn test -Dtest=DeployTest", "dart pub get", "dart pub publish --dry-run"},
		},
		{
			ID: "image-push", Class: "publish", Programs: "docker podman nerdctl buildah skopeo crane oras helm docker-compose ko regctl",
			Why:     "publishes an image or a chart",
			Instead: "Build and tag it locally, and let the user or the build service push.",
			Match: match(not(dry), either(sub("push", "image push", "compose push", "manifest push"), both(sub("build", "buildx", "buildx build", "builder build", "image build"), option("push")), both(named("buildah", "crane", "oras", "helm", "docker-compose"), verbs("push", "cm push")), both(named("skopeo"), verbs("copy", "delete", "sync")),
				both(named("crane", "regctl"), verbs("copy", "delete", "tag", "image copy", "tag delete")), both(named("ko"), verbs("build", "publish", "apply")))),
			Hit:  []string{"docker push me/app:1", "podman push app", "docker buildx build --push -t me/app .", "helm push a.tgz oci://x.example", "docker compose push", "skopeo copy docker://a docker://b"},
			Miss: []string{"docker build -t app .", "docker pull app", "docker tag app me/app:1", "helm package .", "skopeo inspect docker://a"},
		},
		{
			ID: "release", Class: "publish", Programs: "gh glab goreleaser hub release-it standard-version npx",
			Why:     "creates or changes a release that others see",
			Instead: "Prepare the notes and the tag locally, and let the user make the release.",
			Match:   match(not(dry), either(both(named("gh"), sub("release create", "release upload", "release edit")), both(named("glab", "hub"), verbs("release create", "release upload", "release edit")), both(named("goreleaser"), both(verbs("release"), not(says("--snapshot", "--skip=publish", "--skip-publish")))), verbs("release-it"), both(named("release-it"), not(says("--ci=false"))))),
			Hit:     []string{"gh release create v1.0 --notes x", "goreleaser release --clean", "gh release upload v1.0 a.zip", "npx release-it"},
			Miss:    []string{"gh release list", "gh release view v1.0", "goreleaser check", "goreleaser release --snapshot --clean", "goreleaser build"},
		},
		{
			ID: "forge-delete", Class: "publish", Programs: programsOf(forges, runners()),
			Why:     "deletes or hides what others see on the forge",
			Instead: "Do not close or archive anything on your own; tell the user what could be removed.",
			Match: match(either(sub("repo delete", "release delete", "issue delete", "gist delete", "label delete", "run delete", "cache delete", "secret delete", "secret remove", "variable delete", "ssh-key delete", "gpg-key delete", "project delete", "codespace delete", "repo archive", "repo rename", "release delete-asset", "workflow disable"),
				both(named("gh"), either(both(sub("repo edit"), option("visibility")), both(sub("api"), either(optionIs("method", isDelete), argument(hidesRepository))))), uses(forges))),
			Hit: []string{"gh repo delete me/app --yes", "gh release delete v1.0", "gh issue delete 12", "gh api -X DELETE repos/me/app", "gh repo edit --visibility public", "gh secret delete TOKEN", "glab repo delete me/app", "gh api graphql -f query='mutation { deleteRef(input: {refId: \"1\"}) { clientMutationId } }'", "gh repo sync --force", "glab api -X DELETE projects/1",
				"svn delete -m x https://svn.example.com/a"},
			Miss: []string{"gh issue list", "gh pr close 12", "gh api repos/me/app", "gh repo view", "gh repo edit --description x", "gh issue create --title delete", "gh api graphql -f query='query { viewer { login } }'", "glab api projects/1", "svn delete old.c"},
		},
		{
			ID: "forge-secret", Class: "publish", Programs: "gh glab",
			Why:     "changes secrets, keys or rights on the forge",
			Instead: "Ask the user to set it.",
			Match:   match(either(both(named("gh"), sub("secret set", "ssh-key add", "gpg-key add", "repo deploy-key add", "auth login", "auth refresh", "auth token", "auth setup-git", "variable set")), both(named("glab"), verbs("variable set", "ssh-key add", "auth login", "deploy-key add")))),
			Hit:     []string{"gh secret set TOKEN --body x", "gh ssh-key add k.pub", "gh auth token", "glab variable set A b"},
			Miss:    []string{"gh secret list", "gh auth status", "gh variable list", "glab ci status"},
		},
		{
			ID: "deploy", Class: "publish", Programs: "vercel netlify firebase fly flyctl heroku wrangler serverless sls sam cdk eb kamal cap railway render surge gcloud npx pnpx bunx copilot amplify dokku shopify eas",
			Why:     "deploys to a running system",
			Instead: "Deploy a preview if the tool has one, and let the user or the build service deploy for good.",
			Match: match(not(dry), either(both(named("vercel"), either(says("--prod"), verbs("promote", "rollback", "alias set"))), both(named("netlify"), both(verbs("deploy"), says("--prod", "-p", "--prodIfUnlocked"))), both(named("wrangler"), verbs("deploy", "publish", "pages deploy", "rollback")),
				both(named("firebase", "fly", "flyctl", "serverless", "sls", "sam", "cdk", "eb", "kamal", "railway", "copilot", "shopify"), either(verbs("deploy", "up", "redeploy", "svc deploy", "app deploy", "theme publish"), wordVerb(3, is("deploy")))), both(named("cap"), says("deploy")), both(named("heroku"), verbs("releases:rollback", "container:release", "pipelines:promote")),
				both(named("surge"), not(says("list", "whoami"))), both(named("gcloud"), both(says("deploy"), says("app", "functions", "run"))), both(named("amplify"), verbs("push", "publish")), both(named("eas"), verbs("submit", "update")),
				both(named("npx", "pnpx", "bunx"), verbs("wrangler deploy", "wrangler publish", "cdk deploy", "serverless deploy", "sls deploy", "firebase deploy", "gh-pages", "surge")), both(named("npx", "pnpx", "bunx"), verbs("vercel", "netlify deploy"), says("--prod")))),
			Hit:  []string{"vercel --prod", "netlify deploy --prod", "firebase deploy", "fly deploy", "wrangler deploy", "cdk deploy --require-approval never", "gcloud app deploy", "npx wrangler deploy"},
			Miss: []string{"vercel dev", "netlify deploy", "firebase emulators:start", "fly status", "wrangler dev", "cdk diff", "gcloud app browse", "npx eslint deploy.js", "wrangler deploy --dry-run"},
		},
	}
}

// The programs of forges and of registries, and what they delete.
var (
	forges = []use{
		{names: "gh", does: "repo sync --force, repo deploy-key delete, repo autolink delete, project item-delete, project field-delete, ruleset delete, workflow disable, repo archive"},
		{names: "glab", does: "repo delete, repo archive, release delete, issue delete, mr delete, ci delete, variable delete, label delete, ssh-key delete, schedule delete, deploy-key delete, api -X=DELETE, api --method=DELETE, api DELETE, token revoke"},
		{names: "hub", does: "delete, release delete, gist delete"},
		{names: "tea", does: "repos delete, repo delete, releases delete, release delete, branches delete, labels delete"},
		{names: "gitea forgejo", does: "admin user delete, admin repo delete"},
		{names: "az", does: "repos delete, pipelines delete"},
		{names: "gcloud", does: "source repos delete"},
		{names: "p4", does: "obliterate, _ obliterate, depot -d"},
		{names: "svn", does: "delete -m, rm -m, remove -m, del -m, delete --message, rm --message"},
	}
	registries = []use{
		{names: "jf jfrog", does: "rt del, rt delete, rt docker-delete, rt repo-delete"},
		{names: "conan", does: "remove -r, remove --remote, upload"},
		{names: "cloudsmith anaconda", does: "delete, remove, yank"},
		{names: "snapcraft", does: "close, release, upload --release, promote"},
		{names: "mix", does: "hex.publish, hex.retire, hex.owner"},
		{names: "dotnet", does: "nuget delete"},
		{names: "oras", does: "manifest delete, blob delete"},
	}
)

// hidesRepository reports whether an argument of gh api archives a repository,
// shows it to everyone, or is a mutation that deletes.
func hidesRepository(v string) bool {
	return v == "archived=true" || v == "private=false" || v == "visibility=public" || strings.Contains(v, "mutation") && strings.Contains(v, "delete")
}

// isPublishTask reports whether a task of Gradle or sbt publishes beyond the
// machine.
func isPublishTask(v string) bool {
	return contains("publish", "uploadArchives", "closeAndRelease")(v) && !contains("MavenLocal", "publishLocal", "publishM2", "-")(v)
}

package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func publishRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "npm-publish", Class: "publish", Kind: "publishes-js",
			Why:     "publishes a package for everyone",
			Instead: "Run it with --dry-run, and let the user or the build service publish.",
			Match:   match(not(dry), acts("publishes-js")),
			Hit:     []string{"npm publish", "npm publish --access public", "pnpm publish -r", "yarn npm publish", "npx changeset publish", "npx semantic-release"},
			Miss:    []string{"npm publish --dry-run", "npm pack", "npm run publish-docs", "npm view publish", "npx eslint publish.js"},
		},
		{
			ID: "npm-unpublish", Class: "publish", Kind: "withdraws-js",
			Why:     "changes or removes a package that others use",
			Instead: "Ask the user to change the published package.",
			Match:   match(not(dry), acts("withdraws-js")),
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
			ID: "python-publish", Class: "publish", Kind: "publishes-py",
			Why:     "publishes a package for everyone",
			Instead: "Build and check the package (`twine check dist/*`), and let the user publish.",
			Match:   match(not(dry), acts("publishes-py")),
			Hit:     []string{"twine upload dist/*", "poetry publish --build", "uv publish", "python -m twine upload dist/*", "hatch publish"},
			Miss:    []string{"twine check dist/*", "poetry build", "uv build", "python -m build", "poetry publish --dry-run"},
		},
		{
			ID: "package-publish", Class: "publish", Kind: "publishes publish-tasks",
			Why:     "publishes or withdraws a package for everyone",
			Instead: "Build the package, and let the user or the build service publish.",
			Match:   match(not(dry), either(acts("publishes"), both(acts("publish-tasks"), argument(isPublishTask)))),
			Hit:     []string{"gem push a-1.0.gem", "mvn deploy", "./gradlew publishToSonatype", "dotnet nuget push a.nupkg", "vsce publish", "mix hex.publish", "mvn -B clean deploy -DskipTests"},
			Miss:    []string{"gem build a.gemspec", "mvn package", "./gradlew publishToMavenLocal", "dotnet pack", "mvn test -Dtest=DeployTest", "dart pub get", "dart pub publish --dry-run"},
		},
		{
			ID: "image-push", Class: "publish", Kind: "pushes-images",
			Why:     "publishes an image or a chart",
			Instead: "Build and tag it locally, and let the user or the build service push.",
			Match:   match(not(dry), acts("pushes-images")),
			Hit:     []string{"docker push me/app:1", "podman push app", "docker buildx build --push -t me/app .", "helm push a.tgz oci://x.example", "docker compose push", "skopeo copy docker://a docker://b"},
			Miss:    []string{"docker build -t app .", "docker pull app", "docker tag app me/app:1", "helm package .", "skopeo inspect docker://a"},
		},
		{
			ID: "release", Class: "publish", Kind: "releases",
			Why:     "creates or changes a release that others see",
			Instead: "Prepare the notes and the tag locally, and let the user make the release.",
			Match:   match(not(dry), acts("releases")),
			Hit:     []string{"gh release create v1.0 --notes x", "goreleaser release --clean", "gh release upload v1.0 a.zip", "npx release-it"},
			Miss:    []string{"gh release list", "gh release view v1.0", "goreleaser check", "goreleaser release --snapshot --clean", "goreleaser build"},
		},
		{
			ID: "forge-delete", Class: "publish", Kind: "unforges",
			Why:     "deletes or hides what others see on the forge",
			Instead: "Do not close or archive anything on your own; tell the user what could be removed.",
			Match:   match(either(acts("unforges"), both(named("gh"), sub("api"), either(optionIs("method", isDelete), argument(hidesRepository))))),
			Hit: []string{"gh repo delete me/app --yes", "gh release delete v1.0", "gh issue delete 12", "gh api -X DELETE repos/me/app", "gh repo edit --visibility public", "gh secret delete TOKEN", "glab repo delete me/app", "gh api graphql -f query='mutation { deleteRef(input: {refId: \"1\"}) { clientMutationId } }'", "gh repo sync --force", "glab api -X DELETE projects/1",
				"svn delete -m x https://svn.example.com/a"},
			Miss: []string{"gh issue list", "gh pr close 12", "gh api repos/me/app", "gh repo view", "gh repo edit --description x", "gh issue create --title delete", "gh api graphql -f query='query { viewer { login } }'", "glab api projects/1", "svn delete old.c"},
		},
		{
			ID: "forge-secret", Class: "publish", Kind: "changes-forge",
			Why:     "changes secrets, keys or rights on the forge",
			Instead: "Ask the user to set it.",
			Match:   match(acts("changes-forge")),
			Hit:     []string{"gh secret set TOKEN --body x", "gh ssh-key add k.pub", "gh auth token", "glab variable set A b"},
			Miss:    []string{"gh secret list", "gh auth status", "gh variable list", "glab ci status"},
		},
		{
			ID: "deploy", Class: "publish", Kind: "deploys",
			Why:     "deploys to a running system",
			Instead: "Deploy a preview if the tool has one, and let the user or the build service deploy for good.",
			Match:   match(not(dry), acts("deploys")),
			Hit:     []string{"vercel --prod", "netlify deploy --prod", "firebase deploy", "fly deploy", "wrangler deploy", "cdk deploy --require-approval never", "gcloud app deploy", "npx wrangler deploy"},
			Miss:    []string{"vercel dev", "netlify deploy", "firebase emulators:start", "fly status", "wrangler dev", "cdk diff", "gcloud app browse", "npx eslint deploy.js", "wrangler deploy --dry-run"},
		},
	}
}

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

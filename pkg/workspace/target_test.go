package workspace

import (
	"strings"
	"testing"
)

// TestEndangers has names of targets that destroy or publish, in whichever order their
// words stand, and such as only sound like it.
func TestEndangers(t *testing.T) {
	for want, names := range map[bool]string{
		true: `reset-db db-reset db:reset resetDb resetdb drop-db db_drop dropDatabase drop_tables migrate:reset migrations-reset migrate:down
			db:migrate destroy destroy-stack stack-destroy DESTROY
			nuke nuke-prod wipe db-wipe wipedb purge truncate truncate-tables teardown tear-down teardown_env flush-redis redis:flush flushall delete-all
			delete-db delete:prod kill-prod uninstall eject
			apply tf-apply apply-tf infra:apply terraform_apply apply-migrations rollback db-rollback roll-back clean-db clear_db dbclean
			deploy deploy-prod prod-deploy deployProd redeploy undeploy deploy:staging release release:major publish unpublish npm:publish docker-push
			push:docker image-push upload s3:upload rollout promote:prod ship
			build-and-push build:deploy build-push test-and-deploy lint-and-publish release-and-build seed-prod production-migrate migrate:prod
			app:deploy //app:deploy lint,deploy prepublishOnly postrelease sudo-install`,
		false: `all build test lint check fmt format clean clean-all clean:dist distclean clean:cache reset-mocks test:reset-mocks reset:cache
			purge-css wipe-cache drop-snapshots install install-deps
			db:generate db:types db:status db:lint dev start serve start:prod build:prod build-prod prod-build build:release release-build test:release
			assembleRelease lintRelease testReleaseUnitTest
			check:publish test:publish test:deploy test:deploy-script test-upload lint:release deploy:dry-run publish-dry-run apply-format apply-patches
			remove-unused clear-console flush delete-me
			generate codegen docs coverage storybook preview watch typecheck test:unit lint:fix i18n:extract graphql:codegen validate snapshot:update
			update deps:check tasks help spec default`,
	} {
		for name := range strings.FieldsSeq(names) {
			if why := endangers(name); (why != "") != want {
				t.Errorf("%s: %q", name, why)
			}
		}
	}
}

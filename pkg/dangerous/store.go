package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// The programs of data stores that have no SQL, and what they delete with.
var (
	searches = []use{
		{names: "curator_cli", does: "delete_indices, delete_snapshots, close"},
		{names: "curator", does: "*", unless: "--version"},
		{names: "solr", does: "delete"},
		{names: "opensearch-cli", does: "curl delete"},
		{names: "esctl", does: "delete"},
		{names: "elasticsearch-node", does: "repurpose, unsafe-bootstrap, detach-cluster, remove-settings, remove-customs"},
	}
	queues = []use{
		{names: "kafka-topics kafka-topics.sh kafka-acls kafka-acls.sh", does: "--delete, --remove"},
		{names: "kafka-consumer-groups kafka-consumer-groups.sh", does: "--delete, --delete-offsets, --reset-offsets --execute"},
		{names: "kafka-delete-records kafka-delete-records.sh"},
		{names: "kafka-storage kafka-storage.sh", does: "format"},
		{names: "rabbitmqctl", does: "reset, force_reset, delete_queue, delete_vhost, delete_user, purge_queue, forget_cluster_node, stop_app, stop, shutdown"},
		{names: "rabbitmqadmin", does: "delete, purge"},
		{names: "nats", does: "stream rm, stream del, stream delete, stream purge, consumer rm, kv del, kv rm, kv purge, object rm, object del"},
		{names: "pulsar-admin", does: "topics delete, topics truncate, namespaces delete, tenants delete, clusters delete"},
		{names: "rpk", does: "topic delete, topic trim-prefix, group delete"},
		{names: "celery", does: "purge, amqp queue.purge"},
		{names: "python", does: "-m celery purge"},
		{names: "zkcli.sh zkcli zookeeper-shell zookeeper-shell.sh", does: "deleteall, delete, rmr, _ deleteall, _ delete, _ rmr"},
		{names: "kcadm.sh kcadm", does: "delete"},
	}
	backups = []use{
		{names: "restic rustic autorestic resticprofile", does: "forget, prune, key remove, repair, rewrite --forget", unless: "-n"},
		{names: "borg", does: "delete, prune, compact, recreate", unless: "-n"},
		{names: "borgmatic", does: "prune, delete, compact, --prune", unless: "-n"},
		{names: "tarsnap", does: "-d, -df, --nuke, --fsck-prune"},
		{names: "duplicity duply", does: "remove-older-than --force, remove-all-but-n-full --force, remove-all-inc-of-but-n-full --force, cleanup --force, purge --force"},
		{names: "kopia", does: "snapshot delete, snapshots delete, snap delete, blob delete, content delete, snapshot expire --delete"},
		{names: "duplicacy btrbk", does: "prune, clean", unless: "-n -dry-run"},
		{names: "rdiff-backup", does: "--remove-older-than, remove"},
		{names: "pgbackrest", does: "stanza-delete, expire"},
		{names: "wal-g wal-e barman wbadmin", does: "delete"},
		{names: "velero", does: "backup delete, delete backup, delete backups, schedule delete, delete schedule, restore delete, backup-location delete"},
		{names: "snapper", does: "delete, rollback, undochange"},
		{names: "timeshift", does: "--delete, --delete-all, --restore"},
		{names: "tmutil", does: "delete, deletelocalsnapshots, deleteinprogress, thinlocalsnapshots, disable"},
		{names: "proxmox-backup-client", does: "forget, snapshot forget, prune"},
		{names: "bup", does: "rm, prune-older"},
		{names: "sanoid", does: "--prune-snapshots"},
	}
	vaults = []use{
		{names: "op", does: "item delete, vault delete, document delete, user delete, group delete"},
		{names: "bw chamber credstash", does: "delete"},
		{names: "pass gopass", does: "rm, delete, remove"},
		{names: "doppler", does: "secrets delete, projects delete, configs delete, environments delete"},
		{names: "infisical", does: "secrets delete"},
		{names: "security", does: "delete-generic-password, delete-internet-password, delete-keychain, delete-certificate, delete-identity"},
		{names: "secret-tool", does: "clear"},
		{names: "gpg", does: "--delete-secret-keys, --delete-secret-key, --delete-secret-and-public-key, --delete-keys, --delete-key"},
		{names: "keyring", does: "del"},
		{names: "akeyless", does: "delete-item, delete-items"},
		{names: "fly flyctl supabase", does: "secrets unset"},
		{names: "heroku", does: "config:unset"},
		{names: "netlify", does: "env:unset"},
		{names: "lpass", does: "rm"},
		{names: "eas", does: "secret:delete, env:delete"},
	}
)

func storeRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "http-delete", Class: "store", Programs: "curl curlie wget " + program.Names(program.IsHTTPie) + " " + interpreters(),
			Why:     "deletes what a data store or another host holds",
			Instead: "Read what is there with GET, and ask the user to delete it.",
			Match:   deletesOverHTTP,
			Hit: []string{"curl -X DELETE http://localhost:9200/orders", "curl -XDELETE https://api.example.com/users/1", "curl -X POST localhost:9200/a/_delete_by_query -d @q.json", "wget --method=DELETE http://es:9200/orders", "http DELETE localhost:9200/orders",
				"curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/containers/web", "curl http://localhost:8123/ -d 'DROP TABLE t'", `python3 -c "import requests; requests.delete('http://localhost:9200/a')"`, "curl -X DELETE \"$URL/a\""},
			Miss: []string{"curl http://localhost:9200/orders", "curl -X DELETE http://localhost:3000/api/todos/1", "curl -X POST http://localhost:9200/a/_search -d @q.json", "http DELETE :3000/api/todos/1", "curl http://localhost:8123/ -d 'SELECT 1'", `python3 -c "import requests; requests.delete('http://localhost:8000/items/1')"`,
				"curl -X DELETE \"http://localhost:$PORT/items/1\""},
		},
		{
			ID: "search-delete", Class: "store", Programs: programsOf(searches),
			Why:     "deletes indices of a search engine",
			Instead: "List the indices, and ask the user to delete one by its name.",
			Match:   match(uses(searches)),
			Hit:     []string{"curator_cli --host localhost delete_indices", "solr delete -c app", "opensearch-cli curl delete --path orders"},
			Miss:    []string{"curator_cli show_indices", "solr status", "curator --dry-run --config c.yml delete.yml"},
		},
		{
			ID: "queue-delete", Class: "store", Programs: programsOf(queues, runners(), program.Names(program.IsShell)),
			Why:     "deletes queues, topics or messages that others wait for",
			Instead: "Look at the queue with the list or describe verb, and ask the user to empty or delete it.",
			Match:   match(uses(queues)),
			Hit:     []string{"kafka-topics.sh --bootstrap-server k:9092 --delete --topic a", "rabbitmqctl reset", "rabbitmqctl -n rabbit@a purge_queue jobs", "nats stream purge A", "uv run celery -A app purge"},
			Miss:    []string{"kafka-topics --bootstrap-server k:9092 --list", "rabbitmqctl list_queues", "nats stream ls", "celery -A app worker", "kafka-consumer-groups --group g --reset-offsets --to-latest --dry-run"},
		},
		{
			ID: "backup-delete", Class: "store", Programs: programsOf(backups),
			Why:     "deletes backups or snapshots, or restores an older state over the current one",
			Instead: "List the backups, use --dry-run to show which it would delete, and ask the user.",
			Match:   match(uses(backups)),
			Hit:     []string{"restic -r /srv/repo forget --keep-last 3 --prune", "borg delete /srv/repo::monday", "tarsnap --nuke", "tmutil deletelocalsnapshots /", "snapper -c root delete 1-10", "timeshift --delete-all"},
			Miss:    []string{"restic snapshots", "restic forget -n --keep-last 3", "borg list /srv/repo", "tmutil listbackups", "borg create /srv/repo::delete src", "timeshift --list"},
		},
		{
			ID: "secret-delete", Class: "store", Programs: programsOf(vaults, runners()),
			Why:     "deletes passwords, keys or secrets that others may need",
			Instead: "Tell the user which secret it is, and ask them to delete it.",
			Match:   match(uses(vaults)),
			Hit:     []string{"op item delete a", "pass rm -rf work", "gpg --batch --yes --delete-secret-keys ABCD", "security delete-keychain login.keychain", "fly secrets unset DB_URL"},
			Miss:    []string{"op item list", "pass ls", "gpg --list-secret-keys", "security find-certificate -a", "fly secrets list"},
		},
	}
}

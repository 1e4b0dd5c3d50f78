package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func storeRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "http-delete", Class: "store", Programs: program.Names(program.IsHTTPie) + " " + interpreters(), Kind: "web",
			Why:     "deletes what a data store or another host holds",
			Instead: "Read what is there with GET, and ask the user to delete it.",
			Match:   deletesOverHTTP,
			Hit: []string{"curl -X DELETE http://localhost:9200/orders", "curl -XDELETE https://api.example.com/users/1", "curl -X POST localhost:9200/a/_delete_by_query -d @q.json", "wget --method=DELETE http://es:9200/orders", "http DELETE localhost:9200/orders",
				"curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/containers/web", "curl http://localhost:8123/ -d 'DROP TABLE t'", `python3 -c "import requests; requests.delete('http://localhost:9200/a')"`, "curl -X DELETE \"$URL/a\""},
			Miss: []string{"curl http://localhost:9200/orders", "curl -X DELETE http://localhost:3000/api/todos/1", "curl -X POST http://localhost:9200/a/_search -d @q.json", "http DELETE :3000/api/todos/1", "curl http://localhost:8123/ -d 'SELECT 1'", `python3 -c "import requests; requests.delete('http://localhost:8000/items/1')"`,
				"curl -X DELETE \"http://localhost:$PORT/items/1\""},
		},
		{
			ID: "search-delete", Class: "store", Kind: "deletes-indices",
			Why:     "deletes indices of a search engine",
			Instead: "List the indices, and ask the user to delete one by its name.",
			Match:   match(not(dry), acts("deletes-indices")),
			Hit:     []string{"curator_cli --host localhost delete_indices", "solr delete -c app", "opensearch-cli curl delete --path orders"},
			Miss:    []string{"curator_cli show_indices", "solr status", "curator --dry-run --config c.yml delete.yml"},
		},
		{
			ID: "queue-delete", Class: "store", Kind: "deletes-queues",
			Why:     "deletes queues, topics or messages that others wait for",
			Instead: "Look at the queue with the list or describe verb, and ask the user to empty or delete it.",
			Match:   match(not(dry), acts("deletes-queues")),
			Hit:     []string{"kafka-topics.sh --bootstrap-server k:9092 --delete --topic a", "rabbitmqctl reset", "rabbitmqctl -n rabbit@a purge_queue jobs", "nats stream purge A", "uv run celery -A app purge"},
			Miss:    []string{"kafka-topics --bootstrap-server k:9092 --list", "rabbitmqctl list_queues", "nats stream ls", "celery -A app worker", "kafka-consumer-groups --group g --reset-offsets --to-latest --dry-run"},
		},
		{
			ID: "backup-delete", Class: "store", Kind: "deletes-backups",
			Why:     "deletes backups or snapshots, or restores an older state over the current one",
			Instead: "List the backups, use --dry-run to show which it would delete, and ask the user.",
			Match:   match(not(dry), acts("deletes-backups")),
			Hit:     []string{"restic -r /srv/repo forget --keep-last 3 --prune", "borg delete /srv/repo::monday", "tarsnap --nuke", "tmutil deletelocalsnapshots /", "snapper -c root delete 1-10", "timeshift --delete-all"},
			Miss:    []string{"restic snapshots", "restic forget -n --keep-last 3", "borg list /srv/repo", "tmutil listbackups", "borg create /srv/repo::delete src", "timeshift --list"},
		},
		{
			ID: "secret-delete", Class: "store", Kind: "deletes-secrets",
			Why:     "deletes passwords, keys or secrets that others may need",
			Instead: "Tell the user which secret it is, and ask them to delete it.",
			Match:   match(not(dry), acts("deletes-secrets")),
			Hit:     []string{"op item delete a", "pass rm -rf work", "gpg --batch --yes --delete-secret-keys ABCD", "security delete-keychain login.keychain", "fly secrets unset DB_URL"},
			Miss:    []string{"op item list", "pass ls", "gpg --list-secret-keys", "security find-certificate -a", "fly secrets list"},
		},
	}
}

-- What the service knows of each rule: the hash of what was written through it
-- or noticed by it. An empty hash is that of a rule from before.

-- +goose Up

CREATE TABLE rule_seals (
	id   TEXT NOT NULL PRIMARY KEY,
	hash TEXT NOT NULL
) STRICT;

INSERT INTO rule_seals (id, hash) SELECT id, '' FROM approval_rules;

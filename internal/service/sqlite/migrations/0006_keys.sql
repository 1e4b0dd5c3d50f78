-- The private halves of the signing keys leave the database. They are not moved
-- within it, so that no page keeps a copy: the table gets another name, and goes
-- when a program has put the key where it belongs. Of a private key of Ed25519
-- the last 32 bytes are the public one.

-- +goose Up

ALTER TABLE signing_keys RENAME TO kept_keys;

CREATE TABLE signing_keys (
	seq     INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	public  BLOB NOT NULL,
	created INTEGER NOT NULL,
	ended   INTEGER
) STRICT;

INSERT INTO signing_keys (seq, id, public, created, ended)
	SELECT seq, id, substr(private, 33), created, (SELECT n.created FROM kept_keys n WHERE n.seq > k.seq ORDER BY n.seq LIMIT 1)
	FROM kept_keys k;

-- +goose StatementBegin
CREATE TRIGGER keys_end BEFORE UPDATE OF ended ON signing_keys WHEN old.ended IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'a key that has ended stays so');
END;
-- +goose StatementEnd

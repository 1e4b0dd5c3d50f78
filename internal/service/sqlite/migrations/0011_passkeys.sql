-- Passkeys of people, and the browsers to which Web Push tells what waits. Both are
-- public: the private halves stay in authenticators and browsers.

-- +goose Up

CREATE TABLE passkeys (
	seq        INTEGER PRIMARY KEY,
	id         TEXT NOT NULL UNIQUE,
	person     TEXT NOT NULL,
	label      TEXT NOT NULL,
	credential BLOB NOT NULL UNIQUE,
	public     BLOB NOT NULL,
	handle     BLOB NOT NULL,
	origin     TEXT NOT NULL,
	count      INTEGER NOT NULL,
	synced     INTEGER NOT NULL,
	created    INTEGER NOT NULL,
	last_used  INTEGER
) STRICT;

CREATE TABLE push_subscriptions (
	seq      INTEGER PRIMARY KEY,
	id       TEXT NOT NULL UNIQUE,
	person   TEXT NOT NULL,
	label    TEXT NOT NULL,
	endpoint TEXT NOT NULL UNIQUE,
	public   BLOB NOT NULL,
	secret   BLOB NOT NULL,
	created  INTEGER NOT NULL
) STRICT;

-- What channels were told: how far the events were followed, one delivery for each
-- message and its change, and the tokens behind buttons with who has pressed them.
-- Of a token only the hash is here.

-- +goose Up

CREATE TABLE channel_cursor (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	event INTEGER NOT NULL
) STRICT;

CREATE TABLE channel_deliveries (
	seq     INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	request TEXT NOT NULL,
	channel TEXT NOT NULL,
	about   TEXT NOT NULL,
	state   TEXT NOT NULL,
	tries   INTEGER NOT NULL,
	created INTEGER NOT NULL,
	next    INTEGER NOT NULL,
	changed INTEGER NOT NULL,
	ref     TEXT NOT NULL,
	problem TEXT NOT NULL,
	UNIQUE (request, channel, about)
) STRICT;

CREATE INDEX channel_deliveries_open ON channel_deliveries (seq) WHERE state IN ('due', 'sending');
CREATE INDEX channel_deliveries_of ON channel_deliveries (channel, changed);

CREATE TABLE channel_tokens (
	hash     BLOB NOT NULL PRIMARY KEY,
	delivery TEXT NOT NULL REFERENCES channel_deliveries (id) ON DELETE CASCADE,
	word     TEXT NOT NULL,
	scope    TEXT NOT NULL
) STRICT;

CREATE INDEX channel_tokens_of ON channel_tokens (delivery);

CREATE TABLE channel_presses (
	hash   BLOB NOT NULL REFERENCES channel_tokens (hash) ON DELETE CASCADE,
	person TEXT NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (hash, person)
) STRICT;

-- The tables of the approval service. Times are microseconds since 1970 in UTC,
-- but for those of approval_rules, whose rows are exchanged as text.
-- A migration is never changed once it was released, and none goes back.

-- +goose Up

-- "pctl": so that the file of another program is not taken for ours.
PRAGMA application_id = 1885566060;

-- document is the whole request as JSON; the other columns are what is searched.
CREATE TABLE requests (
	seq       INTEGER PRIMARY KEY,
	id        TEXT NOT NULL UNIQUE,
	version   INTEGER NOT NULL,
	submitter TEXT NOT NULL,
	key       TEXT NOT NULL,
	digest    TEXT NOT NULL,
	state     TEXT NOT NULL,
	kind      TEXT NOT NULL,
	session   TEXT NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER NOT NULL,
	document  TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX requests_key ON requests (submitter, key) WHERE key <> '';
CREATE INDEX requests_state ON requests (state);
CREATE INDEX requests_session ON requests (session);
CREATE INDEX requests_submitter ON requests (submitter);
CREATE INDEX requests_due ON requests (expires) WHERE state = 'PENDING';
CREATE INDEX requests_pending ON requests (session, submitter) WHERE state = 'PENDING';

CREATE TABLE events (
	id         INTEGER PRIMARY KEY,
	time       INTEGER NOT NULL,
	request_id TEXT NOT NULL,
	state      TEXT NOT NULL,
	version    INTEGER NOT NULL,
	session    TEXT NOT NULL,
	tool       TEXT NOT NULL,
	title      TEXT NOT NULL
) STRICT;

-- record is the whole record as JSON; hash is its own, for the next one.
CREATE TABLE audit (
	seq    INTEGER PRIMARY KEY,
	hash   TEXT NOT NULL,
	record TEXT NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_keeps BEFORE DELETE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
-- +goose StatementEnd

CREATE TABLE signing_keys (
	seq     INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	private BLOB NOT NULL,
	created INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
	seq       INTEGER PRIMARY KEY,
	id        TEXT NOT NULL UNIQUE,
	name      TEXT NOT NULL,
	scopes    TEXT NOT NULL,
	hash      BLOB NOT NULL,
	created   INTEGER NOT NULL,
	expires   INTEGER,
	last_used INTEGER,
	revoked   INTEGER
) STRICT;

CREATE TABLE approval_rules (
	id                   TEXT NOT NULL PRIMARY KEY,
	label                TEXT,
	scope_plugin_id      TEXT,
	scope_profile_id     TEXT,
	scope_integration_id TEXT,
	priority             INTEGER NOT NULL,
	enabled              INTEGER NOT NULL,
	dialect              TEXT NOT NULL,
	source               TEXT NOT NULL,
	compiled             TEXT,
	decision             TEXT NOT NULL,
	reason               TEXT,
	approver_plugin_id   TEXT,
	approver_profile_id  TEXT,
	llm_prompt           TEXT,
	llm_model            TEXT,
	llm_cache_ttl_s      INTEGER,
	llm_fail_closed      INTEGER,
	timeout_ms           INTEGER,
	on_timeout           TEXT,
	created_by           TEXT,
	created_at           TEXT NOT NULL,
	updated_at           TEXT NOT NULL
) STRICT;

-- row is the deleted rule as JSON, by the names of its columns.
CREATE TABLE rule_tombstones (
	seq        INTEGER PRIMARY KEY,
	row        TEXT NOT NULL,
	deleted_by TEXT NOT NULL,
	deleted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE calls (
	id       INTEGER PRIMARY KEY,
	time     INTEGER NOT NULL,
	session  TEXT NOT NULL,
	call     TEXT NOT NULL,
	decision TEXT NOT NULL,
	stage    TEXT NOT NULL,
	rule     TEXT NOT NULL
) STRICT;

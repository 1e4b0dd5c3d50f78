-- What is found by words and by who, what and when: full-text indexes of requests
-- and of the audit log, without secrets. They keep no text, only which row has which
-- word; marks are words that stand for the value of a field. A program reads the
-- rows into them: those of requests_unread, and the records behind the last one.

-- +goose Up

CREATE VIRTUAL TABLE requests_search USING fts5 (words, marks, content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE audit_search USING fts5 (words, marks, content = '', contentless_delete = 1);

CREATE TABLE requests_unread (seq INTEGER PRIMARY KEY) STRICT;
INSERT INTO requests_unread (seq) SELECT seq FROM requests;

-- +goose StatementBegin
CREATE TRIGGER requests_made AFTER INSERT ON requests BEGIN
	INSERT OR IGNORE INTO requests_unread (seq) VALUES (new.seq);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER requests_changed AFTER UPDATE ON requests BEGIN
	INSERT OR IGNORE INTO requests_unread (seq) VALUES (new.seq);
END;
-- +goose StatementEnd

CREATE INDEX requests_created ON requests (created);

-- What statistics need of a request.
CREATE TABLE request_facts (
	seq     INTEGER PRIMARY KEY,
	asked   INTEGER NOT NULL,
	decided INTEGER,
	state   TEXT NOT NULL,
	session TEXT NOT NULL,
	rule    TEXT NOT NULL,
	stage   TEXT NOT NULL,
	program TEXT NOT NULL,
	decider TEXT NOT NULL,
	source  TEXT NOT NULL
) STRICT;

-- What the service knows of a grant beside the file that holds it: when it allowed
-- something last, and what it was before it was revoked, as JSON.
CREATE TABLE grant_notes (
	id         TEXT NOT NULL PRIMARY KEY,
	used       INTEGER,
	revoked    INTEGER,
	revoked_by TEXT NOT NULL DEFAULT '',
	entry      TEXT NOT NULL DEFAULT ''
) STRICT;

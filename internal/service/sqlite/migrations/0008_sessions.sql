-- What is pending of a submitter, in one session and in all; the denials of
-- sessions; and which requests are about the same call.

-- +goose Up

DROP INDEX requests_pending;
CREATE INDEX requests_waiting ON requests (submitter, session) WHERE state = 'PENDING';

-- denial is the whole denial as JSON.
CREATE TABLE session_denials (
	seq     INTEGER PRIMARY KEY,
	session TEXT NOT NULL UNIQUE,
	denial  TEXT NOT NULL
) STRICT;

ALTER TABLE requests ADD COLUMN alike TEXT NOT NULL DEFAULT '';
CREATE INDEX requests_alike ON requests (alike) WHERE alike <> '';

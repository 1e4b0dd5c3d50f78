-- How much of a request is kept: 0 as it was submitted, 1 without secrets since
-- it is over, 2 only what the audit log needs.

-- +goose Up

ALTER TABLE requests ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
CREATE INDEX requests_kept ON requests (kept, expires) WHERE kept < 2 AND state <> 'PENDING';

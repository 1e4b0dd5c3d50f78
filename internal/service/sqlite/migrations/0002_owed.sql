-- Requests whose decision is stored, and the entries that it stores are not yet.

-- +goose Up

ALTER TABLE requests ADD COLUMN owes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX requests_owing ON requests (seq) WHERE owes = 1;

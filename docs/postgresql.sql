-- The least rights of the role that serves, in a database whose tables another role owns.
-- Run this as the owner, in the schema of the tables, after policyctl serve migrate --to
-- has made or changed them:
--
--   psql -v role=policyctl -f postgresql.sql postgres://policyctl_owner@HOST/DATABASE
--
-- The role can neither change nor delete what the audit log says, nor say where it begins,
-- nor make, change or drop a table: policyctl audit prune runs as the owner.

\set ON_ERROR_STOP on
\if :{?role}
\else
\set role policyctl
\endif

BEGIN;

SELECT format('REVOKE ALL ON ALL TABLES IN SCHEMA %1$I FROM %2$I; GRANT USAGE ON SCHEMA %1$I TO %2$I', current_schema(), :'role') \gexec

GRANT SELECT ON goose_db_version, audit_base TO :"role";

GRANT SELECT, INSERT ON audit, rule_changes, switches, channel_tokens, channel_presses TO :"role";
GRANT SELECT, UPDATE (place) ON policyctl_store TO :"role";

GRANT SELECT, INSERT, UPDATE ON requests, tokens, shelves, collected, clock, request_facts, requests_search, audit_search, channel_cursor TO :"role";
GRANT SELECT, INSERT, UPDATE (ended) ON signing_keys TO :"role";

GRANT SELECT, INSERT, DELETE ON calls, session_denials, requests_unread, push_subscriptions TO :"role";
GRANT SELECT, INSERT, UPDATE (id), DELETE ON events TO :"role"; -- ids rise when another server has taken over

GRANT SELECT, INSERT, UPDATE, DELETE ON approval_rules, rule_seals, grant_notes, passkeys, channel_deliveries TO :"role";

COMMIT;

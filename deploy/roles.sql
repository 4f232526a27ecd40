-- Least privilege: one role creates and upgrades the schema, the other serves games. Run once, as superuser:
--   psql -v owner_password=... -v password=... -f deploy/roles.sql
CREATE ROLE heliopause_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE heliopause LOGIN PASSWORD :'password';
CREATE DATABASE heliopause OWNER heliopause_owner;

\connect heliopause
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO heliopause_owner;
GRANT USAGE ON SCHEMA public TO heliopause;
-- Grants the serving role access to all tables that the owner will create, also in upgrades.
ALTER DEFAULT PRIVILEGES FOR ROLE heliopause_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO heliopause;
ALTER DEFAULT PRIVILEGES FOR ROLE heliopause_owner IN SCHEMA public
    GRANT USAGE ON SEQUENCES TO heliopause;

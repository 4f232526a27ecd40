-- Least rights: one role makes and upgrades the schema, the other serves games. Once, as the database's superuser:
--   psql -v owner_password=... -v password=... -f deploy/roles.sql
CREATE ROLE heliopause_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE heliopause LOGIN PASSWORD :'password';
CREATE DATABASE heliopause OWNER heliopause_owner;

\connect heliopause
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO heliopause_owner;
GRANT USAGE ON SCHEMA public TO heliopause;
-- What the owner makes, now and in upgrades, the other may use.
ALTER DEFAULT PRIVILEGES FOR ROLE heliopause_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO heliopause;
ALTER DEFAULT PRIVILEGES FOR ROLE heliopause_owner IN SCHEMA public
    GRANT USAGE ON SEQUENCES TO heliopause;

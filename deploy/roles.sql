-- Creates a database with two roles: "shiplog_owner" creates and changes the tables, and instances run as "shiplog".
-- Run once with psql as a superuser, then give both roles a password: \password shiplog_owner, \password shiplog.

create role shiplog_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create role shiplog login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

create database shiplog owner shiplog_owner encoding 'UTF8' template template0;
revoke all on database shiplog from public;
grant connect on database shiplog to shiplog;

\connect shiplog
alter schema public owner to shiplog_owner;
revoke all on schema public from public;

import type { Migration } from './migration.ts'

/**
 * Sign-in, OAuth and members as callers. What is looked up before the workspace is known (accounts, clients, secrets, sessions,
 * codes, tokens) is small or found by its digest; everything else leads with the workspace.
 */
export const peopleAndAuthorizations: Migration = {
  name: 'people and authorizations',
  statements: ({ id, time, bytes }) => [
    // Accounts: one person signs in once and may be a member of several workspaces, under the same id in each.
    `create table accounts (id ${id} primary key, email text not null, password text, created_time ${time} not null)`,
    `create unique index accounts_by_email on accounts (email)`,
    `insert into accounts (id, email, password, created_time)
      select id, lower(email), null, created_time from users where kind = 'person' and email is not null on conflict do nothing`,
    `create table sign_in_links (
      digest ${bytes} primary key, account_id ${id} not null references accounts (id), expires_time ${time} not null)`,
    `create index sign_in_links_by_end on sign_in_links (expires_time)`,
    `create table browser_sessions (
      digest ${bytes} primary key, account_id ${id} not null references accounts (id),
      created_time ${time} not null, expires_time ${time} not null)`,
    `create index browser_sessions_by_end on browser_sessions (expires_time)`,

    // Workspaces and their people.
    `alter table workspaces add column suspended_time ${time}`,
    `alter table workspaces add column installers text not null default 'members' check (installers in ('owners', 'members'))`,
    `alter table workspaces add column token_holders text not null default 'members' check (token_holders in ('owners', 'groups', 'members'))`,
    `alter table users add column left_time ${time}`,
    `create index users_by_id on users (id)`,
    `create index users_by_connection on users (connection_id)`,
    `create unique index users_by_authorization on users (workspace_id, connection_id, owner_id)`,
    `create table member_groups (
      workspace_id ${id} not null references workspaces (id), id ${id} not null, name text not null,
      holds_tokens integer not null default 0, created_time ${time} not null, primary key (workspace_id, id))`,
    `create table member_group_people (
      workspace_id ${id} not null, group_id ${id} not null, user_id ${id} not null, primary key (workspace_id, group_id, user_id),
      foreign key (workspace_id, group_id) references member_groups (workspace_id, id))`,
    `create table access_rules (
      workspace_id ${id} not null references workspaces (id), item_id ${id} not null, subject_id ${id} not null,
      level text not null check (level in ('none', 'read', 'edit', 'full')), created_time ${time} not null,
      primary key (workspace_id, item_id, subject_id))`,

    `create index blocks_by_edit on blocks (workspace_id, last_edited_time, id) where type in ('child_page', 'child_database')`,

    // Connections as OAuth clients.
    `alter table connections add column client_id ${id}`,
    `alter table connections add column redirect_uris text not null default '[]'`,
    `alter table connections add column allowed_workspaces text`,
    `alter table connections add column template_page_id ${id}`,
    `alter table connections add column icon_url text`,
    `alter table connections add column developer_name text`,
    `alter table connections add column developer_url text`,
    `create unique index connections_by_client on connections (client_id)`,
    `create unique index connections_by_id on connections (id)`,
    `create table client_secrets (
      client_id ${id} not null, digest ${bytes} not null, created_time ${time} not null, expires_time ${time},
      primary key (client_id, digest))`,

    // Authorizations.
    `create table authorization_codes (
      digest ${bytes} primary key, workspace_id ${id} not null references workspaces (id), connection_id ${id} not null,
      person_id ${id} not null, redirect_uri text not null, redirect_uri_sent integer not null, code_challenge text,
      page_ids text not null, takes_template integer not null, created_time ${time} not null, expires_time ${time} not null,
      used_time ${time}, family_id ${id})`,
    `create index authorization_codes_by_end on authorization_codes (expires_time)`,
    `create table token_families (
      workspace_id ${id} not null references workspaces (id), id ${id} not null, connection_id ${id} not null, bot_id ${id} not null,
      template_copy_id ${id}, generation integer not null, created_time ${time} not null, ended_time ${time},
      primary key (workspace_id, id))`,
    `create index token_families_by_bot on token_families (workspace_id, bot_id)`,

    // Tokens: of a bot, or of a member.
    `alter table tokens rename column bot_id to user_id`,
    `alter table tokens add column id ${id}`,
    `alter table tokens add column name text`,
    `alter table tokens add column calls_api integer not null default 1`,
    `alter table tokens add column family_id ${id}`,
    `alter table tokens add column generation integer`,
    `alter table tokens add column used_time ${time}`,
    `alter table tokens add column spent_time ${time}`,
    `create index tokens_by_user on tokens (workspace_id, user_id)`,
    `create index tokens_by_family on tokens (workspace_id, family_id)`,
    `create index tokens_by_id on tokens (id)`,
  ],
}

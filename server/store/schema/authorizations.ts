import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * Sign-in, connections as OAuth clients, and tokens. Tables that are read before the workspace is known (accounts, clients, secrets,
 * sessions, codes, tokens) are small or have the digest as their key.
 */
export const authorizationTables = ({ id, time, bytes }: ColumnTypes): readonly string[] => [
  // An account may be a member of several workspaces, with the same id in each.
  `create table accounts (id ${id} primary key, email text not null, password text, created_time ${time} not null)`,
  `create unique index accounts_by_email on accounts (email)`,
  `create table sign_in_links (
    digest ${bytes} primary key, account_id ${id} not null references accounts (id), expires_time ${time} not null)`,
  `create index sign_in_links_by_end on sign_in_links (expires_time)`,
  `create table browser_sessions (
    digest ${bytes} primary key, account_id ${id} not null references accounts (id),
    created_time ${time} not null, expires_time ${time} not null)`,
  `create index browser_sessions_by_end on browser_sessions (expires_time)`,

  `create table connections (
    workspace_id ${id} not null references workspaces (id), id ${id} not null,
    kind text not null check (kind in ('internal', 'public')), name text not null, capabilities text not null,
    created_time ${time} not null, disabled_time ${time}, client_id ${id}, redirect_uris text not null default '[]',
    allowed_workspaces text, template_page_id ${id}, icon_url text, developer_name text, developer_url text, rate_limit integer,
    primary key (workspace_id, id))`,
  `create unique index connections_by_client on connections (client_id)`,
  `create unique index connections_by_id on connections (id)`,
  `create table client_secrets (
    client_id ${id} not null, digest ${bytes} not null, created_time ${time} not null, expires_time ${time},
    primary key (client_id, digest))`,
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
  // Tokens of bots and of members.
  `create table tokens (
    digest ${bytes} primary key, workspace_id ${id} not null references workspaces (id),
    kind text not null check (kind in ('installation', 'access', 'refresh', 'personal')),
    connection_id ${id}, user_id ${id} not null, created_time ${time} not null, expires_time ${time}, revoked_time ${time},
    id ${id}, name text, calls_api integer not null default 1, family_id ${id}, generation integer, used_time ${time},
    spent_time ${time})`,
  `create index tokens_by_user on tokens (workspace_id, user_id)`,
  `create index tokens_by_family on tokens (workspace_id, family_id)`,
  `create index tokens_by_id on tokens (id)`,
]

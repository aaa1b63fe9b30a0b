import type { ColumnTypes } from '../dialects/column_types.ts'

/** Workspaces, their people and groups, and access to content. */
export const peopleTables = ({ id, time, bytewise }: ColumnTypes): readonly string[] => [
  `create table instance (name text primary key, value text not null)`,
  `create table workspaces (
    id ${id} primary key, name text, icon_url text, created_time ${time} not null, suspended_time ${time},
    installers text not null default 'members' check (installers in ('owners', 'members')),
    token_holders text not null default 'members' check (token_holders in ('owners', 'groups', 'members')))`,
  `create table users (
    workspace_id ${id} not null references workspaces (id), id ${id} not null,
    kind text not null check (kind in ('person', 'bot')), name text, avatar_url text, email text, role text,
    connection_id ${id}, owner_id ${id}, created_time ${time} not null, left_time ${time},
    time_zone text,
    primary key (workspace_id, id))`,
  `create index users_by_time on users (workspace_id, kind, created_time, id)`,
  `create index users_by_id on users (id)`,
  `create index users_by_connection on users (connection_id)`,
  `create unique index users_by_authorization on users (workspace_id, connection_id, owner_id)`,
  `create table member_groups (
    workspace_id ${id} not null references workspaces (id), id ${id} not null, name text not null,
    holds_tokens integer not null default 0, created_time ${time} not null, primary key (workspace_id, id))`,
  `create table member_group_people (
    workspace_id ${id} not null, group_id ${id} not null, user_id ${id} not null, primary key (workspace_id, group_id, user_id),
    foreign key (workspace_id, group_id) references member_groups (workspace_id, id))`,
  `create table grants (
    workspace_id ${id} not null references workspaces (id), bot_id ${id} not null, item_id ${id} not null,
    created_time ${time} not null, primary key (workspace_id, bot_id, item_id))`,
  `create table access_rules (
    workspace_id ${id} not null references workspaces (id), item_id ${id} not null, subject_id ${id} not null,
    level text not null check (level in ('none', 'read', 'edit', 'full')), created_time ${time} not null,
    primary key (workspace_id, item_id, subject_id))`,
  // For finding the items that a guest can see, by the rules for that member.
  `create index access_rules_by_subject on access_rules (workspace_id, subject_id, item_id)`,
  `create table custom_emojis (
    workspace_id ${id} not null references workspaces (id), id ${id} not null, name ${bytewise} not null, url text not null,
    created_time ${time} not null, primary key (workspace_id, id))`,
  `create unique index custom_emojis_by_name on custom_emojis (workspace_id, name)`,
]

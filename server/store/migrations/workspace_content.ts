import type { Migration } from './migration.ts'

/**
 * Workspaces, people, connections, tokens, grants, and the tree of blocks. Every key leads with the workspace, so that a
 * distributed engine can place a workspace on one node. A page and a database are blocks too: their id is the id of their
 * `child_page` or `child_database` block.
 */
export const workspaceContent: Migration = {
  name: 'workspace content',
  statements: ({ id, time, bytes, bytewise }) => [
    `create table instance (name text primary key, value text not null)`,
    `create table workspaces (
      id ${id} primary key, name text, icon_url text, created_time ${time} not null)`,
    `create table users (
      workspace_id ${id} not null references workspaces (id), id ${id} not null,
      kind text not null check (kind in ('person', 'bot')), name text, avatar_url text, email text, role text,
      connection_id ${id}, owner_id ${id}, created_time ${time} not null,
      primary key (workspace_id, id))`,
    `create index users_by_time on users (workspace_id, kind, created_time, id)`,
    `create table connections (
      workspace_id ${id} not null references workspaces (id), id ${id} not null,
      kind text not null check (kind in ('internal', 'public')), name text not null, capabilities text not null,
      created_time ${time} not null, disabled_time ${time},
      primary key (workspace_id, id))`,
    `create table tokens (
      digest ${bytes} primary key, workspace_id ${id} not null references workspaces (id),
      kind text not null check (kind in ('installation', 'access', 'refresh', 'personal')),
      connection_id ${id}, bot_id ${id} not null, created_time ${time} not null, expires_time ${time}, revoked_time ${time})`,
    `create table grants (
      workspace_id ${id} not null references workspaces (id), bot_id ${id} not null, item_id ${id} not null,
      created_time ${time} not null, primary key (workspace_id, bot_id, item_id))`,
    // No reference to the workspace: checking it for each of a hundred rows takes a fifth of the time that PostgreSQL needs for them.
    `create table blocks (
      workspace_id ${id} not null, id ${id} not null, type text not null,
      parent_type text not null, parent_id ${id} not null, page_id ${id},
      rank ${bytewise} not null, content text not null, in_trash integer not null default 0,
      created_time ${time} not null, created_by ${id} not null, last_edited_time ${time} not null, last_edited_by ${id} not null,
      primary key (workspace_id, id))`,
    `create unique index blocks_by_place on blocks (workspace_id, parent_id, in_trash, rank)`,
    `create table pages (
      workspace_id ${id} not null, id ${id} not null, icon text, cover text, is_locked integer not null default 0,
      is_archived integer not null default 0,
      primary key (workspace_id, id), foreign key (workspace_id, id) references blocks (workspace_id, id))`,
    `create table custom_emojis (
      workspace_id ${id} not null references workspaces (id), id ${id} not null, name ${bytewise} not null, url text not null,
      created_time ${time} not null, primary key (workspace_id, id))`,
    `create unique index custom_emojis_by_name on custom_emojis (workspace_id, name)`,
  ],
}

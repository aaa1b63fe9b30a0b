import type { ColumnTypes } from '../dialects/column_types.ts'

/**
 * Uploads, their parts, and the objects in the file storage. An object is recorded before its first byte is stored, with the time at which
 * it is deleted unless a part claims it earlier, so that every object in the storage has a row. `removal_failures` counts failed attempts
 * to delete its bytes. The pause after each attempt is longer, and after the first one the object can no longer be kept.
 */
export const fileUploadTables = ({ id, time }: ColumnTypes): readonly string[] => [
  `create table file_uploads (
    workspace_id ${id} not null references workspaces (id), id ${id} not null,
    actor_id ${id} not null, actor_kind text not null check (actor_kind in ('person', 'bot', 'agent')),
    mode text not null check (mode in ('single_part', 'multi_part', 'external_url')),
    status text not null check (status in ('pending', 'uploaded', 'expired', 'failed')),
    filename text, content_type text, type_is_given integer not null, content_length ${time},
    parts_total integer, parts_sent integer not null default 0,
    external_url text, import_result text, import_time ${time}, import_attempts integer not null default 0,
    created_time ${time} not null, last_edited_time ${time} not null, expiry_due ${time},
    primary key (workspace_id, id))`,
  `create index file_uploads_by_actor on file_uploads (workspace_id, actor_id, created_time, id)`,
  `create index file_uploads_by_status on file_uploads (workspace_id, actor_id, status, created_time, id)`,
  `create index file_uploads_unattached on file_uploads (workspace_id, actor_id, created_time, id) where expiry_due is not null`,
  `create index file_uploads_by_expiry on file_uploads (expiry_due) where expiry_due is not null`,
  `create index file_uploads_by_import on file_uploads (import_time) where import_time is not null`,
  `create table file_parts (
    workspace_id ${id} not null, upload_id ${id} not null, number integer not null,
    object_workspace_id ${id} not null, object_id ${id} not null, byte_length ${time} not null,
    primary key (workspace_id, upload_id, number))`,
  `create table file_objects (
    workspace_id ${id} not null, id ${id} not null, drop_time ${time},
    removal_failures integer not null default 0, primary key (workspace_id, id))`,
  `create index file_objects_by_drop on file_objects (drop_time) where drop_time is not null`,
]

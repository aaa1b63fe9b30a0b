import type { Database } from '../database.ts'
import type { ColumnTypes } from '../dialects/column_types.ts'
import type { Migration } from './migration.ts'

/**
 * What has happened and is still to be told to subscriptions: a row for each entity and kind of change of a request, written in its
 * transaction and gone with the one that leaves the events to be delivered. `number` is the order in which things happened in a
 * workspace.
 *
 * `stream` says who waits for what: `at_once` is told change by change; in `window` the changes of an entity lie together until it is
 * quiet, so `entity_id` and `time` stand in their index. Subscriptions of the oldest version know no data sources: what happens to those and to
 * databases lies in a stream of their own, `window_2022_06_28`, as what happens to databases. `listeners` is a JSON object: by the id
 * of each subscription that was active when it happened, its API version, or null where it had not asked for the type.
 */
const table = ({ id, time, number }: ColumnTypes, engine: Database['engine']): readonly string[] => [
  `create table outbox (
    number ${number}, workspace_id ${id} not null, entity_id ${id} not null,
    stream text not null check (stream in ('at_once', 'window', 'window_2022_06_28')),
    type text not null, time ${time} not null, author_id ${id} not null, details text not null, listeners text not null
    ${engine === 'postgresql' ? ', primary key (workspace_id, number)' : ''})`,
  `create index outbox_by_entity on outbox (workspace_id, stream, entity_id, time)`,
  // Tells which bots see an item.
  `create index grants_by_item on grants (workspace_id, item_id, bot_id)`,
]

export const outbox: Migration = {
  number: 24,
  name: 'outbox',
  statements: table,
}

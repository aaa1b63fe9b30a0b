import type { Database } from '../database.ts'
import type { ColumnTypes } from '../dialects/column_types.ts'
import type { Migration } from './migration.ts'

/**
 * Changes that have not become events yet (transactional outbox): a request writes a row for each entity and type of change in its own
 * transaction, and the transaction that turns rows into deliveries deletes them. `number` is the order of changes in a workspace.
 *
 * `stream` is how changes become events: in `at_once`, each change is an event; in `window`, the changes of an entity are coalesced until
 * it is quiet, so `entity_id` and `time` are in the index. The oldest version of subscriptions has no data sources: for it, changes of
 * data sources and databases are in a stream of their own, `window_2022_06_28`, as changes of databases. `listeners` is a JSON object
 * from the id of each subscription that was active at the time to its API version, or null if it had not subscribed to the type.
 */
const table = ({ id, time, number }: ColumnTypes, engine: Database['engine']): readonly string[] => [
  `create table outbox (
    number ${number}, workspace_id ${id} not null, entity_id ${id} not null,
    stream text not null check (stream in ('at_once', 'window', 'window_2022_06_28')),
    type text not null, time ${time} not null, author_id ${id} not null, details text not null, listeners text not null
    ${engine === 'postgresql' ? ', primary key (workspace_id, number)' : ''})`,
  `create index outbox_by_entity on outbox (workspace_id, stream, entity_id, time)`,
  // For finding the bots that can see an item.
  `create index grants_by_item on grants (workspace_id, item_id, bot_id)`,
]

export const outbox: Migration = {
  number: 24,
  name: 'outbox',
  statements: table,
}

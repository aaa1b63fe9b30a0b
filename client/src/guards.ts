import type { AsyncTask, Block, Comment, DatabaseObject, DataSourceObject, PageObject, User } from '../../generated/types.ts'

/** An object of the service, of any kind. */
interface ServiceObject {
  readonly object?: string
}

/** Whether the token may read the page: of another, the service shows only the id. */
export function isFullPage(value: ServiceObject): value is PageObject {
  return isFull(value, 'page')
}

/** Whether the token may read the block. */
export function isFullBlock(value: ServiceObject): value is Block {
  return isFull(value, 'block')
}

/** Whether it is a block of that type, which the token may read. */
export function isBlock<Type extends Block['type']>(type: Type, value: ServiceObject): value is Extract<Block, { type: Type }> {
  return isFullBlock(value) && value.type === type
}

/** Whether the token may read the database. */
export function isFullDatabase(value: ServiceObject): value is DatabaseObject {
  return isFull(value, 'database')
}

/** Whether the token may read the data source. */
export function isFullDataSource(value: ServiceObject): value is DataSourceObject {
  return isFull(value, 'data_source')
}

/** Whether the token may read the comment. */
export function isFullComment(value: ServiceObject): value is Comment {
  return isFull(value, 'comment')
}

/** Whether the token may read the name and kind of the user. */
export function isFullUser(value: ServiceObject): value is User {
  return value.object === 'user' && 'type' in value
}

/** Whether the operation continues in the background: see `finished`. */
export function isTask(value: ServiceObject): value is AsyncTask {
  return value.object === 'async_task'
}

/** Partial objects have nothing besides `object` and `id`. */
function isFull(value: ServiceObject, object: string): boolean {
  return value.object === object && 'parent' in value
}

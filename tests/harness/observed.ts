import type { Connection } from '../../server/store/database.ts'

/** A connection of which some methods are told otherwise, such as to count what goes through them. */
export function observed(db: Connection, methods: Partial<Connection>): Connection {
  return {
    forUpdate: db.forUpdate,
    forUpdateSkipLocked: db.forUpdateSkipLocked,
    titleKeys: db.titleKeys,
    wanted: (ids) => db.wanted(ids),
    followed: (positions) => db.followed(positions),
    lookUp: (...parts) => db.lookUp(...parts),
    lookUpEach: (...parts) => db.lookUpEach(...parts),
    rowsLookedUp: (...parts) => db.rowsLookedUp(...parts),
    all: (shape, sql, ...parameters) => db.all(shape, sql, ...parameters),
    get: (shape, sql, ...parameters) => db.get(shape, sql, ...parameters),
    run: (sql, ...parameters) => db.run(sql, ...parameters),
    insert: (rows) => db.insert(rows),
    ...methods,
  }
}

import type { Connection } from '../../server/store/database.ts'
import type { RowOf, RowShape } from '../../server/store/row_shape.ts'
import { statementOf, type Sql } from '../../server/store/sql.ts'

interface StatementMethods {
  all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]>
  get<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S> | undefined>
  run(statement: Sql): Promise<void>
  change(statement: Sql): Promise<number>
}

/** A connection with some methods replaced, for example to count statements. */
export function observed(db: Connection, methods: Partial<StatementMethods>): Connection {
  const { all, get, run, change } = {
    ...{ all: db.all.bind(db), get: db.get.bind(db), run: db.run.bind(db), change: db.change.bind(db) },
    ...methods,
  }
  return {
    forUpdate: db.forUpdate,
    forUpdateSkipLocked: db.forUpdateSkipLocked,
    prefersIndexes: db.prefersIndexes,
    wordsOfTitle: (workspaceId) => db.wordsOfTitle(workspaceId),
    wanted: (ids) => db.wanted(ids),
    records: (...parts) => db.records(...parts),
    lookUp: db.lookUp.bind(db),
    lookUpEach: db.lookUpEach.bind(db),
    all: (shape, statement, ...values) => all(shape, statementOf(statement, values)),
    get: (shape, statement, ...values) => get(shape, statementOf(statement, values)),
    run: (statement, ...values) => run(statementOf(statement, values)),
    change: (statement, ...values) => change(statementOf(statement, values)),
    insert: (rows) => db.insert(rows),
  }
}

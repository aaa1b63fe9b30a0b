import type { Connection, Database, Transaction } from '../../../server/store/database.ts'
import { statementOf } from '../../../server/store/sql.ts'

interface CountedReads {
  readonly database: Database
  /** The maximum number of rows of one statement. */
  readonly peak: () => number
  /** The maximum number of characters of one statement. */
  readonly peakLength: () => number
}

/**
 * A database that counts the rows read by statements of snapshots, except statements that only read sizes.
 * @param seen called with the rows of each statement, before the caller receives them
 */
export function countingReads(database: Database, seen: (rows: number) => void = () => undefined): CountedReads {
  let [peak, peakLength] = [0, 0]
  const counted = (db: Connection): Connection =>
    replacing(db, {
      all: async (shape, statement, ...parameters) => {
        const found = await db.all(shape, statement, ...parameters)
        if (Object.keys(shape).join() === 'bytes') return found
        peak = Math.max(peak, found.length)
        peakLength = Math.max(
          peakLength,
          found.reduce((sum, row) => sum + lengthOf(row), 0),
        )
        seen(found.length)
        return found
      },
    })
  const snapshot: Database['snapshot'] = (work) => database.snapshot((db) => work(counted(db)))
  return { database: replacing(database, { snapshot }), peak: () => peak, peakLength: () => peakLength }
}

interface CountedWrites {
  readonly database: Database
  /** The maximum number of rows that one transaction has added to one table. */
  readonly peak: () => number
  /** The number of rows that committed transactions have added to a table. */
  readonly added: (table: string) => number
}

/** A database that counts the rows that transactions add by `insert … values`. */
export function countingWrites(database: Database): CountedWrites {
  let peak = 0
  const added = new Map<string, number>()
  const write: Database['write'] = async (work, workspaceId) => {
    let own = new Map<string, number>()
    const result = await database.write((db) => {
      own = new Map()
      return work(counted(db, own))
    }, workspaceId)
    for (const [table, rows] of own) {
      peak = Math.max(peak, rows)
      added.set(table, (added.get(table) ?? 0) + rows)
    }
    return result
  }
  return { database: replacing(database, { write }), peak: () => peak, added: (table) => added.get(table) ?? 0 }
}

function counted(db: Transaction, rowsOf: Map<string, number>): Transaction {
  return replacing(db, {
    run: (statement, ...parameters) => {
      const { sql, parameters: values } = statementOf(statement, parameters)
      const [, table, columns] = /^insert into (\w+) \(([^)]*)\) values/.exec(sql) ?? []
      if (table !== undefined && columns !== undefined)
        rowsOf.set(table, (rowsOf.get(table) ?? 0) + values.length / columns.split(',').length)
      return db.run(statement, ...parameters)
    },
  })
}

/** The same object with some methods replaced. Other methods are called on the original, which has their private fields. */
function replacing<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_target, key) {
      const member: unknown = Reflect.get(key in methods ? methods : target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function lengthOf(row: object): number {
  const sized = Object.values(row).map((value: unknown) =>
    typeof value === 'string' || value instanceof Uint8Array ? value.length : 0,
  )
  return sized.reduce((sum, length) => sum + length, 0)
}

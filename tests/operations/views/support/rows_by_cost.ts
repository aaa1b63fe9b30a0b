import { makePage } from '../../../harness/content.ts'
import { makeRow } from '../../../harness/databases_content.ts'
import { idOf } from '../../../harness/json.ts'
import type { TestServer } from '../../../harness/server.ts'
import { makeTracker, makeView, type Tracker } from '../../../harness/views.ts'

export interface RowsByCost {
  /** The page that contains the database. */
  readonly page: string
  readonly tracker: Tracker
  /** Rows sorted by cost: 1 to 5. */
  readonly rows: readonly string[]
  /** A view of all rows by cost. */
  readonly byCost: string
}

/** A database of five rows, not created in the order of their costs. */
export async function makeRowsByCost({ owner }: TestServer): Promise<RowsByCost> {
  const page = await makePage(owner, 'Parent')
  const tracker = await makeTracker(owner, page)
  const made: [number, string][] = []
  for (const cost of [3, 1, 5, 2, 4]) {
    const row = await makeRow(owner, tracker.sourceId, {
      Cost: { number: cost },
      Priority: { select: { name: cost > 2 ? 'High' : 'Low' } },
      Approved: { checkbox: cost % 2 === 1 },
    })
    made.push([cost, idOf(row)])
  }
  const rows = made.sort(([a], [b]) => a - b).map(([, id]) => id)
  const byCost = idOf(await makeView(owner, tracker, { sorts: [{ property: 'Cost', direction: 'ascending' }] }))
  return { page, tracker, rows, byCost }
}

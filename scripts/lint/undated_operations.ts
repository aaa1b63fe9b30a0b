/** Warns of new operations without a first release date: they would appear in the contracts of all dates. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRelease } from '../diff/released.ts'
import { operationsOf, type Document } from '../generate/document.ts'
import type { Problem } from './problem.ts'
import type { Locate } from './redocly.ts'

/** Operations without `x-available` that the last release of the contract does not have. */
export async function undatedOperations(document: Document, root: string, locate: Locate): Promise<Problem[]> {
  const file = join(dirname(root), 'released/openapi.json.gz')
  if (!existsSync(file)) return []
  const released = new Set(operationsOf(await readRelease(file)).map(({ operation }) => operation.operationId))
  const undated = operationsOf(document).filter(
    ({ operation }) => operation['x-available'] === undefined && !released.has(operation.operationId),
  )
  return Promise.all(
    undated.map(async ({ path, method, operation: { operationId } }): Promise<Problem> => {
      const message = `${operationId} is newer than the last release: say since which date it exists, as in { from: '2026-03-11' }, or {} if always`
      return { tool: 'prose', rule: 'availability', severity: 'warning', message, ...(await locate(['paths', path, method])) }
    }),
  )
}

import { finished } from 'node:stream/promises'
import { describe, it } from 'vitest'
import { allOperations, type KnownOperation } from '../harness/every_operation.ts'
import { engine } from '../harness/databases.ts'
import { isLongRun, someRows } from '../harness/long_runs.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'
import { StretchMeter } from '../harness/stretches.ts'
import { shortStretches } from './support/short_stretches.ts'
import { UncheckedCaller } from './support/unchecked_caller.ts'
import { generatedRequests, worstRequests, type WorstRequest } from './support/worst_requests.ts'
import { makeWorld } from './support/world.ts'

const meter = new StretchMeter()
const server = await serverOfFile({}, new TestClock(), undefined, { wrapDatabase: meter.wrapDatabase })
const caller = new UncheckedCaller(server.url)
const world = await makeWorld(caller)
const requireShort = shortStretches(meter, 'requests')

function requireShortRequest(name: string, operation: KnownOperation, { parts }: WorstRequest): Promise<void> {
  return requireShort(name, async () => {
    const send = caller.prepare(operation.id, await parts(world))
    // Joining the chunks of a response would take more time than the service needs for it.
    return async () => finished((await send()).resume())
  })
}

describe('other requests do not wait long for', () => {
  // An operation whose work grows with stored data needs its own row in `worstRequests`. Validation is the same on any engine, and changes
  // only with the validators.
  if (isLongRun && engine === 'sqlite')
    it.each(allOperations)('$id with everything that its schema allows', async (operation) => {
      for (const worst of generatedRequests(operation))
        await requireShortRequest(`${operation.id}: ${worst.what}`, operation, worst)
    })

  const byHand = allOperations.flatMap((operation) =>
    someRows(worstRequests[operation.id] ?? []).map((worst) => ({ operation, worst, what: worst.what })),
  )
  it.each(byHand)('$operation.id: $what', ({ operation, worst, what }) =>
    requireShortRequest(`${operation.id}: ${what}`, operation, worst),
  )
})

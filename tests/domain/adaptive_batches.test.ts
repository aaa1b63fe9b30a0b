import { expect, it } from 'vitest'
import { AdaptiveBatches } from '../../server/domain/data/queries/adaptive_batches.ts'
import { QUERY_LIMITS } from '../../server/domain/data/queries/limits.ts'
import type { Scope } from '../../server/domain/shared/scope.ts'

/** The batch sizes of a query on an engine with a target time per batch. */
async function sizesOf(batchMs: number, count: number): Promise<number[]> {
  const scope = { db: { batchMs } } as Scope
  const batches = new AdaptiveBatches(scope, { ...QUERY_LIMITS, step: [50, 4_000] }, 100)
  const sizes: number[] = []
  for (let batch = 0; batch < count; batch += 1)
    await batches.step(async (rows) => {
      sizes.push(rows)
      return { last: {}, found: [] }
    })
  return sizes
}

it('batches grow fourfold while they are fast, up to a limit', async () => {
  expect(await sizesOf(1e9, 5)).toEqual([100, 400, 1_600, 4_000, 4_000])
})

it('batches shrink by half when they are slow, down to a limit', async () => {
  expect(await sizesOf(1e-9, 3)).toEqual([100, 50, 50])
})

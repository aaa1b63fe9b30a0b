import { describe, expect, it } from 'vitest'
import { at } from '../harness/json.ts'
import { makeSettledNote } from '../harness/meeting_notes.ts'
import { activated } from '../harness/webhooks.ts'
import { expiredRows, seedAndSweep } from './support/expired_rows.ts'
import { longKinds } from './support/long_kinds.ts'
import { smallServiceOfFile } from './support/small_service.ts'
import { transcripts } from './support/transcripts.ts'
import { deliverSlowly, deliverToMany } from './support/webhook_loads.ts'

/** The slow rows of `job_memory.sqlite.test.ts`. */

const small = await smallServiceOfFile()
const { service, store, receiver, page } = small

describe('with a heap of 512 MB,', () => {
  it.each(transcripts)('a meeting note is created from the longest transcript: %s', async (_what, recording) => {
    const note = await makeSettledNote(service.owner, page, recording)
    expect(at(note, 'meeting_notes', 'status')).toBe('notes_ready')
  })

  it('a hundred subscriptions receive the longest events', async () => {
    await deliverToMany(small)
  })

  it('a hundred subscriptions with slow receivers receive the longest events', async () => {
    await deliverSlowly(small)
  })

  it('old deliveries, and waiting events beyond the limit of a subscription, are deleted', async () => {
    await activated(service.owner, receiver)
    await seedAndSweep(store, 'sweep_webhook_deliveries')
  })

  const others = longKinds.filter((kind) => kind in expiredRows && kind !== 'sweep_webhook_deliveries')
  it.each(others)('the largest expired rows are deleted: %s', async (kind) => {
    await seedAndSweep(store, kind)
  })
})

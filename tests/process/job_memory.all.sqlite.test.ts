import { describe, expect, it } from 'vitest'
import { at } from '../harness/json.ts'
import { makeSettledNote } from '../harness/meeting_notes.ts'
import { activated } from '../harness/webhooks.ts'
import { expiredRows, seedAndSweep } from './support/expired_rows.ts'
import { smallServiceOfFile } from './support/small_service.ts'
import { transcripts } from './support/transcripts.ts'

/** The rows of `job_memory.sqlite.test.ts` that take long. */

const { service, store, receiver, page } = await smallServiceOfFile()

describe('with a heap of 512 MB', () => {
  it.each(transcripts)('a meeting note is ready for the longest transcript: %s', async (_what, recording) => {
    const note = await makeSettledNote(service.owner, page, recording)
    expect(at(note, 'meeting_notes', 'status')).toBe('notes_ready')
  })

  it('a subscription waits for more events than it may', async () => {
    await activated(service.owner, receiver)
    await seedAndSweep(store, 'sweep_webhook_deliveries')
  })

  const others = Object.keys(expiredRows).filter((kind) => kind !== 'sweep_webhook_deliveries')
  it.each(others)('the largest expired rows are handled: %s', async (kind) => {
    await seedAndSweep(store, kind)
  })
})

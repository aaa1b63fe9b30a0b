import { describe, expect, it } from 'vitest'
import { retrieveBlock } from '../../server/domain/content/blocks/blocks.ts'
import { updateBlock } from '../../server/domain/content/blocks/update.ts'
import { inspectSource } from '../../server/domain/files/import.ts'
import { createFileUpload } from '../../server/domain/files/uploads.ts'
import { read, write, writeAfter, type Handlers } from '../../server/handlers/handler.ts'
import { handlers } from '../../server/handlers/index.ts'
import { operations } from '../../generated/operations.ts'

const { retrieveBlock: _left, ...others } = handlers

// Errors that the compiler must report: `npm run typecheck` fails if one of these lines compiles.
export const refused = {
  // @ts-expect-error an operation without a handler
  missing: { ...others } satisfies Handlers,
  // @ts-expect-error the handler of a different operation
  mistaken: { ...handlers, retrieveBlock: handlers.retrieveUser } satisfies Handlers,
  // @ts-expect-error a function is not a handler
  plain: { ...handlers, retrieveBlock: (): Promise<never> => Promise.reject(new Error()) } satisfies Handlers,
  // @ts-expect-error a write in a transaction that reads
  reading: { updateBlock: read((scope, call) => updateBlock(scope, call.path.block_id, call.body)) } satisfies Partial<Handlers>,
  // @ts-expect-error a safe method must not write
  writing: { retrieveBlock: write((scope, call) => retrieveBlock(scope, call.path.block_id)) } satisfies Partial<Handlers>,
  // @ts-expect-error the response of a different operation
  answering: { updateBlock: write(async () => ({ object: 'user' })) } satisfies Partial<Handlers>,
  asking: {
    // @ts-expect-error the path does not have this part
    updateBlock: write((scope, call) => updateBlock(scope, call.path.page_id, call.body)),
  } satisfies Partial<Handlers>,
  preparing: {
    createFileUpload: writeAfter(
      // @ts-expect-error the preparation returns a different type
      ({ imports }, call) => inspectSource(imports, call.body),
      (scope, call, sourceType: number) => createFileUpload(scope, call.body, String(sourceType)),
    ),
  } satisfies Partial<Handlers>,
}

// If you are here because an operation is listed: create its handler with one of `read`, `write`, `writeAfter` and `writeAndFollow`; a GET
// operation only reads.
describe('a handler', () => {
  it.each(Object.entries(handlers))('%s has exactly one form: it reads, writes, or prepares its writes', (id, handler) => {
    expect(Object.keys(handler)).toHaveLength(1)
    if (operations[id as keyof Handlers].method === 'get') expect(handler).toHaveProperty('read')
  })
})

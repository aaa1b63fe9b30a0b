import { describe, expect, it } from 'vitest'
import type { Database } from '../../../server/store/database.ts'
import { append, makePage, paragraph } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile, TestClock } from '../../harness/server.ts'

/** Runs before the next write transaction of a request, as if it were concurrent. */
let meanwhile: (() => Promise<unknown>) | undefined

function interrupted(database: Database): Database {
  return new Proxy(database, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'write') return value.bind(target) as unknown
      const write: Database['write'] = async (work, workspaceId) => {
        // Jobs also write at any time; only requests go through that file.
        const isOfRequest = new Error().stack?.includes('/application/perform.ts') ?? false
        const others = isOfRequest ? meanwhile : undefined
        if (isOfRequest) meanwhile = undefined
        await others?.()
        return target.write(work, workspaceId)
      }
      return write
    },
  })
}

const server = await serverOfFile({}, new TestClock(), undefined, { wrapDatabase: interrupted })
const one = { old_str: 'one', new_str: 'two' }
const body = { type: 'update_content', update_content: { content_updates: [one] } }

function update(page: string): ReturnType<typeof server.owner.call> {
  return server.owner.call('updatePageMarkdown', { path: { page_id: page }, body })
}

describe('updatePageMarkdown: a page that changes during the update', () => {
  it('200 with both changes when blocks are added during the update', async () => {
    const page = await makePage(server.owner, 'Rig', undefined, [paragraph('one')])
    meanwhile = () => append(server.owner, page, [paragraph('three')])
    expect((await update(page)).status).toBe(200)
    expect(await readMarkdown(server.owner, page)).toBe('two\nthree')
  })

  it('400 when the text to find is removed during the update', async () => {
    const page = await makePage(server.owner, 'Rig')
    const [block] = await append(server.owner, page, [paragraph('one')])
    const path = { block_id: String(block?.['id']) }
    meanwhile = () => server.owner.call('updateBlock', { path, body: paragraph('three') })
    expectError(await update(page), 400, 'validation_error', 'body.update_content.content_updates[0].old_str')
    expect(await readMarkdown(server.owner, page)).toBe('three')
  })

  it('409, and no write, when the page changes at each attempt', async () => {
    const page = await makePage(server.owner, 'Rig', undefined, [paragraph('one')])
    let times = 0
    const others = async (): Promise<void> => {
      await append(server.owner, page, [paragraph(`${(times += 1)}`)])
      meanwhile = others
    }
    meanwhile = others
    const response = await update(page)
    meanwhile = undefined
    expectError(response, 409, 'conflict_error')
    expect((await readMarkdown(server.owner, page)).startsWith('one\n1\n2\n3')).toBe(true)
  })

  it('400 when the page is moved to the trash during the update', async () => {
    const page = await makePage(server.owner, 'Rig', undefined, [paragraph('one')])
    meanwhile = () => server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expectError(await update(page), 400, 'validation_error', 'path.page_id')
  })
})

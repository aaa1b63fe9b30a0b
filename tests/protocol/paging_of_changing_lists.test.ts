import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertEmoji } from '../../server/store/custom_emojis.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, appendOne, makePage, paragraph } from '../harness/content.ts'
import { engine } from '../harness/databases.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { idOf, resultsOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { cursorOf, OPAQUE, type PagedList, readAll } from './support/paged_list.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Two lines', undefined, [paragraph('one'), paragraph('two')])
await server.service.database.write(async (db) => {
  for (let index = 0; index < 5; index += 1)
    await insertEmoji(
      db,
      exampleWorkspace.workspace.id,
      { id: randomUUID(), name: `emoji_${index}`, url: 'https://workspace.example/emoji/x.png' },
      server.clock.now(),
    )
})

describe('cursors: order of checks', () => {
  it('400 for an invalid cursor before 404, and for an invalid page_size before an invalid cursor', async () => {
    const path = { block_id: randomUUID() }
    expectInvalid(
      await server.owner.call('listBlockChildren', { path, query: { start_cursor: 'foreign' } }),
      'query.start_cursor',
    )
    expectInvalid(
      await server.owner.call('listBlockChildren', { path, query: { start_cursor: 'foreign', page_size: 0 } }),
      'query.page_size',
    )
    expectError(await server.owner.call('listBlockChildren', { path, query: { page_size: 1 } }), 404, 'object_not_found')
  })

  it('404 for a valid cursor of a page that is no longer shared', async () => {
    const { caller, botId } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const query = {
      start_cursor: cursorOf(await caller.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 1 } })),
    }
    await server.service.database.write((db) => db.run('delete from grants where bot_id = ?', botId))
    expectError(await caller.call('listBlockChildren', { path: { block_id: page }, query }), 404, 'object_not_found')
  })

  it('200 for an id that is spelled differently from page to page', async () => {
    const first = await server.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 1 } })
    const query = { page_size: 1, start_cursor: cursorOf(first) }
    expect(
      (await server.owner.call('listBlockChildren', { path: { block_id: page.replaceAll('-', '').toUpperCase() }, query }))
        .status,
    ).toBe(200)
  })
})

describe('a list that changes during paging', () => {
  const children: PagedList = {
    id: 'listBlockChildren',
    parts: () => ({ path: { block_id: page } }),
    other: undefined,
    cursor: OPAQUE,
  }

  it('200 with the items after one that was trashed', async () => {
    const parent = await makePage(server.owner)
    const ids = (
      await append(
        server.owner,
        parent,
        ['a', 'b', 'c', 'd'].map((name) => paragraph(name)),
      )
    ).map(idOf)
    const path = { block_id: parent }
    const first = await server.owner.call('listBlockChildren', { path, query: { page_size: 2 } })
    await server.owner.call('deleteBlock', { path: { block_id: ids[1] ?? '' } })
    const rest = await server.owner.call('listBlockChildren', { path, query: { start_cursor: cursorOf(first) } })
    expect(resultsOf(rest.body).map(idOf)).toStrictEqual(ids.slice(2))
  })

  it('400 for a cursor whose emoji was erased', async () => {
    const first = await server.owner.call('listCustomEmojis', { query: { page_size: 3 } })
    await server.service.database.write((db) => db.run('delete from custom_emojis where id = ?', idOf(resultsOf(first.body)[2])))
    expectInvalid(await server.owner.call('listCustomEmojis', { query: { start_cursor: cursorOf(first) } }), 'query.start_cursor')
  })

  it('200 with short cursors after very many insertions at one position', async () => {
    const parent = await makePage(server.owner)
    const [anchor] = await append(server.owner, parent, [paragraph('anchor'), paragraph('end')])
    await server.service.database.write((db) =>
      db.run('update blocks set rank = ? where parent_id = ? and id <> ?', `a1${'x'.repeat(1500)}`, parent, idOf(anchor)),
    )
    await appendOne(server.owner, parent, paragraph('behind'))
    const ids = await readAll(server.owner, children, () => 1, undefined, { path: { block_id: parent } })
    expect(ids).toHaveLength(3)
    const long = await server.owner.call('listBlockChildren', { path: { block_id: parent }, query: { page_size: 2 } })
    expect(cursorOf(long)).toMatch(OPAQUE)
    expect(
      resultsOf(
        (await server.owner.call('listBlockChildren', { path: { block_id: parent }, query: { start_cursor: cursorOf(long) } }))
          .body,
      ),
    ).toHaveLength(1)
  })

  type Change = { readonly kind: 'start' | 'end' | 'after' | 'trash'; readonly pick: number; readonly count: number }
  const change = fc.record<Change>({
    kind: fc.constantFrom('start', 'end', 'after', 'trash'),
    pick: fc.nat(),
    count: fc.integer({ min: 1, max: 4 }),
  })

  it('200 with every unchanged item once and in order, whatever is inserted and trashed between pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        async (rounds, size) => {
          const parent = await makePage(server.owner)
          const original = (
            await append(
              server.owner,
              parent,
              Array.from({ length: 20 }, (_, index) => paragraph(`Line ${index}`)),
            )
          ).map(idOf)
          const [alive, trashed] = [[...original], new Set<string>()]
          const remaining = [...rounds]
          const apply = async ({ kind, pick, count }: Change): Promise<void> => {
            const target = alive[pick % alive.length]
            if (target === undefined) return
            if (kind === 'trash') {
              trashed.add(target)
              alive.splice(alive.indexOf(target), 1)
              await server.owner.call('deleteBlock', { path: { block_id: target } })
              return
            }
            const position = kind === 'after' ? { type: 'after_block', after_block: { id: target } } : { type: kind }
            const made = await append(
              server.owner,
              parent,
              Array.from({ length: count }, () => paragraph('new')),
              { position },
            )
            alive.push(...made.map(idOf))
          }
          const seen = await readAll(
            server.owner,
            children,
            () => size,
            async () => {
              for (const one of remaining.shift() ?? []) await apply(one)
            },
            { path: { block_id: parent } },
          )
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((id) => original.includes(id) && !trashed.has(id))).toStrictEqual(
            original.filter((id) => !trashed.has(id)),
          )
        },
      ),
      { numRuns: engine === 'sqlite' ? 15 : 5 },
    )
  })

  it('200 with every unchanged item once and in order during continuous writes', async () => {
    const parent = await makePage(server.owner)
    const original = (
      await append(
        server.owner,
        parent,
        Array.from({ length: 60 }, (_, index) => paragraph(`Line ${index}`)),
      )
    ).map(idOf)
    let isReading = true
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let turn = writer; isReading; turn += 7) {
        const position =
          turn % 2 === 0 ? { type: 'start' } : { type: 'after_block', after_block: { id: original[turn % original.length] } }
        await append(server.owner, parent, [paragraph('new')], { position })
      }
    })
    const seen = await readAll(server.owner, children, () => 3, undefined, { path: { block_id: parent } })
    isReading = false
    await Promise.all(writers)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => original.includes(id))).toStrictEqual(original)
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, block, children, makePage, paragraph, plainTexts, snapshot } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()

const appendTo = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('appendBlockChildren', { path: { block_id: id }, body })
const textsBelow = async (id: string): Promise<string[]> => plainTexts(await children(server.owner, id))

describe('appendBlockChildren', () => {
  describe('position', () => {
    it('200 for the start, the end, or the position after a block', async () => {
      const page = await makePage(server.owner)
      const [first] = await append(server.owner, page, [paragraph('a'), paragraph('b')])
      await append(server.owner, page, [paragraph('z')], { position: { type: 'end' } })
      await append(server.owner, page, [paragraph('0'), paragraph('1')], { position: { type: 'start' } })
      await append(server.owner, page, [paragraph('a1'), paragraph('a2')], {
        position: { type: 'after_block', after_block: { id: idOf(first) } },
      })
      await append(server.owner, page, [paragraph('a0')], {
        position: { type: 'after_block', after_block: { id: idOf(first).replaceAll('-', '').toUpperCase() } },
      })
      expect(await textsBelow(page)).toStrictEqual(['0', '1', 'a', 'a0', 'a1', 'a2', 'b', 'z'])
    })

    it('200 with the order kept through many insertions at one position', async () => {
      const page = await makePage(server.owner)
      const [anchor] = await append(server.owner, page, [paragraph('anchor')])
      for (let count = 0; count < 60; count += 1) {
        await append(server.owner, page, [paragraph(String(count))], {
          position: { type: 'after_block', after_block: { id: idOf(anchor) } },
        })
      }
      expect(await textsBelow(page)).toStrictEqual([
        'anchor',
        ...Array.from({ length: 60 }, (_none, index) => String(59 - index)),
      ])
    })

    it('200 with 100 blocks kept together after a sibling', async () => {
      const page = await makePage(server.owner)
      const [before] = await append(server.owner, page, [paragraph('before'), paragraph('behind')])
      const many = Array.from({ length: 100 }, (_none, index) => paragraph(`line ${index}`))
      await append(server.owner, page, many, { position: { type: 'after_block', after_block: { id: idOf(before) } } })
      const texts = await textsBelow(page)
      expect(texts).toHaveLength(102)
      expect([texts[0], texts[1], texts[100], texts[101]]).toStrictEqual(['before', 'line 0', 'line 99', 'behind'])
    })

    it('200 with the siblings after the new blocks, without those in the trash', async () => {
      const page = await makePage(server.owner)
      const [first, gone, last] = await append(
        server.owner,
        page,
        ['a', 'gone', 'z'].map((name) => paragraph(name)),
      )
      await server.owner.call('deleteBlock', { path: { block_id: idOf(gone) } })
      const outcome = async (position: object): Promise<unknown> => {
        const { body } = await appendTo(page, { children: [paragraph('new')], position })
        return [...plainTexts(resultsOf(body)), body['has_more'], body['next_cursor']]
      }
      const behind = (sibling: JsonObject | undefined): object => ({
        type: 'after_block',
        after_block: { id: idOf(sibling) },
      })
      expect(await outcome(behind(first))).toStrictEqual(['new', 'z', false, null])
      expect(await outcome({ type: 'start' })).toStrictEqual(['new', 'a', 'new', 'z', false, null])
      expect(await outcome(behind(last))).toStrictEqual(['new', false, null])
      expect(await outcome({ type: 'end' })).toStrictEqual(['new', false, null])
    })

    it('200 with a page of 100 siblings, and a cursor from which listing continues', async () => {
      const page = await makePage(server.owner)
      const named = (count: number, name: string): object[] =>
        Array.from({ length: count }, (_none, index) => paragraph(`${name} ${index}`))
      const [first] = await append(server.owner, page, [paragraph('first'), ...named(98, 'old')])
      const position = { type: 'after_block', after_block: { id: idOf(first) } }
      for (const [count, shown, rest] of [
        [2, 98, 0],
        [1, 99, 1],
        [100, 0, 101],
      ] as const) {
        const { body } = await appendTo(page, { children: named(count, 'new'), position })
        expect([count, resultsOf(body).length, body['has_more']]).toStrictEqual([count, count + shown, rest > 0])
        const behind = await textsBelow(page)
        expect(plainTexts(resultsOf(body))).toStrictEqual(behind.slice(1, 1 + count + shown))
        if (rest === 0) continue
        const query = { start_cursor: textAt(body, 'next_cursor') }
        const next = await server.owner.call('listBlockChildren', { path: { block_id: page.replaceAll('-', '') }, query })
        expect(plainTexts(resultsOf(next.body))).toStrictEqual(behind.slice(1 + count + shown).slice(0, 100))
        expect(resultsOf(next.body)).toHaveLength(Math.min(rest, 100))
      }
    })

    it('200 before 2025-09-03 with the new blocks only, and a cursor for the siblings after them', async () => {
      const page = await makePage(server.owner)
      const [first] = await append(
        server.owner,
        page,
        ['a', 'b', 'c'].map((name) => paragraph(name)),
      )
      const body = { children: [paragraph('1'), paragraph('2')], after: idOf(first) }
      const path = { block_id: page }
      const older = server.caller(TOKEN, '2022-06-28')
      const response = (await older.call('appendBlockChildren', { path, body })).body
      expect([...plainTexts(resultsOf(response)), response['has_more']]).toStrictEqual(['1', '2', true])
      const next = await older.call('listBlockChildren', { path, query: { start_cursor: textAt(response, 'next_cursor') } })
      expect(plainTexts(resultsOf(next.body))).toStrictEqual(['b', 'c'])
      const from2025 = (await server.caller(TOKEN, '2025-09-03').call('appendBlockChildren', { path, body })).body
      expect(plainTexts(resultsOf(from2025))).toStrictEqual(['1', '2', '1', '2', 'b', 'c'])
      const atEnd = (await older.call('appendBlockChildren', { path, body: { children: body.children } })).body
      expect([...plainTexts(resultsOf(atEnd)), atEnd['has_more'], atEnd['next_cursor']]).toStrictEqual(['1', '2', false, null])
    })

    it('400 validation_error when the id is not that of a live child of the parent', async () => {
      const page = await makePage(server.owner)
      const [sibling, nested] = await append(server.owner, page, [
        paragraph('gone soon'),
        block('toggle', 'holder', { children: [paragraph('deep')] }),
      ])
      const [deep] = await children(server.owner, idOf(nested))
      await server.owner.call('deleteBlock', { path: { block_id: idOf(sibling) } })
      const before = await snapshot(server.owner, page)
      for (const id of [randomUUID(), idOf(deep), idOf(sibling), page, exampleWorkspace.pages.checklist]) {
        expectInvalid(
          await appendTo(page, { children: [paragraph('x')], position: { type: 'after_block', after_block: { id } } }),
          'body.position.after_block.id',
        )
      }
      expect(await snapshot(server.owner, page)).toBe(before)
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import { append, children, makePage, paragraph, plainTexts, text } from '../harness/content.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { idOf, resultsOf } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

describe('the header Service-Version', () => {
  const dates = releaseDates.map((date) => `\`"${date}"\``).join(', ')

  it.each(releaseDates)('with %s is accepted and returned', async (version) => {
    const response = await server.caller(TOKEN, version).call('retrieveMe')
    expect([response.status, response.headers['service-version']]).toStrictEqual([200, version])
  })

  const taken: [string, string | string[]][] = [
    ['blanks around the date', '  2022-06-28\t'],
    ['two equal values', ['2022-06-28', '2022-06-28']],
    ['two equal values, joined', '2022-06-28, 2022-06-28'],
  ]
  it.each(taken)('is accepted with %s', async (_name, value) => {
    const response = await server.caller(TOKEN).call('retrieveMe', { headers: { 'Service-Version': value } })
    expect([response.status, response.headers['service-version']]).toStrictEqual([200, '2022-06-28'])
  })

  const refused: [string, string | string[] | undefined, string][] = [
    ['none', undefined, 'Service-Version header should be defined, instead was `undefined`.'],
    ['blank', '   ', 'Service-Version header should be defined'],
    ['a date without a release', '2021-05-12', `one of ${dates}, instead was \`"2021-05-12"\`.`],
    ['a future date', '2099-01-01', `one of ${dates}, instead was \`"2099-01-01"\`.`],
    ['a word', 'latest', `one of ${dates}, instead was \`"latest"\`.`],
    ['the version of the path', 'v1', 'instead was `"v1"`.'],
    ['a date without zeros', '2026-3-11', 'instead was `"2026-3-11"`.'],
    ['a quoted date', '"2026-03-11"', 'instead was'],
    ['two different values', ['2022-06-28', '2026-03-11'], 'instead was `"2022-06-28, 2026-03-11"`.'],
    ['two different values, joined', '2022-06-28,2026-03-11', 'instead was `"2022-06-28, 2026-03-11"`.'],
  ]
  it.each(refused)('400 missing_version: %s', async (_name, value, words) => {
    const response = await server.caller(TOKEN).call('retrieveMe', { headers: { 'Service-Version': value } })
    expectError(response, 400, 'missing_version')
    expect(response.body['message']).toContain(words)
    expect(response.headers['service-version']).toBeUndefined()
  })

  it('applies to a single request', async () => {
    const caller = server.caller(TOKEN)
    for (const version of ['2021-05-11', '2026-03-11', '2021-05-11']) {
      expect((await caller.call('retrieveMe', { headers: { 'Service-Version': version } })).headers['service-version']).toBe(
        version,
      )
    }
  })
})

describe('unknown keys by version', () => {
  const strange = { paragraph: { text: [{ text: { content: 'kept', tone: 1 }, mood: 'x' }], shade: 'red' }, hint: {} }
  it.each(['2021-05-11', '2021-05-13'])('are ignored in bodies and queries by %s', async (version) => {
    const target = await makePage(server.owner)
    const caller = server.caller(TOKEN, version)
    expect(
      (
        await caller.call('appendBlockChildren', {
          path: { block_id: target },
          body: { children: [strange], block_id: target, mood: 'x' },
        })
      ).status,
    ).toBe(200)
    expect(plainTexts(await children(server.owner, target))).toStrictEqual(['kept'])
    expect((await caller.call('listUsers', { query: { mood: 'x', page_size: 1 } })).body['results']).toHaveLength(1)
    expectInvalid(await caller.call('listUsers', { query: { mood: 'x', page_size: 'many' } }), 'query.page_size')
  })
  it('are refused by 2021-08-16', async () => {
    const caller = server.caller(TOKEN, '2021-08-16')
    expectInvalid(
      await caller.call('appendBlockChildren', { path: { block_id: page }, body: { children: [], block_id: page } }),
      'body.block_id',
    )
    expectInvalid(await caller.call('listUsers', { query: { mood: 'x' } }), 'query.mood')
  })
})

describe('bad input', () => {
  const rows: [string, string, OperationId, object, string][] = [
    ['after at the newest version', '2026-03-11', 'appendBlockChildren', { children: [], after: 'BLOCK' }, 'body.after'],
    ['archived at the newest version', '2026-03-11', 'updatePage', { archived: true }, 'body.archived'],
    ['archived in a block at the newest version', '2026-03-11', 'updateBlock', { archived: true }, 'body.archived'],
    ['archived that contradicts in_trash', '2025-09-03', 'updatePage', { archived: true, in_trash: false }, 'body.in_trash'],
    [
      'archived that contradicts in_trash in a block',
      '2022-06-28',
      'updateBlock',
      { archived: true, in_trash: false },
      'body.in_trash',
    ],
    [
      'after and position',
      '2025-09-03',
      'appendBlockChildren',
      { children: [], after: 'BLOCK', position: { type: 'end' } },
      'body.position',
    ],
    [
      'text of a block from 2022-02-22 on',
      '2022-02-22',
      'appendBlockChildren',
      { children: [{ paragraph: { text: [text('x')] } }] },
      'body.children[0].paragraph.rich_text',
    ],
    [
      'rich_text of a block before 2022-02-22',
      '2021-08-16',
      'appendBlockChildren',
      { children: [{ paragraph: { rich_text: [text('x')] } }] },
      'body.children[0].paragraph.text',
    ],
    [
      'text and rich_text of a block together',
      '2021-08-16',
      'appendBlockChildren',
      { children: [{ paragraph: { text: [], rich_text: [] } }] },
      'body.children[0].paragraph.rich_text',
    ],
    ['transcription at the newest version', '2026-03-11', 'updateBlock', { transcription: {} }, 'body.transcription'],
  ]
  it.each(rows)('400 at the location that the caller sent, for %s', async (_name, version, operation, body, location) => {
    const [made] = await append(server.owner, page, [paragraph('x')])
    const path = { page_id: page, block_id: operation === 'updateBlock' ? idOf(made) : page }
    const written: unknown = JSON.parse(JSON.stringify(body).replaceAll('"BLOCK"', JSON.stringify(idOf(made))))
    expectInvalid(await server.caller(TOKEN, version).call(operation, { path, body: written }), location)
  })
})

describe('behavior that versions share', () => {
  it("200 for a cursor of search only in the cursor's version, and 400 in another", async () => {
    const { body } = await server.caller(TOKEN, '2025-09-03').call('search', { body: { page_size: 1 } })
    const next = { start_cursor: String(body['next_cursor']), page_size: 1 }
    expect((await server.caller(TOKEN, '2025-09-03').call('search', { body: next })).status).toBe(200)
    expectInvalid(await server.caller(TOKEN, '2026-03-11').call('search', { body: next }), 'body.start_cursor')
  })

  it('200 with complete pages of a list in every version', async () => {
    const target = await makePage(server.owner)
    await append(
      server.owner,
      target,
      ['a', 'b', 'c'].map((content) => paragraph(content)),
    )
    for (const version of releaseDates) {
      const caller = server.caller(TOKEN, version)
      const ids: string[] = []
      let query: Record<string, string | number> = { page_size: 2 }
      for (let more = true; more;) {
        const { body } = await caller.call('listBlockChildren', { path: { block_id: target }, query })
        ids.push(...resultsOf(body).map(idOf))
        more = body['has_more'] === true
        query = { page_size: 2, start_cursor: String(body['next_cursor']) }
      }
      expect(ids).toStrictEqual((await children(server.owner, target)).map(idOf))
    }
  })

  it('errors with one form in every version', async () => {
    for (const version of releaseDates) {
      const { body } = await server.caller(TOKEN, version).call('retrieveBlock', { path: { block_id: 'x' } })
      expect(body).toMatchObject({
        object: 'error',
        status: 400,
        code: 'validation_error',
        message: 'path failed validation: path.block_id should be a valid uuid, instead was `"x"`.',
      })
    }
  })

  it('400 with strict-ids in every version for the spelling that an older caller sent', async () => {
    const [made] = await append(server.owner, page, [paragraph('x')])
    const headers = { 'Service-Beta': 'strict-ids-2026-06-15' }
    const send = (after: string): ReturnType<typeof server.owner.call> =>
      server
        .caller(TOKEN, '2025-09-03')
        .call('appendBlockChildren', { path: { block_id: page }, body: { children: [], after }, headers })
    expect((await send(idOf(made))).status).toBe(200)
    expectInvalid(await send(idOf(made).replaceAll('-', '')), 'body.after')
  })
})

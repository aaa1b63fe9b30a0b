import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { downgradeBy, ID, judge, upgradeBy } from './support.ts'

const target = { block_id: ID.page }

describe('F1 position replaced after', () => {
  const rows: [string, JsonObject, JsonObject][] = [
    [
      'after',
      { after: ID.block, children: [{ divider: {} }] },
      { position: { type: 'after_block', after_block: { id: ID.block } }, children: [{ divider: {} }] },
    ],
    ['position', { children: [], position: { type: 'start' } }, { children: [], position: { type: 'start' } }],
    ['neither', { children: [] }, { children: [] }],
  ]
  it.each(rows)('upgrades a request with %s', (_name, older, newer) => {
    expect(JSON.stringify(upgradeBy('F1', 'appendBlockChildren', older).call.body)).toBe(JSON.stringify(newer))
    expect(judge('2025-09-03', 'appendBlockChildren', older, target)).toBeUndefined()
  })
  it('affects no other operation', () => {
    expect(upgradeBy('F1', 'updatePageMarkdown', { after: 'x' }).call.body).toStrictEqual({ after: 'x' })
  })
  const faults: [string, Parameters<typeof judge>[0], JsonObject, string][] = [
    [
      'both keys',
      '2025-09-03',
      { children: [], after: ID.block, position: { type: 'end' } },
      'body.position should be not present',
    ],
    [
      'both keys, in a release that ignores unknown keys',
      '2021-05-11',
      { children: [], after: ID.block, position: { type: 'end' } },
      'body.position should be not present',
    ],
    ['a malformed id', '2025-09-03', { children: [], after: 'x' }, 'body.after should be a valid uuid'],
    ['null as the id', '2025-09-03', { children: [], after: null }, 'body.after should be a string'],
    ['a malformed position', '2025-09-03', { children: [], position: { type: 'middle' } }, 'body.position.type should be'],
    ['after at the newest version', '2026-03-11', { children: [], after: ID.block }, 'body.after should be not present'],
  ]
  it.each(faults)('refuses %s', (_name, version, body, complaint) => {
    expect(judge(version, 'appendBlockChildren', body, target)).toContain(complaint)
  })
})

describe('F2 in_trash replaced archived', () => {
  const rows: [string, JsonObject, JsonObject][] = [
    ['archived', { archived: true }, { in_trash: true }],
    ['in_trash', { in_trash: false }, { in_trash: false }],
    ['both, equal', { archived: false, in_trash: false }, { in_trash: false }],
    ['neither', {}, {}],
  ]
  const writers: OperationId[] = [
    'updatePage',
    'updateBlock',
    'updateDatabase',
    'updateDataSource',
    'queryDatabase',
    'queryDataSource',
  ]
  it.each(writers.flatMap((operation) => rows.map(([name, older, newer]) => ({ operation, name, older, newer }))))(
    'upgrades a request of $operation with $name',
    ({ operation, older, newer }) => {
      expect(upgradeBy('F2', operation, older).call.body).toStrictEqual(newer)
    },
  )
  it.each(rows)('upgrades a block that was read and is sent back in children, with %s', (_name, older, newer) => {
    const nested = (flag: JsonObject): JsonObject => ({
      children: [{ toggle: { rich_text: [], children: [{ divider: {}, ...flag }] }, ...flag }],
    })
    expect(upgradeBy('F2', 'appendBlockChildren', nested(older)).call.body).toStrictEqual(nested(newer))
    expect(upgradeBy('F2', 'createPage', nested(older)).call.body).toStrictEqual(nested(newer))
    expect(judge('2025-09-03', 'appendBlockChildren', nested(older), target)).toBeUndefined()
  })
  const faults: [string, Parameters<typeof judge>[0], OperationId, JsonObject, JsonObject, string][] = [
    [
      'different values of both keys',
      '2025-09-03',
      'updatePage',
      { archived: true, in_trash: false },
      { page_id: ID.page },
      'body.in_trash should be not present, instead was `false`.',
    ],
    [
      'different values of both keys, in a release that ignores unknown keys',
      '2021-05-13',
      'updateBlock',
      { in_trash: false, archived: true },
      target,
      'body.in_trash should be not present',
    ],
    [
      'a value that is not a boolean',
      '2025-09-03',
      'updatePage',
      { archived: 'yes' },
      { page_id: ID.page },
      'body.archived should be a boolean, instead was `"yes"`.',
    ],
    [
      'archived at the newest version',
      '2026-03-11',
      'updateBlock',
      { archived: true },
      target,
      'body.archived should be not present',
    ],
    [
      'archived where that key did not exist',
      '2025-09-03',
      'search',
      { filter: { archived: true } },
      {},
      'body.filter.archived should be not present',
    ],
    ['archived true in a new page', '2025-09-03', 'createPage', { archived: true }, {}, 'body.archived should be one of'],
  ]
  it.each(faults)('refuses %s', (_name, version, operation, body, path, complaint) => {
    expect(judge(version, operation, body, path)).toContain(complaint)
  })

  it.each(['page', 'block', 'database', 'data_source', 'file_upload'])(
    'downgrades a %s in a response, as a single object and in a list',
    async (object) => {
      const record = (more: JsonObject): JsonObject => ({ object, id: ID.page, in_trash: true, ...more })
      const list = (results: unknown[]): JsonObject => ({
        object: 'list',
        type: 'block',
        block: {},
        results,
        has_more: false,
        next_cursor: null,
      })
      expect(await downgradeBy('F2', record({}))).toStrictEqual(record({ archived: true }))
      expect(await downgradeBy('F2', list([record({}), { object, id: ID.page }]))).toStrictEqual(
        list([record({ archived: true }), { object, id: ID.page }]),
      )
    },
  )
  it.each(['comment', 'user', 'view', 'property_item', 'agent'])('leaves a %s in a response unchanged', async (object) => {
    expect(await downgradeBy('F2', { object, id: ID.page, in_trash: false })).toStrictEqual({
      object,
      id: ID.page,
      in_trash: false,
    })
  })
})

describe('F3 the block type transcription became meeting_notes', () => {
  const content = { title: [], status: 'notes_ready' }
  it('is downgraded for a block in a response', async () => {
    const block = (type: string): JsonObject => ({ object: 'block', id: ID.block, type, [type]: content, in_trash: false })
    expect(await downgradeBy('F3', block('meeting_notes'))).toStrictEqual(block('transcription'))
    const other = { object: 'block', id: ID.block, type: 'divider', divider: {} }
    expect(await downgradeBy('F3', other)).toStrictEqual(other)
  })
  it('is upgraded as key and type in a request', () => {
    expect(upgradeBy('F3', 'updateBlock', { type: 'transcription', transcription: content }).call.body).toStrictEqual({
      type: 'meeting_notes',
      meeting_notes: content,
    })
    expect(upgradeBy('F3', 'appendBlockChildren', { children: [{ transcription: {} }] }).call.body).toStrictEqual({
      children: [{ meeting_notes: {} }],
    })
  })
  it("has the name of the request's version in errors", () => {
    expect(judge('2025-09-03', 'updateBlock', { transcription: {}, divider: {} }, target)).toContain('body.divider')
    expect(judge('2025-09-03', 'updateBlock', { meeting_notes: {} }, target)).toContain(
      'body.meeting_notes should be not present',
    )
    expect(judge('2026-03-11', 'updateBlock', { transcription: {} }, target)).toContain(
      'body.transcription should be not present',
    )
    expect(judge('2025-09-03', 'appendBlockChildren', { children: [{ type: 'transcription', divider: {} }] }, target)).toContain(
      'body.children[0].type should be',
    )
    const offered = judge('2025-09-03', 'updateBlock', { type: 'no_such_type' }, target)
    expect(offered).toContain('`"transcription"`')
    expect(offered).not.toContain('meeting_notes')
  })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { generateKeyBetween } from 'fractional-indexing'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertBlocks, listChildren, setTrashed } from '../../server/store/blocks.ts'
import { firstRank, lastRank, rankAfter } from '../../server/store/sibling_ranks.ts'
import { append, children, makePage, paragraph, plainTexts } from '../harness/content.ts'
import { paragraphAt, plantHalvings } from '../harness/ranks.ts'
import { serverOfFile } from '../harness/server.ts'
import { withoutSql } from '../harness/long_runs.ts'

/** Positions among siblings: ranks are compared byte by byte, and there is always a rank between two. */

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })

const workspaceId = exampleWorkspace.workspace.id

async function insert(parentId: string, behind: string | null, before: string | null): Promise<string> {
  const block = paragraphAt(parentId, generateKeyBetween(behind, before))
  await server.service.database.write((db) => insertBlocks(db, workspaceId, [block]))
  return block.id
}

describe('ranks of blocks', () => {
  it('keep the order of a plain list for insertions at any position', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 40 }), async (indexes) => {
        const parent = randomUUID()
        const expected: string[] = []
        for (const number of indexes) {
          const at = number % (expected.length + 1)
          const { behind, before } = await server.service.database.read(async (db) => {
            const rows = await listChildren(db, workspaceId, parent, undefined, 1000)
            const left = rows[at - 1]?.rank
            return left === undefined
              ? { behind: null, before: await firstRank(db, workspaceId, parent) }
              : { behind: left, before: await rankAfter(db, workspaceId, parent, left) }
          })
          expected.splice(at, 0, await insert(parent, behind, before))
        }
        const rows = await server.service.database.read((db) => listChildren(db, workspaceId, parent, undefined, 1000))
        expect(rows.map(({ id }) => id)).toStrictEqual(expected)
      }),
      { numRuns: 8, seed: 20260516 },
    )
  })

  it('at the ends of a list include blocks in the trash, whose positions are kept', async () => {
    const parent = randomUUID()
    const only = await insert(parent, null, null)
    const ends = async (): Promise<(string | null)[]> =>
      server.service.database.read(async (db) => [
        await firstRank(db, workspaceId, parent),
        await lastRank(db, workspaceId, parent),
      ])
    const before = await ends()
    await server.service.database.write((db) => setTrashed(db, workspaceId, only, true))
    expect(await ends()).toStrictEqual(before)
    expect(await server.service.database.read((db) => listChildren(db, workspaceId, parent, undefined, 10))).toStrictEqual([])
  })

  it('do not exist for the ends of an empty list', async () => {
    const parent = randomUUID()
    expect(
      await server.service.database.read(async (db) => [
        await firstRank(db, workspaceId, parent),
        await lastRank(db, workspaceId, parent),
        await rankAfter(db, workspaceId, parent, 'a0'),
      ]),
    ).toStrictEqual([null, null, null])
  })

  it('are never shared by two blocks', async () => {
    const parent = randomUUID()
    await insert(parent, null, null)
    await expect(insert(parent, null, null)).rejects.toThrow()
  })
})

withoutSql(describe)('appendBlockChildren after one block', () => {
  it('200 for hundreds of insertions, after which ranks become short again, and the list is complete', async () => {
    const { database } = server.service
    const page = await makePage(server.owner, 'Log', undefined, [paragraph('head'), paragraph('tail')])
    const longest = async (): Promise<number> => {
      const row = await database.read((db) =>
        db.get(
          { length: 'integer' },
          'select max(length(rank)) as length from blocks where workspace_id = ? and parent_id = ?',
          workspaceId,
          page,
        ),
      )
      return row?.length ?? 0
    }
    const { first, texts } = await plantHalvings(server, page, 95)
    const before = await longest()
    const position = { type: 'after_block', after_block: { id: first } }
    for (let number = 0; number < 60; number += 1) {
      texts.push(`request ${number}`)
      await append(server.owner, page, [paragraph(`request ${number}`)], { position })
    }
    expect(texts.length).toBeGreaterThan(500)
    expect(await longest()).toBeLessThan(before)
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['head', ...texts.toReversed(), 'tail'])
  })
})

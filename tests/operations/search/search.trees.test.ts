import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { memberOf, type Actor } from '../../../server/domain/shared/actor.ts'
import { searchLimits, type SearchLimits } from '../../../server/domain/data/search/limits.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { Connection } from '../../../server/store/database.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { observed } from '../../harness/observed.ts'
import { serverOfFile } from '../../harness/server.ts'
import { searchAs } from './support.ts'

const workspaceId = exampleWorkspace.workspace.id
const [, tomas, aiko] = exampleWorkspace.people

const server = await serverOfFile()

const WORDS = ['oak', 'elm', 'ash', 'pine', 'fir'] as const
type Word = (typeof WORDS)[number]

/** A page with the data of its block, which search copies. */
interface Page {
  readonly id: string
  readonly parentId: string
  readonly isTrashed: boolean
  readonly time: number
  readonly words: readonly string[]
}

const planted: string[] = []
let pages: ReadonlyMap<string, Page> = new Map()

async function readPages(): Promise<Map<string, Page>> {
  const rows = await server.service.database.read((db) =>
    db.all(
      { id: 'text', parent_id: 'text', in_trash: 'integer', last_edited_time: 'integer', content: 'text' },
      `select id, parent_id, in_trash, last_edited_time, content from blocks where workspace_id = ? and type = 'child_page'`,
      workspaceId,
    ),
  )
  return new Map(
    rows.map((row) => {
      const { title } = JSON.parse(row.content) as { readonly title: readonly { readonly text?: { readonly content: string } }[] }
      const words = title
        .map((item) => item.text?.content ?? '')
        .join('')
        .toLowerCase()
        .split(' ')
      return [row.id, { id: row.id, parentId: row.parent_id, isTrashed: row.in_trash > 0, time: row.last_edited_time, words }]
    }),
  )
}

/** The pages above a page, the nearest one first. */
function above({ parentId }: Page): Page[] {
  const parent = pages.get(parentId)
  return parent ? [parent, ...above(parent)] : []
}

/** The visible pages of one caller. */
interface Reader {
  readonly actor: Actor
  readonly sees: (page: Page) => boolean
}

const readers: Reader[] = []

async function addBot(grants: readonly string[]): Promise<void> {
  const { botId } = await makeConnection(server, { capabilities: ['read_content'], grants })
  const actor: Actor = { ...memberOf(workspaceId, botId, 'guest'), memberLevel: undefined }
  readers.push({ actor, sees: (page) => [page, ...above(page)].some(({ id }) => grants.includes(id)) })
}

type Rules = ReadonlyMap<string, 'none' | 'read'>

async function addMember(personId: string, role: 'member' | 'guest', rules: Rules): Promise<void> {
  for (const [id, level] of rules) {
    await server.service.database.write((db) => setMemberAccess(db, workspaceId, id, personId, level, server.clock.now()))
  }
  const byDefault = role === 'member' ? 'read' : 'none'
  const levelOf = (page: Page): string => [page, ...above(page)].flatMap(({ id }) => rules.get(id) ?? [])[0] ?? byDefault
  readers.push({ actor: memberOf(workspaceId, personId, role), sees: (page) => levelOf(page) !== 'none' })
}

const steps = fc.record({
  kind: fc.constantFrom('create', 'create', 'create', 'rename', 'move', 'trash', 'restore'),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
  title: fc.array(fc.constantFrom<Word>(...WORDS), { minLength: 1, maxLength: 3 }),
  pause: fc.constantFrom(0, 0, 1_000),
})

async function take({ kind, at, to, title, pause }: typeof steps extends fc.Arbitrary<infer S> ? S : never): Promise<void> {
  server.clock.advance(pause)
  pages = await readPages()
  const all = planted.flatMap((id) => pages.get(id) ?? [])
  const live = all.filter((page) => ![page, ...above(page)].some(({ isTrashed }) => isTrashed))
  const [page, target] = [live[at % live.length], live[to % live.length]]
  if (!page || !target) return
  const path = { page_id: page.id }
  if (kind === 'create') planted.push(await makePage(server.owner, title.join(' '), page.id))
  const update = (body: object, id = page.id): Promise<unknown> =>
    server.owner.call('updatePage', { path: { page_id: id }, body })
  if (kind === 'rename') await update({ properties: { title: [text(title.join(' '))] } })
  if (kind === 'move' && ![target, ...above(target)].includes(page)) {
    await server.owner.call('movePage', { path, body: { parent: { page_id: target.id } } })
  }
  if (kind === 'trash' && planted.indexOf(page.id) > 2) await update({ in_trash: true })
  const trashed = all.filter(({ isTrashed }) => isTrashed)
  if (kind === 'restore' && trashed.length > 0) await update({ in_trash: false }, trashed[at % trashed.length]?.id)
}

beforeAll(async () => {
  for (let top = 0; top < 3; top += 1) planted.push(await makePage(server.owner, 'oak elm'))
  for (const step of fc.sample(steps, { seed: 13, numRuns: 120 })) await take(step)
  pages = await readPages()
  const some = (first: number, step: number): string[] => planted.filter((_id, index) => index % step === first)
  await addBot([planted[0] ?? ''])
  await addBot(some(2, 9))
  await addMember(tomas.id, 'member', new Map(some(1, 7).map((id, index) => [id, index % 3 === 0 ? 'read' : 'none'])))
  await addMember(aiko.id, 'guest', new Map(some(2, 11).map((id, index) => [id, index % 4 === 0 ? 'none' : 'read'])))
  readers.push({ actor: memberOf(workspaceId, exampleWorkspace.people[0].id, 'owner'), sees: () => true })
  const actor: Actor = {
    ...memberOf(workspaceId, exampleWorkspace.bot.id, 'guest'),
    memberLevel: undefined,
    seesWholeWorkspace: true,
  }
  readers.push({ actor, sees: () => true })
})

const sorts = [
  undefined,
  { timestamp: 'last_edited_time', direction: 'ascending' },
  { timestamp: 'last_edited_time', direction: 'descending' },
  { property: 'relevance' },
] as const

interface SearchRequest {
  readonly query: readonly Word[]
  readonly sort: (typeof sorts)[number]
  readonly isTrash: boolean
}

/** The rules applied literally to every page. */
function expected({ query, sort, isTrash }: SearchRequest, { sees }: Reader): string[] {
  const found = planted.flatMap((id) => {
    const page = pages.get(id)
    const words = [...new Set(query)].filter((word) => page?.words.some((one) => one.startsWith(word)))
    if (!page || page.isTrashed !== isTrash || !sees(page) || (query.length > 0 && words.length === 0)) return []
    if (!isTrash && above(page).some(({ isTrashed }) => isTrashed)) return []
    const title = page.words.join(' ')
    const whole = query.join(' ')
    const rank = title === whole ? 0 : title.startsWith(whole) ? 1 : words.length === new Set(query).size ? 2 : 3
    return [{ id, time: page.time, rank: query.length > 0 && sort && 'property' in sort ? rank : 0 }]
  })
  found.sort((a, b) => a.rank - b.rank || b.time - a.time || (a.id < b.id ? 1 : -1))
  return (sort && 'direction' in sort && sort.direction === 'ascending' ? found.toReversed() : found).map(({ id }) => id)
}

async function foundBy(
  { query, sort, isTrash }: SearchRequest,
  { actor }: Reader,
  pageSize: number,
  limits: SearchLimits,
  watched?: (db: Connection) => Connection,
): Promise<string[]> {
  const body = { query: query.join(' '), filter: { in_trash: isTrash }, ...(sort ? { sort } : {}) }
  const ids: string[] = []
  for (let startCursor: string | undefined; ;) {
    const page = await searchAs(server, actor, body, { startCursor, pageSize }, limits, watched)
    ids.push(...page.results.map(({ id }) => id))
    if (page.next_cursor === null) return ids.filter((id) => planted.includes(id))
    startCursor = page.next_cursor
  }
}

/** By time, by the word index, and by all visible pages. */
const plans: readonly SearchLimits[] = [
  searchLimits,
  { ...searchLimits, batch: 3, hits: 2, sorted: 0, beforeWords: 0, withWords: 0 },
  { ...searchLimits, batch: 1, hits: 3, sorted: 0, beforeWords: 2, withWords: 1_000 },
  { ...searchLimits, batch: 4, sorted: 1_000, beforeWords: 0, withWords: 1_000 },
  { ...searchLimits, batch: 5, hits: 7, sorted: 12, beforeWords: 9, withWords: 40 },
]

const searches: fc.Arbitrary<SearchRequest> = fc.record({
  query: fc.array(fc.constantFrom<Word>(...WORDS), { maxLength: 3 }),
  sort: fc.constantFrom(...sorts),
  isTrash: fc.constantFrom(false, false, false, true),
})

describe('search after moves, renames, trash and restorations', () => {
  it('200 with the same pages in the same order as a plain evaluation, for every caller and access path', async () => {
    await fc.assert(
      fc.asyncProperty(
        searches,
        fc.nat(5),
        fc.constantFrom(...plans),
        fc.constantFrom(10, 30, 100),
        async (question, reader, limits, size) => {
          const one = readers[reader]
          expect(one && (await foundBy(question, one, size, limits))).toStrictEqual(one && expected(question, one))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('200 with rare titles found by the word index, in every order', async () => {
    const reader = readers[0]
    if (!reader) throw new Error('no reader')
    for (const sort of sorts) {
      let lookups = 0
      const watched = (db: Connection): Connection =>
        observed(db, {
          get: async (shape, statement) => {
            if (statement.sql.includes('title_words')) lookups += 1
            return db.get(shape, statement)
          },
        })
      const question: SearchRequest = { query: ['fir'], sort, isTrash: false }
      const limits = { ...searchLimits, batch: 1, hits: 3, sorted: 0, beforeWords: 1 }
      expect(await foundBy(question, reader, 100, limits, watched)).toStrictEqual(expected(question, reader))
      expect(lookups).toBeGreaterThan(0)
    }
  })
})

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { searchLimits } from '../../../server/domain/data/search/limits.ts'
import { memberOf } from '../../../server/domain/shared/actor.ts'
import { makePage, text } from '../../harness/content.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { findAll, searchAs, titlesOf } from './support.ts'

const server = await serverOfFile()

describe('search of titles in many scripts', () => {
  const titles = [
    'Café menu',
    'Straße nach Köln',
    'ΟΔΟΣ Ερμού',
    'Ёлка и йогурт',
    'مُحَمَّد وكتاب',
    'שלום עולם',
    '東京タワー地図',
    '港口安全手册',
    'ภาษาไทย',
    'हिन्दी भाषा',
    '한국어 제목',
    'Tiếng Việt',
    '⛵️ Launch 🚀',
    '👩🏽‍🚀 crew',
    'C++ notes',
    'ｆｕｌｌ ｗｉｄｔｈ',
    '𝔊othic 𐐔eseret',
    '🇫🇷 trip',
  ]
  beforeAll(async () => {
    for (const title of titles) await makePage(server.owner, title)
  })

  it.each([
    ['cafe', ['Café menu']],
    ['CAFÉ', ['Café menu']],
    ['cafe\u0301', ['Café menu']],
    ['STRASSE', ['Straße nach Köln']],
    ['koln', ['Straße nach Köln']],
    ['οδός', ['ΟΔΟΣ Ερμού']],
    ['ερμου', ['ΟΔΟΣ Ερμού']],
    ['елка', ['Ёлка и йогурт']],
    ['ЙОГ', ['Ёлка и йогурт']],
    ['иогурт', []],
    ['محمد', ['مُحَمَّد وكتاب']],
    ['שלום', ['שלום עולם']],
    ['タワー', ['東京タワー地図']],
    ['京タ', ['東京タワー地図']],
    ['地図', ['東京タワー地図']],
    ['安全', ['港口安全手册']],
    ['口手', []],
    ['ไทย', ['ภาษาไทย']],
    ['हिन्दी', ['हिन्दी भाषा']],
    ['제목', ['한국어 제목']],
    ['국어', []],
    ['viet', ['Tiếng Việt']],
    ['⛵', ['⛵️ Launch 🚀']],
    ['🚀', ['👩🏽‍🚀 crew', '⛵️ Launch 🚀']],
    ['👩', ['👩🏽‍🚀 crew']],
    ['c++', ['C++ notes']],
    ['full', ['ｆｕｌｌ ｗｉｄｔｈ']],
    ['gothic', ['𝔊othic 𐐔eseret']],
    ['𐐼ese', ['𝔊othic 𐐔eseret']],
    ['🇫🇷', ['🇫🇷 trip']],
  ])('200 with the matching titles for %s', async (query, expected) => {
    expect((await titlesOf(server.owner, { query })).sort()).toStrictEqual([...expected].sort())
  })
})

/** Words as written, and the form they are compared in: each key is one word in the sense of the contract. */
const vocabulary: Readonly<Record<string, readonly string[]>> = {
  Boat: ['boat'],
  BOATSHED: ['boatshed'],
  boats: ['boats'],
  Café: ['cafe'],
  caféteria: ['cafeteria'],
  'E-mail': ['e', 'mail'],
  mailing: ['mailing'],
  Straße: ['strasse'],
  strass: ['strass'],
  Ёж: ['еж'],
  ежи: ['ежи'],
  مُحَمَّد: ['محمد'],
  محمدي: ['محمدي'],
  港口: ['港', '口'],
  港: ['港'],
  口港口: ['口', '港', '口'],
  '⛵': ['⛵'],
  '⛵⛵': ['⛵', '⛵'],
  7: ['7'],
  77: ['77'],
}
const written = Object.keys(vocabulary)

interface Planted {
  readonly id: string
  readonly words: readonly string[]
  readonly time: number
}

/** The contract literally: the words of the query match consecutive words of the title, the last one as a prefix. */
function matchesAt(part: readonly string[], words: readonly string[], location: number): boolean {
  return part.every((word, index) =>
    index === part.length - 1 ? words[location + index]?.startsWith(word) : words[location + index] === word,
  )
}

function rankOf(query: readonly string[], words: readonly string[]): number | undefined {
  const parts = query.map((word) => vocabulary[word] ?? [])
  const whole = parts.flat()
  const found = parts.filter((part) => words.some((_word, location) => matchesAt(part, words, location)))
  if (found.length === 0) return undefined
  if (whole.join(' ') === words.join(' ')) return 0
  if (matchesAt(whole, words, 0)) return 1
  return found.length === parts.length ? 2 : 3
}

describe('search compared with a plain evaluation', () => {
  const planted: Planted[] = []
  beforeAll(async () => {
    const parent = await makePage(server.owner, '…')
    const titles = fc.sample(fc.array(fc.constantFrom(...written), { minLength: 1, maxLength: 4 }), { seed: 9, numRuns: 90 })
    for (const words of titles) {
      if (planted.length % 3 === 0) server.clock.advance(1000)
      const id = await makePage(server.owner, words.join(' '), parent)
      planted.push({ id, words: words.flatMap((word) => vocabulary[word] ?? []), time: server.clock.now() })
    }
    const { body } = await server.owner.call('createPage', { body: { properties: { title: [text('last')] } } })
    expect(idOf(body)).toBeTruthy()
  })

  const sorts = [undefined, { timestamp: 'last_edited_time', direction: 'ascending' }, { property: 'relevance' }] as const

  function expected(query: readonly string[], sort: (typeof sorts)[number]): string[] {
    const newest = (a: Planted, b: Planted): number => b.time - a.time || (a.id < b.id ? 1 : -1)
    const hits = planted.flatMap((page) => {
      const rank = rankOf(query, page.words)
      return rank === undefined ? [] : [{ ...page, rank }]
    })
    hits.sort((a, b) => (sort && 'property' in sort ? a.rank - b.rank : 0) || newest(a, b))
    if (sort && 'direction' in sort) hits.reverse()
    return hits.map(({ id }) => id)
  }

  const queries = fc.array(fc.constantFrom(...written), { minLength: 1, maxLength: 3 })

  it('200 with the same pages in the same order, for any query, sort and page size', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(...sorts), fc.integer({ min: 3, max: 40 }), async (query, sort, size) => {
        const ids = new Set(planted.map(({ id }) => id))
        const found = await findAll(server.owner, { query: query.join(' '), ...(sort ? { sort } : {}) }, size)
        expect(found.filter((id) => ids.has(id))).toStrictEqual(expected(query, sort))
      }),
      { numRuns: 60 },
    )
  })

  it('200 with the same pages for every access path: by time, by the word index, by all visible pages', async () => {
    const actor = memberOf(exampleWorkspace.workspace.id, exampleWorkspace.people[1].id, 'member')
    const plans = [
      { ...searchLimits, batch: 2, sorted: 0, beforeWords: 0, withWords: 0 },
      { ...searchLimits, batch: 1, sorted: 1_000, beforeWords: 0, withWords: 1_000 },
      { ...searchLimits, batch: 7, sorted: 12, beforeWords: 9, withWords: 40 },
    ]
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom(...sorts), fc.constantFrom(...plans), async (query, sort, limits) => {
        const body = { query: query.join(' '), ...(sort ? { sort } : {}) }
        const found: string[] = []
        for (let startCursor: string | undefined; ;) {
          const page = await searchAs(server, actor, body, { startCursor, pageSize: 20 }, limits)
          found.push(...page.results.map(({ id }) => id))
          if (page.next_cursor === null) break
          startCursor = page.next_cursor
        }
        const ids = new Set(planted.map(({ id }) => id))
        expect(found.filter((id) => ids.has(id))).toStrictEqual(expected(query, sort))
      }),
      { numRuns: 60 },
    )
  })
})

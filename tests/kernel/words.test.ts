import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitOf, headOf, indexedWordOf, parseTitleQuery, wordsOf } from '../../server/kernel/words.ts'

describe('words of a text', () => {
  it.each([
    ['Tide table 2026', ' tide table 2026 '],
    ['  Café—crème, «RÉSUMÉ»!', ' cafe creme resume '],
    ['STRASSE Straße', ' strasse strasse '],
    ['ΟΔΟΣ οδός', ' οδοσ οδοσ '],
    ['İstanbul ISPARTA', ' istanbul isparta '],
    ['Ёлка ёлка йод ЙОД', ' елка елка йод йод '],
    ['Ｆｕｌｌ ｗｉｄｔｈ ① ﬁn', ' full width 1 fin '],
    ['مُحَمَّد كتـــاب أحمد', ' محمد كتاب احمد '],
    ['שָׁלוֹם', ' שלום '],
    ['東京タワー2号', ' 東 京 タ ワ ー 2 号 '],
    ['がぎぐ', ' が ぎ ぐ '],
    ['ﾊｰﾄﾞ', ' ハ ー ド '],
    ['ภาษาไทยดี', ' ภ า ษ า ไ ท ย ด ี '.replace('ด ี', 'ดี')],
    ['한국어 제목', ' 한국어 제목 '],
    ['हिन्दी', ' हिन्दी '],
    ['⛵️ boat 👩🏽‍🚀', ' ⛵ boat 👩 🏽 🚀 '],
    ['C++ & $5 > €4', ' c + + $ 5 > € 4 '],
    ["e-mail's _x_", ' e mail s x '],
    ['\ud83d x \udc69', ' x '],
    ['… — !', ' '],
    ['', ' '],
  ])('%j are %j', (text, words) => {
    expect(wordsOf(text)).toBe(words)
  })

  it('do not change when split again, have one case, and contain no special characters of SQL patterns or the index', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const words = wordsOf(text)
        expect(wordsOf(words)).toBe(words)
        expect(words).toBe(words.replace(/[A-Z"'\\%_*:&!()\0]/g, '?'))
        expect(words.isWellFormed()).toBe(true)
        expect(headOf(words).isWellFormed()).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('come from the beginning of a very long text, and are found quickly', () => {
    const start = performance.now()
    expect(wordsOf('\ufdfa'.repeat(200_000)).length).toBeLessThanOrEqual(4_001)
    expect(wordsOf('e\u0301'.repeat(100_000))).toBe(` ${'e'.repeat(1_000)} `)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('the match of a title and a query', () => {
  it.each([
    ['Harbour master', 'harbour master', 'exact'],
    ['Harbour master', 'HARBOUR', 'prefix'],
    ['Harbour masters', 'harbour master', 'prefix'],
    ['Old master of the harbour', 'harbour master', 'all'],
    ['Harbours', 'master harbour', 'some'],
    ['Old boatshed', 'shed', undefined],
    ['E-mail list', 'e-mail', 'prefix'],
    ['List of e-mails', 'e-mail', 'all'],
    ['List of emails', 'e-mail', undefined],
    ['Email', 'mail', undefined],
    ['港口地図', '地図', 'all'],
    ['港口地図', '港口', 'prefix'],
    ['港口地図', '口図', undefined],
  ])('ranks %j for the query %j as %s', (title, query, fit) => {
    const read = parseTitleQuery(query)
    expect(read && fitOf(wordsOf(title), read)).toBe(fit)
  })

  it('a title query counts each word once, up to 32 words', () => {
    expect(parseTitleQuery('a b A á')?.parts).toStrictEqual([' a', ' b'])
    expect(parseTitleQuery(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' '))?.parts).toHaveLength(32)
    expect(parseTitleQuery('?!')?.parts).toStrictEqual([])
    for (const nothing of [undefined, '', '  \n\u3000']) expect(parseTitleQuery(nothing)).toBeUndefined()
  })
})

describe('the indexed word of a part of a query', () => {
  it('occurs in every title that contains the part', () => {
    const unit = fc.constantFrom('a', 'B', 'é', '港', '口', 'ー', 'ก', '\u0e31', 'ا', '⛵', '+', ' ', '-', '3', 'ß')
    const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''))
    let found = 0
    fc.assert(
      fc.property(text, fc.nat(60), fc.integer({ min: 1, max: 40 }), (title, start, length) => {
        const words = wordsOf(title)
        const indexed = words.split(' ').map((word) => [...word].slice(0, 24).join(''))
        for (const part of parseTitleQuery([...title].slice(start, start + length).join(''))?.parts ?? []) {
          if (!words.includes(part)) continue
          found += 1
          const { text: begin, isWhole } = indexedWordOf(part)
          expect(indexed.some((word) => (isWhole ? word === begin : word.startsWith(begin)))).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(found).toBeGreaterThan(300)
  })

  it('is the longest word of the part, and is matched as a prefix only if it comes last', () => {
    expect(indexedWordOf(' e mail')).toStrictEqual({ text: 'mail', isWhole: false })
    expect(indexedWordOf(' mail e')).toStrictEqual({ text: 'mail', isWhole: true })
    expect(indexedWordOf(' 港 口')).toStrictEqual({ text: '港', isWhole: true })
    expect(indexedWordOf(' a a')).toStrictEqual({ text: 'a', isWhole: true })
  })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cursors, ListCursors, type Binding } from '../../server/kernel/cursors.ts'

const NOW = Date.parse('2026-05-16T04:30:00.000Z')
const DAY_MS = 86_400_000
const cursors = new Cursors(Buffer.alloc(32, 7))

const binding = fc.array(fc.option(fc.string(), { nil: null }), { maxLength: 5 })
const position = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 3 })
const id = fc.uuid()

/** Replaces one character of a text by another of the same alphabet. */
function changed(alphabet: string): (text: string, at: number, by: number) => string {
  return (text, at, by) => {
    const index = at % text.length
    const others = alphabet.replace(text.charAt(index), '')
    return text.charAt(index) === '-'
      ? `${text}0`
      : text.slice(0, index) + others.charAt(by % others.length) + text.slice(index + 1)
  }
}

describe('cursors of sort keys', () => {
  it('return the position for 24 hours, and are invalid afterwards', () => {
    fc.assert(
      fc.property(binding, position, fc.nat(DAY_MS), (list, key, age) => {
        const cursor = cursors.encode(list, key, NOW)
        expect(cursors.decode(list, cursor, NOW + age)).toStrictEqual(key)
        expect(cursors.decode(list, cursor, NOW + DAY_MS + 1 + age)).toBeUndefined()
      }),
      { examples: [[['listUsers'], ['a'], DAY_MS]] },
    )
  })

  it('consist of URL-safe characters', () => {
    fc.assert(
      fc.property(binding, position, (list, key) => {
        expect(cursors.encode(list, key, NOW)).toMatch(/^[A-Za-z0-9_-]+$/)
      }),
    )
  })

  it('are invalid for another list, caller, version or deployment', () => {
    fc.assert(
      fc.property(binding, binding, position, (list, other, key) => {
        fc.pre(JSON.stringify(list) !== JSON.stringify(other))
        const cursor = cursors.encode(list, key, NOW)
        expect(cursors.decode(other, cursor, NOW)).toBeUndefined()
        expect(new Cursors(Buffer.alloc(32, 8)).decode(list, cursor, NOW)).toBeUndefined()
      }),
    )
  })

  it('are invalid when any character is changed', () => {
    const change = changed('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
    fc.assert(
      fc.property(binding, position, fc.nat(), fc.nat(), (list, key, at, by) => {
        expect(cursors.decode(list, change(cursors.encode(list, key, NOW), at, by), NOW)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('are distinguished from any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(cursors.decode(['x'], text, NOW)).toBeUndefined()
      }),
    )
    for (const text of ['', '=', 'null', 'AAAA', '\0', '🙂', 'A'.repeat(5000)])
      expect(cursors.decode(['x'], text, NOW)).toBeUndefined()
  })
})

describe('cursors in the form of an id', () => {
  const inRange = (range: { from: string; to: string } | undefined, wanted: string): boolean =>
    range !== undefined && range.from <= wanted && wanted <= range.to

  it('return a range around the id for 24 hours, and are invalid afterwards', () => {
    fc.assert(
      fc.property(binding, id, fc.nat(DAY_MS), (list, wanted, age) => {
        const cursor = cursors.encodeId(list, wanted, NOW)
        expect(cursor).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        expect(cursor).not.toBe(wanted)
        expect(inRange(cursors.decodeId(list, cursor, NOW + age), wanted)).toBe(true)
        expect(cursors.decodeId(list, cursor, NOW + DAY_MS + 1 + age)).toBeUndefined()
      }),
      { examples: [[['listUsers'], randomUUID(), DAY_MS]] },
    )
  })

  it('do not match another id', () => {
    const cursor = cursors.encodeId(['x'], randomUUID(), NOW)
    fc.assert(
      fc.property(id, (other) => {
        expect(inRange(cursors.decodeId(['x'], cursor, NOW), other)).toBe(false)
      }),
    )
  })

  it('are invalid for another list, caller, version or deployment', () => {
    fc.assert(
      fc.property(binding, binding, id, (list, other, wanted) => {
        fc.pre(JSON.stringify(list) !== JSON.stringify(other))
        const cursor = cursors.encodeId(list, wanted, NOW)
        expect(inRange(cursors.decodeId(other, cursor, NOW), wanted)).toBe(false)
        expect(inRange(new Cursors(Buffer.alloc(32, 8)).decodeId(list, cursor, NOW), wanted)).toBe(false)
      }),
    )
  })

  it('are invalid when any character is changed', () => {
    const change = changed('0123456789abcdef')
    fc.assert(
      fc.property(binding, id, fc.nat(), fc.nat(), (list, wanted, at, by) => {
        expect(inRange(cursors.decodeId(list, change(cursors.encodeId(list, wanted, NOW), at, by), NOW), wanted)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('are valid when clocks differ by minutes, but not by an hour', () => {
    const cursor = cursors.encodeId(['x'], randomUUID(), NOW)
    expect(cursors.decodeId(['x'], cursor, NOW - 4 * 60_000)).toBeDefined()
    expect(cursors.decodeId(['x'], cursor, NOW - 60 * 60_000)).toBeUndefined()
  })
})

describe('cursors of a request', () => {
  const make = (caller: Binding, list: Binding): ListCursors => new ListCursors(cursors, caller, () => list, NOW)

  it('are valid only for the list of the request, or for another list that the operation names', () => {
    const ours = make(['workspace', 'bot', '2026-03-11'], ['listUsers'])
    expect(ours.decode(ours.encode(['a', 'b']))).toStrictEqual(['a', 'b'])
    expect(ours.of('view query', 'q1').decode(ours.encode(['a']))).toBeUndefined()
    expect(
      make(['workspace', 'bot', '2026-03-11'], ['createViewQuery'])
        .of('view query', 'q1')
        .decode(ours.of('view query', 'q1').encode(['a'])),
    ).toStrictEqual(['a'])
    expect(
      make(['workspace', 'other bot', '2026-03-11'], ['listUsers'])
        .of('view query', 'q1')
        .decode(ours.of('view query', 'q1').encode(['a'])),
    ).toBeUndefined()
  })
})

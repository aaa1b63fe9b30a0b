import { describe, expect, it } from 'vitest'
import { canonicalId, idsTogether, newId } from '../../server/kernel/ids.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('ids of new records', () => {
  it('are random UUIDv4s', () => {
    const ids = Array.from({ length: 100 }, newId)
    for (const id of ids) expect(id).toMatch(UUID_V4)
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeGreaterThan(90)
  })

  it('are unique, and adjacent when created together', () => {
    const [mint, mintOthers] = [idsTogether(), idsTogether()]
    const ids = Array.from({ length: 1000 }, mint)
    for (const id of ids) expect(id).toMatch(UUID_V4)
    expect(new Set(ids).size).toBe(1000)
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(1)
    expect(mintOthers().slice(0, 8)).not.toBe(mint().slice(0, 8))
  })
})

describe('canonicalId', () => {
  const stored = '3af9f30c-5a66-4477-bda9-d8c096d38ff5'
  const spellings = [stored, stored.toUpperCase(), stored.replaceAll('-', ''), stored.replaceAll('-', '').toUpperCase()]
  it.each(spellings)('converts %s to the stored form', (text) => expect(canonicalId(text)).toBe(stored))
  it.each(['', 'me', stored.slice(1), `${stored}0`])('refuses %j', (text) => expect(() => canonicalId(text)).toThrow(RangeError))
})

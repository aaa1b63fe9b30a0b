import { describe, expect, it } from 'vitest'
import { jsonText } from '../../server/http/json_text.ts'

const texts = Array.from({ length: 50 }, (_, index) => `${index} "quoted" \u{1f600} \ud800`)

describe('the text of a response', () => {
  it.each([
    ['an object without lists', { a: 1, b: null, left: undefined }],
    ['a long list of values', { results: texts, next: null, left: undefined }],
    ['a long list of objects that hold long lists', { results: texts.map((id) => ({ id, 'a "key"': { texts } })) }],
    ['a long list with holes and dates', { list: [...texts, undefined, new Date(0), null, []], empty: {} }],
  ])('equals the output of JSON.stringify for %s', async (_, body) => {
    expect(await jsonText(body)).toBe(JSON.stringify(body))
  })

  it('is written with pauses for other work between the items of a long list', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await jsonText({ results: Array.from({ length: 200 }, () => 'x"'.repeat(200_000)) })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
})

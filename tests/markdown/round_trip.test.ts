import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentOf } from './support/content.ts'
import { markdownOf, treesOf } from './support/dialect.ts'
import { pages } from './support/trees.ts'

describe('a round trip from blocks to Markdown and back', () => {
  it('keeps any content', () => {
    fc.assert(
      fc.property(pages, (trees) => {
        const markdown = markdownOf(trees)
        expect(contentOf(treesOf(markdown)), markdown).toStrictEqual(contentOf(trees))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1000) },
    )
  })

  it('gives the same Markdown for the same content', () => {
    fc.assert(
      fc.property(pages, (trees) => {
        const markdown = markdownOf(trees)
        expect(markdownOf(treesOf(markdown))).toBe(markdown)
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1000) },
    )
  })

  it('keeps the longest address, even if each character needs an escape', () => {
    const trees = treesOf(`[boat](/${'['.repeat(1_999)})`)
    expect(JSON.stringify(trees)).not.toContain('](')
    expect(contentOf(treesOf(markdownOf(trees)))).toStrictEqual(contentOf(trees))
  })

  it.each(['https\\://$c$', 'https\\://~~c~~', 'https\\://:boat:', 'https\\://[c](/c)', 'https\\://<span color="red">c</span>'])(
    'does not turn a text that ends in `https://` and the item after it into one link: %s',
    (markdown) => {
      const trees = treesOf(markdown)
      expect(contentOf(treesOf(markdownOf(trees)))).toStrictEqual(contentOf(trees))
    },
  )
})

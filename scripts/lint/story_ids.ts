/** Checks that every id in an example is in `story.md`, beside the contract's root file. */

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Document } from '../generate/document.ts'
import type { Problem } from './problem.ts'
import type { Locate } from './redocly.ts'
import type { BundlePath } from '../generate/source_map.ts'

const ID = /(?<![0-9a-f])[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}(?![0-9a-f])/gi

/** The ids in examples that are not in the story. Without a story, any id is allowed. */
export async function idsOutsideStory(document: Document, root: string, locate: Locate): Promise<Problem[]> {
  const story = await readFile(join(dirname(root), 'story.md'), 'utf8').catch(() => undefined)
  if (story === undefined) return []
  const isTold = storyIds(story)
  const strange = textsOfExamples(document).flatMap(({ path, text }) =>
    (text.match(ID) ?? []).filter((id) => !isTold(id)).map((id) => ({ path, id })),
  )
  return Promise.all(
    strange.map(async ({ path, id }): Promise<Problem> => {
      const message = `${id} is not in story.md: take an id from there, or give it a line there`
      return { tool: 'story', rule: 'story-ids', severity: 'error', message, ...(await locate(path)) }
    }),
  )
}

/** Whether an id is in the story, in which "`id` to `id`" means a range. */
function storyIds(story: string): (id: string) => boolean {
  const ids = new Set((story.match(ID) ?? []).map(plain))
  const ranges = [...story.matchAll(/`([0-9a-f-]{36})` to `([0-9a-f-]{36})`/g)].map(([, first = '', last = '']) => [
    plain(first),
    plain(last),
  ])
  return (id) => ids.has(plain(id)) || ranges.some(([first = '', last = '']) => first <= plain(id) && plain(id) <= last)
}

const plain = (id: string): string => id.replaceAll('-', '').toLowerCase()

interface PlacedText {
  readonly path: BundlePath
  readonly text: string
}

/** The strings in all examples: those of `examples`, and those of parameters, headers and schemas. */
function textsOfExamples(document: Document): PlacedText[] {
  const found: PlacedText[] = []
  const path: (string | number)[] = [] // of the value that is visited
  const visit = (value: unknown, isExample: boolean): void => {
    if (typeof value === 'string' && isExample) found.push({ path: [...path], text: value })
    if (typeof value !== 'object' || value === null) return
    const isMapOfNames = path.at(-1) === 'properties' && !isExample // a property may have that name, too
    for (const [key, item] of Object.entries(value)) {
      path.push(Array.isArray(value) ? Number(key) : key)
      visit(item, isExample || (!isMapOfNames && (key === 'example' || key === 'examples')))
      path.pop()
    }
  }
  const { paths, webhooks, components } = document
  visit({ paths, webhooks, components }, false)
  return found
}

/** Checks that every id in an example is in `example_workspace.md`, beside the contract's root file. */

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Document } from '../generate/document.ts'
import type { Problem } from './problem.ts'
import type { Locate } from './redocly.ts'
import type { BundlePath } from '../generate/source_map.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const ID = /(?<![0-9a-f])[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}(?![0-9a-f])/gi

/** The ids in examples that are not in the list. Without a list, any id is allowed. */
export async function unlistedExampleIds(document: Document, root: string, locate: Locate): Promise<Problem[]> {
  const listing = await readFile(join(dirname(root), 'example_workspace.md'), 'utf8').catch(() => undefined)
  if (listing === undefined) return []
  const isListed = listedIds(listing)
  const strange = idsInExamples(document).filter(({ id }) => !isListed(id))
  return Promise.all(
    strange.map(async ({ path, id }): Promise<Problem> => {
      const message = `${id} is not in example_workspace.md: use an id from there, or add a line for it`
      return { tool: 'example', rule: 'example-ids', severity: 'error', message, ...(await locate(path)) }
    }),
  )
}

/** Whether an id is in the list, in which "`id` to `id`" means a range. */
function listedIds(listing: string): (id: string) => boolean {
  const ids = new Set((listing.match(ID) ?? []).map(plain))
  const ranges = [...listing.matchAll(/`([0-9a-f-]{36})` to `([0-9a-f-]{36})`/g)].map(([, first = '', last = '']) => [
    plain(first),
    plain(last),
  ])
  return (id) => ids.has(plain(id)) || ranges.some(([first = '', last = '']) => first <= plain(id) && plain(id) <= last)
}

const plain = (id: string): string => id.replaceAll('-', '').toLowerCase()

interface PlacedId {
  readonly path: BundlePath
  readonly id: string
}

/** The ids in all examples: those of `examples`, and those of parameters, headers and schemas. */
function idsInExamples({ paths, webhooks = {}, components }: Document): PlacedId[] {
  const groups: [path: BundlePath, group: unknown][] = [
    [['paths'], paths],
    [['webhooks'], webhooks],
    ...Object.entries(components).map(([kind, group]): [BundlePath, unknown] => [['components', kind], group]),
  ]
  return groups.flatMap(([path, group]) =>
    Object.entries(isObject(group) ? group : {}).flatMap(([name, part]) => idsInPart(part, [...path, name])),
  )
}

/** Cache of the ids in parts of contracts. A part never changes its path. */
const knownIds = new WeakMap<object, readonly PlacedId[]>()

function idsInPart(part: unknown, start: BundlePath): readonly PlacedId[] {
  if (!isObject(part)) return []
  const known = knownIds.get(part)
  if (known !== undefined) return known
  const found: PlacedId[] = []
  const path = [...start] // of the visited value
  const visit = (value: unknown, isExample: boolean): void => {
    if (typeof value === 'string' && isExample) for (const id of value.match(ID) ?? []) found.push({ path: [...path], id })
    if (typeof value !== 'object' || value === null) return
    const isMapOfNames = path.at(-1) === 'properties' && !isExample // a property may also have that name
    for (const [key, item] of Object.entries(value)) {
      path.push(Array.isArray(value) ? Number(key) : key)
      visit(item, isExample || (!isMapOfNames && (key === 'example' || key === 'examples')))
      path.pop()
    }
  }
  visit(part, start[1] === 'examples')
  knownIds.set(part, found)
  return found
}

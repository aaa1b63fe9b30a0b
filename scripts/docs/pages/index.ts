/** The pages of one release. */

import { isReference, operationsOf, resolve, schemaNameOf, type Document, type Example } from '../../generate/document.ts'
import { areaPages } from './areas.ts'
import { errorPages } from './errors.ts'
import { eventPages } from './events.ts'
import { guidePages, guidesOf, type WrittenGuide } from './guides.ts'
import { changesPage, homePage, objectListPages } from './lists.ts'
import { objectPage, usesOf, type Uses } from './objects.ts'
import { operationPages } from './operations.ts'
import type { SitePage } from './page.ts'

export interface Sources {
  readonly document: Document
  /** The guides that are files. */
  readonly guides: readonly WrittenGuide[]
  /** The slugs of guides to leave out. */
  readonly withoutGuides?: readonly string[]
  /** The text of `generated/versions.md`. */
  readonly changes: string
}

export function pagesOf({ document, guides: written, withoutGuides = [], changes }: Sources): SitePage[] {
  const guides = guidePages(guidesOf(document, written).filter(({ slug }) => !withoutGuides.includes(slug)))
  const objects = objectPages(document)
  return [
    homePage(document, guides),
    ...guides,
    ...areaPages(document),
    ...operationPages(document),
    ...objectListPages(objects),
    ...objects,
    ...eventPages(document),
    ...errorPages(document),
    changesPage(changes),
  ]
}

function objectPages(document: Document): SitePage[] {
  let uses: ((name: string) => Uses) | undefined
  const usesIn = (name: string): Uses => (uses ??= usesOf(document))(name)
  const examples = examplesBySchema(document)
  return Object.entries(document.components.schemas ?? {}).map(([name, schema]) =>
    objectPage(document, name, schema, () => usesIn(name), examples.get(name)),
  )
}

/** The first example of each schema that is a whole request or response. */
function examplesBySchema(document: Document): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  const media = operationsOf(document).flatMap(({ operation }) => [
    ...Object.values(operation.requestBody === undefined ? {} : resolve(document, operation.requestBody).content),
    ...Object.values(operation.responses).flatMap((response) => Object.values(resolve(document, response).content ?? {})),
  ])
  for (const { schema, examples = {} } of media) {
    const name = isReference(schema) ? schemaNameOf(schema.$ref) : undefined
    const [example] = Object.values(examples)
    if (name === undefined || example === undefined || found.has(name)) continue
    const { value } = resolve<Example>(document, example)
    if (typeof value === 'object' && value !== null) found.set(name, value)
  }
  return found
}

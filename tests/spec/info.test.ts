import { beforeAll, expect, test } from 'vitest'
import { errorCodeTables } from '../../scripts/generate/error_codes.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { releaseDates } from '../../scripts/generate/versions.ts'
import { readPublicDocument } from './support/public_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The manual lists in spec/info.yaml agree with the schemas. */

let document: Document
let description: string

beforeAll(async () => {
  document = await readPublicDocument()
  description = String(document.info['description'])
})

/** The words in code spans of the first column of table rows, and of the second. */
function wordsOf(section: string): { first: string[]; second: string[] } {
  const rows = [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1)
  const quoted = (text = ''): string[] => [...text.matchAll(/`(.+?)`/g)].map(([, word = '']) => word)
  return { first: rows.flatMap(([, cell]) => quoted(cell)), second: rows.flatMap(([, , cell]) => quoted(cell)) }
}

/** From one heading to the next. */
function sectionOf(heading: string): string {
  return description.split(`\n# ${heading}\n`)[1]?.split(/\n##? /)[0] ?? ''
}

// If you are here because a release is new: give it a row in the table of versions, and change `version`.
test('the document has the version of the newest release, and lists the changes of each release', () => {
  const dates = releaseDates(document)
  expect(document.info['version']).toBe(dates.at(-1))
  expect(wordsOf(sectionOf('Versions')).first).toEqual(dates)
})

// If you are here because a code is new: give it a row in the table of codes.
test('the table of errors has every code', () => {
  const codes = errorCodeTables(document).api.map(({ code }) => code)
  expect(wordsOf(sectionOf('Errors')).second.toSorted()).toEqual(codes.toSorted())
})

// If you are here because a code is new: add its schema to `oneOf` and `mapping` of ErrorObject.
test('ErrorObject has every error outside OAuth', () => {
  const { discriminator } = document.components.schemas?.['ErrorObject'] ?? {}
  const mapping = isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {}
  const codes = errorCodeTables(document).api.map(({ code }) => code)
  expect(Object.keys(mapping).toSorted()).toEqual(codes.toSorted())
})

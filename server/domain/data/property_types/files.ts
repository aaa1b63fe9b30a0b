import type { ExistenceCondition, NamedFile, NamedFileRequest } from '../../../../generated/types.ts'
import { collationKey } from '../../../kernel/collation.ts'
import { invalid } from '../../shared/index.ts'
import { presentFile, storedFile } from '../../files/index.ts'
import { listOf, TEXT } from '../formulas/types.ts'
import type { StoredFileValue } from '../properties/stored_values.ts'
import type { ValueNotes } from '../properties/value_notes.ts'
import { parseExistence } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, listOrNothing, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'
import { textKey } from './text_keys.ts'

export const files: PropertyFacets<'files'> = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write: (written: NamedFileRequest[], path, _property, notes) =>
      listOrNothing(written.map((file, index) => storeFile(file, `${path}[${index}]`, notes))),
    references: (stored, to) => to.content(stored),
    present: (stored: readonly StoredFileValue[] | undefined, _property, { facts }) =>
      (stored ?? []).map((file) =>
        file.type === 'file'
          ? { name: file.name || (facts.files.get(file.file.id)?.name ?? ''), ...presentFile(file, facts) }
          : file,
      ),
    keys: (stored: readonly StoredFileValue[]) => stored.slice(0, 1).map(({ name }) => textKey(name)),
  },
  conversion: { toText: namesOf, fromText: 'none', lookups: 'none' },
  filter: {
    ...OWN_KEY,
    parse: ({ id }, condition: ExistenceCondition) =>
      indexedCriterion(id, parseExistence(condition), 'keys', ({ values }) => (values[id] ?? []) as readonly string[]),
  },
  sort: ({ id }) => ({ kind: 'texts', propertyId: id }),
  formula: { type: listOf(TEXT), value: (payload) => payload.map(addressOf), describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: (payload) => payload.map(({ name }) => name),
    // The address of a hosted file has a signature that differs in each response.
    identity: (payload) => payload.map((file) => (file.type === 'file' ? file.file.url.split('?', 1)[0] : file.external.url)),
    elements: 'each',
    condition: 'files',
    sort: ([first]) => (first ? collationKey(first.name) : null),
  },
  view: { ...COLUMN_ONLY, setting: 'cover' },
  items: 'whole',
}

function storeFile(file: NamedFileRequest, path: string, { references, heldFile }: ValueNotes): StoredFileValue {
  if ('external' in file) return { name: file.name, type: 'external', external: { url: file.external.url } }
  if ('file' in file) {
    const held = heldFile(file.file.url)
    if (held === undefined)
      throw invalid(`${path}.file.url`, 'should be the address of a file of this page, as it was read, before it expires')
    return { name: file.name, ...storedFile(held) }
  }
  const id = references.addUpload(file.file_upload.id, `${path}.file_upload.id`, 'any')
  return { name: file.name ?? '', ...storedFile(id) }
}

function namesOf(stored: readonly StoredFileValue[]): string {
  return stored
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .join(', ')
}

function addressOf(file: NamedFile): string {
  return file.type === 'file' ? file.file.url : file.external.url
}

import type { RichTextItem, RichTextItemRequest, TextCondition } from '../../../../generated/types.ts'
import { firstCharacters } from '../../../kernel/first_characters.ts'
import { TEXT } from '../formulas/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { parseText } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import type { LoadedRow } from '../queries/loaded_row.ts'
import { plainText, presentRichText, presentWithFewNames, storeRichText, type StoredRichText } from '../../content/index.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, listOrNothing, COLUMN_ONLY, WRITABLE } from './common.ts'
import type { FilterFacet, PropertyFacets } from './property_facets.ts'
import { richTextKeys, textKey } from './text_keys.ts'

const RUN_LENGTH_MAX = 2_000
const RUNS_MAX = 100

const textOfRuns = (runs: readonly RichTextItem[]): string => runs.map(({ plain_text }) => plain_text).join('')

/** @param textOf returns the text of a row */
export function textFilter(textOf: (row: LoadedRow, id: string) => string): FilterFacet<PropertyType> {
  return {
    keys: 'own or rich_text',
    operands: 'others',
    parse(property, condition: TextCondition) {
      const needs = { columns: [property], links: [] }
      return indexedCriterion(property.id, parseText(condition), 'texts', (row) => textOf(row, property.id), needs)
    },
  }
}

const richText = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write: (written: RichTextItemRequest[], path, _property, { references }) =>
      listOrNothing(storeRichText(written, path, references)),
    references: (stored, to) => to.content(stored),
    present: (stored: StoredRichText | undefined, _property, { facts, referencesMax }) =>
      presentWithFewNames(stored ?? [], facts, referencesMax),
    keys: richTextKeys,
  },
  conversion: {
    toText: (stored: StoredRichText, _property, facts) => plainText(stored, facts),
    fromText: { of: 'any type', parse: runsOf },
    lookups: 'mentions',
  },
  filter: textFilter((row, id) => plainText((row.values[id] ?? []) as StoredRichText, row.facts.facts)),
  sort: ({ id }) => ({ kind: 'texts', propertyId: id }),
  formula: { type: TEXT, value: textOfRuns, describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: textOfRuns,
    isEmpty: (runs: readonly RichTextItem[]) => runs.every(({ plain_text }) => plain_text === ''),
    condition: 'rich_text',
  },
  view: { ...COLUMN_ONLY, group: 'text' },
  items: {
    elements: (stored: StoredRichText | undefined) => stored ?? [],
    present: (runs: StoredRichText, { facts }) => presentRichText(runs, facts),
  },
} satisfies PropertyFacets<'title' | 'rich_text'>

export const rich_text: PropertyFacets<'rich_text'> = richText

/** The title is stored with the page, because every page has one. */
export const title: PropertyFacets<'title'> = {
  ...richText,
  config: { ...WITHOUT_SETTINGS, count: 'exactly one', isAddable: false },
  value: { ...richText.value, stored: ({ block }) => block.content['title'] },
  conversion: { ...richText.conversion, fromText: 'none' },
  filter: textFilter((row) => plainText(row.block.content['title'] as StoredRichText, row.facts.facts)),
  view: { ...COLUMN_ONLY, group: 'title' },
}

function runsOf(text: string): unknown {
  const characters = [...text]
  const runs: { type: 'text'; text: { content: string } }[] = []
  for (let start = 0; start < characters.length && runs.length < RUNS_MAX; start += RUN_LENGTH_MAX)
    runs.push({ type: 'text', text: { content: characters.slice(start, start + RUN_LENGTH_MAX).join('') } })
  return listOrNothing(runs)
}

type PlainTextType = 'url' | 'email' | 'phone_number'

/** Plain text, or null. @param lengthMax the length to which longer texts are truncated when a column is converted */
function plainTexts<T extends PlainTextType>(group: T, lengthMax: number) {
  const toPlain = (payload: string | null): string => payload ?? ''
  return {
    config: WITHOUT_SETTINGS,
    value: {
      ...WRITABLE,
      write: (written) => written ?? undefined,
      present: (stored: string | undefined) => stored ?? null,
      keys: (stored: string) => [textKey(stored)],
    },
    conversion: {
      toText: String,
      fromText: { of: 'any type', parse: (text) => (text === '' ? undefined : firstCharacters(text, lengthMax)) },
      lookups: 'none',
    },
    filter: textFilter(({ values }, id) => (values[id] ?? '') as string),
    sort: ({ id }) => ({ kind: 'texts', propertyId: id }),
    formula: { type: TEXT, value: toPlain, describe: 'none' },
    rollup: { ...BY_PLAIN_VALUE, source: 'none', toPlain, condition: 'rich_text' },
    view: { ...COLUMN_ONLY, group },
    items: 'whole',
  } satisfies PropertyFacets<PlainTextType>
}

export const url: PropertyFacets<'url'> = plainTexts('url', 2_000)
export const email: PropertyFacets<'email'> = plainTexts('email', 200)
export const phone_number: PropertyFacets<'phone_number'> = plainTexts('phone_number', 200)

import type { PeopleCondition, PeopleItem, PeopleItemRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { collationKey } from '../../../kernel/collation.ts'
import { listOf, PERSON } from '../formulas/types.ts'
import type { FormulaPerson } from '../formulas/values.ts'
import type { StoredPerson } from '../properties/stored_values.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import { parsePeople } from '../queries/conditions.ts'
import { authorCriterion, indexedCriterion } from '../queries/criteria.ts'
import type { SortValue } from '../queries/sort_source.ts'
import { partialUser } from '../../people/index.ts'
import {
  BY_PLAIN_VALUE,
  WITHOUT_SETTINGS,
  listOrNothing,
  SET_BY_SERVICE,
  COLUMN_ONLY,
  NOT_CONVERTIBLE,
  WRITABLE,
  OWN_KEY,
} from './common.ts'
import type { PropertyFacets } from './property_facets.ts'
import { commaSeparated, userKey } from './words.ts'

export const people: PropertyFacets<'people'> = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write(written: PeopleItemRequest[], path, _property, notes) {
      const found = new Map<string, StoredPerson>()
      for (const [index, { id, object = 'user' }] of written.entries()) {
        const person = { object, id: canonicalId(id) }
        if (!found.has(person.id)) found.set(person.id, person)
        notes.people.push({ ...person, path: `${path}[${index}].id` })
      }
      return listOrNothing([...found.values()])
    },
    references(stored: readonly StoredPerson[], to) {
      for (const { object, id } of stored) object === 'group' ? to.group(id) : to.user(id)
    },
    present: (stored: readonly StoredPerson[] | undefined, _property, facts) =>
      (stored ?? []).slice(0, facts.referencesMax).map((person) => presentPerson(person, facts)),
    keys: (stored: readonly StoredPerson[]) => stored.map(({ id }) => ({ textKey: id })),
  },
  conversion: {
    toText: (stored: readonly StoredPerson[]) => stored.map(({ id }) => id).join(', '),
    fromText: {
      of: 'texts',
      parse: (text, { users }) =>
        listOrNothing(
          [...new Set(commaSeparated(text).flatMap((part) => users.get(userKey(part)) ?? []))].map((id): StoredPerson => ({
            object: 'user',
            id,
          })),
        ),
    },
    lookups: 'people',
  },
  filter: {
    ...OWN_KEY,
    operands: 'ids',
    parse(property, condition: PeopleCondition, place, { viewer }) {
      const idsOf = (stored: unknown): string[] => ((stored ?? []) as StoredPerson[]).map(({ id }) => id)
      const check = parsePeople(condition, place, viewer)
      return indexedCriterion(property.id, check, 'keys', ({ values }) => idsOf(values[property.id]))
    },
  },
  sort: ({ id }) => ({ kind: 'people', propertyId: id }),
  formula: { type: listOf(PERSON), value: (payload) => payload.map(formulaPerson), describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: (payload) => payload.map(({ id }) => id),
    elements: 'each',
    condition: 'people',
    sort: ([first]) => (first ? nameKey(first) : null),
  },
  view: { ...COLUMN_ONLY, group: 'person', defaults: { ...COLUMN_ONLY.defaults, board: 3 } },
  items: {
    elements: (stored: readonly StoredPerson[] | undefined) => stored ?? [],
    present: (elements: readonly StoredPerson[], facts) => elements.map((person) => presentPerson(person, facts)),
  },
}

type AuthorType = 'created_by' | 'last_edited_by'

/** Facets of the author or of the last editor of the row. */
function authors(type: AuthorType) {
  return {
    config: WITHOUT_SETTINGS,
    value: {
      ...SET_BY_SERVICE,
      stored: ({ block }) => (type === 'created_by' ? block.createdBy : block.lastEditedBy),
      references: (stored: string, to) => to.user(stored),
      present: (stored: string, _property, facts) => facts.facts.users.get(stored) ?? partialUser(stored),
    },
    conversion: NOT_CONVERTIBLE,
    filter: {
      keys: 'own or people',
      operands: 'ids',
      parse: (_property, condition: PeopleCondition, place, { viewer }) =>
        authorCriterion(type, parsePeople(condition, place, viewer)),
    },
    sort: () => ({ kind: 'author', column: type }),
    formula: { type: PERSON, value: formulaPerson, describe: 'none' },
    rollup: { ...BY_PLAIN_VALUE, source: 'none', toPlain: ({ id }) => [id], condition: 'people', sort: nameKey },
    view: { ...COLUMN_ONLY, group: type },
    items: 'whole',
  } satisfies PropertyFacets<AuthorType>
}

export const created_by: PropertyFacets<'created_by'> = authors('created_by')
export const last_edited_by: PropertyFacets<'last_edited_by'> = authors('last_edited_by')

function presentPerson({ object, id }: StoredPerson, { facts, groups }: ValueFacts): PeopleItem {
  if (object === 'group') return { object: 'group', id, name: groups.get(id) ?? null }
  return facts.users.get(id) ?? partialUser(id)
}

function formulaPerson(item: PeopleItem): FormulaPerson {
  const email = 'type' in item && item.type === 'person' ? item.person.email : undefined
  return { kind: 'person', id: item.id, name: 'name' in item ? item.name : null, email: email ?? null }
}

function nameKey(person: PeopleItem): SortValue {
  return collationKey(('name' in person ? person.name : null) ?? '')
}

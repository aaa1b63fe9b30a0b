import type { DateValue, VerificationCondition, VerificationValueRequest } from '../../../../generated/types.ts'
import type { Bound, RowTest } from '../../../store/row_tests.ts'
import { parseDateForm, invalid } from '../../shared/index.ts'
import { TEXT } from '../formulas/types.ts'
import type { StoredVerification } from '../properties/stored_values.ts'
import { negatedIf } from '../queries/criteria.ts'
import type { Criterion } from '../queries/criterion.ts'
import { partialUser } from '../../people/index.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import { identityOf } from './plain_values.ts'
import type { PropertyFacets } from './property_facets.ts'

/** Sorts after every actual end date. */
const FAR_FUTURE = Number.MAX_SAFE_INTEGER

const STATES = ['unverified', 'expired', 'verified'] as const

/** The writer is recorded as the verifier. A verified template does not make the rows created from it verified. */
export const verification: PropertyFacets<'verification'> = {
  config: { ...WITHOUT_SETTINGS, isAddable: false },
  value: {
    ...WRITABLE,
    isCopiedFromTemplate: false,
    write(written: VerificationValueRequest, path, _property, notes): StoredVerification | undefined {
      if (written.state === 'expired')
        throw invalid(`${path}.state`, 'should be `verified` or `unverified`: `expired` is accepted only as it was read')
      if (written.state !== 'verified') return undefined
      const read = written.date ? parseDateForm(written.date, `${path}.date`) : null
      if (read !== null && !read.start.includes('T')) throw invalid(`${path}.date.start`, 'should have a time')
      return { date: read && inUtc(read), verifiedBy: notes.userId }
    },
    references: ({ verifiedBy }: StoredVerification, to) => to.user(verifiedBy),
    present(stored: StoredVerification | undefined, _property, { facts, now }) {
      if (stored === undefined) return { state: 'unverified', date: null, verified_by: null }
      const { date, verifiedBy } = stored
      return { state: stateOf(stored, now), date, verified_by: facts.users.get(verifiedBy) ?? partialUser(verifiedBy) }
    },
    keys: ({ date }: StoredVerification) => [{ numberKey: date?.end ? Date.parse(date.end) : FAR_FUTURE }],
  },
  conversion: { toText: () => 'verified', fromText: 'none', lookups: 'none' },
  filter: {
    ...OWN_KEY,
    parse: ({ id }, condition: VerificationCondition, _place, { viewer }) => criterionOf(id, condition, viewer.now),
  },
  sort: ({ id }) => ({ kind: 'verification', propertyId: id }),
  formula: { type: TEXT, value: (payload) => payload?.state ?? 'unverified', describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: (payload) => (payload === null || payload.state === 'unverified' ? null : payload.state),
    identity: (payload) => [payload?.state, identityOf(payload?.date ?? null)],
    condition: 'none',
    sort: (payload) => STATES.indexOf(payload?.state ?? 'unverified'),
  },
  view: COLUMN_ONLY,
  items: 'whole',
}

function stateOf({ date }: StoredVerification, now: number): 'expired' | 'verified' {
  return date !== null && date.end !== null && Date.parse(date.end) <= now ? 'expired' : 'verified'
}

function inUtc({ start, end }: DateValue): DateValue {
  return { start: new Date(start).toISOString(), end: end === null ? null : new Date(end).toISOString(), time_zone: null }
}

function criterionOf(propertyId: string, { status, does_not_equal: differs }: VerificationCondition, now: number): Criterion {
  const wanted = status ?? differs ?? 'none'
  const negated = status === undefined
  const bound: Bound = { operator: wanted === 'expired' ? '<=' : '>', value: now }
  const test: RowTest =
    wanted === 'none'
      ? { kind: 'not', test: { kind: 'has', propertyId, isText: false } }
      : { kind: 'number', propertyId, along: 'numbers', bounds: [bound] }
  return {
    test: negatedIf(negated, test),
    holds({ values }) {
      const stored = values[propertyId] as StoredVerification | undefined
      return ((stored === undefined ? 'none' : stateOf(stored, now)) === wanted) !== negated
    },
    needs: { columns: [], links: [] },
  }
}

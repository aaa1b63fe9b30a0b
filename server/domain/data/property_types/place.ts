import type { PlaceValue, PlaceValueRequest } from '../../../../generated/types.ts'
import { TEXT } from '../formulas/types.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'
import { textKey } from './text_keys.ts'

const nameOf = (payload: PlaceValue | null): string => payload?.name ?? ''

export const place: PropertyFacets<'place'> = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write(written: PlaceValueRequest | null): PlaceValue | undefined {
      if (written === null) return undefined
      const { lat, lon, name, address, aws_place_id: aws, google_place_id: google } = written
      return {
        lat,
        lon,
        name: name ?? null,
        address: address ?? null,
        aws_place_id: aws ?? null,
        google_place_id: google ?? null,
      }
    },
    present: (stored: PlaceValue | undefined) => stored ?? null,
    keys: ({ name }: PlaceValue) => [textKey(name ?? '')],
  },
  conversion: {
    toText: ({ name, address, lat, lon }: PlaceValue) => name ?? address ?? `${lat}, ${lon}`,
    fromText: 'none',
    lookups: 'none',
  },
  filter: 'none',
  sort: ({ id }) => ({ kind: 'texts', propertyId: id }),
  formula: { type: TEXT, value: nameOf, describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: nameOf,
    isEmpty: (payload) => payload === null,
    identity: (payload) => payload,
    condition: 'none',
  },
  view: { ...COLUMN_ONLY, setting: 'place' },
  items: 'whole',
}

/** Each rule of the forms for client generators, with the smallest schema that it changes. */

import { describe, expect, test } from 'vitest'
import type { Schema } from '../../scripts/generate/document.ts'
import * as keywords from '../../scripts/generate/sdk/keywords.ts'
import { object, ref, text } from './support/sdk.ts'

describe('a schema in the form for client generators', () => {
  const rows: [string, keywords.SchemaRule, Schema, Schema][] = [
    [
      'loses conditions, and closes its object in the older way',
      keywords.withoutConditions,
      { ...object({ a: text }), if: { required: ['a'] }, then: { required: ['b'] }, not: {}, unevaluatedProperties: false },
      { ...object({ a: text }), additionalProperties: false },
    ],
    [
      'loses parts of `allOf` that were conditions',
      keywords.everywhere(keywords.withoutConditions),
      { ...object({ a: text }), allOf: [{ if: { required: ['a'] }, then: { required: ['b'] } }] },
      object({ a: text }),
    ],
    [
      'has no properties that are true or false',
      keywords.withoutBooleanSchemas,
      { type: 'object', properties: { anything: true, never: false }, additionalProperties: true },
      object({ anything: {} }),
    ],
    ['with a constant text is an enum of one', keywords.plainConstants, { const: 'page' }, { ...text, enum: ['page'] }],
    ['with a constant boolean is any boolean', keywords.plainConstants, { type: 'boolean', const: true }, { type: 'boolean' }],
    ['with an enum of numbers is any number', keywords.plainConstants, { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
    [
      'has a format or a pattern, but not both',
      keywords.oneFormat,
      { ...text, format: 'uuid', pattern: '^[0-9a-f-]{36}$' },
      { ...text, format: 'uuid' },
    ],
    [
      'of bytes has no length',
      keywords.unmeasuredBytes,
      { ...text, format: 'binary', minLength: 1, maxLength: 100 },
      { ...text, format: 'binary' },
    ],
    [
      'keeps its pattern where the format is this contract’s own',
      keywords.oneFormat,
      { ...text, format: 'link-url', pattern: '^h' },
      { ...text, pattern: '^h' },
    ],
    [
      'distinguishes a large integer from a small one',
      keywords.everywhere(keywords.sizedNumbers),
      object({ bytes: { type: 'integer' }, columns: { type: 'integer', maximum: 12 }, share: { type: ['number', 'null'] } }),
      object({
        bytes: { type: 'integer', format: 'int64' },
        columns: { type: 'integer', maximum: 12, format: 'int32' },
        share: { type: ['number', 'null'], format: 'double' },
      }),
    ],
    [
      'loses fields for the tools of this project, but not properties with the same names',
      keywords.everywhere(keywords.withoutExtensionFields),
      { ...object({ title: text, examples: text }), title: 'Note', 'x-retry': 'never', examples: [] },
      object({ title: text, examples: text }),
    ],
    [
      'in 3.0, marks an excluded limit by a flag',
      keywords.spelledFor30(String),
      { exclusiveMinimum: 0 },
      { minimum: 0, exclusiveMinimum: true },
    ],
    [
      'in 3.0, wraps a nullable reference in a schema with a type',
      keywords.spelledFor30(() => 'object'),
      { ...ref('Icon'), nullable: true, description: 'Or null.' },
      { type: 'object', nullable: true, description: 'Or null.', allOf: [ref('Icon')] },
    ],
    [
      'has no default beside a reference',
      keywords.spelledFor30(() => 'string'),
      { ...ref('Color'), nullable: true, default: 'blue' },
      { type: 'string', nullable: true, allOf: [ref('Color')] },
    ],
    ['in 3.1, is nullable by a second type', keywords.spelledFor31, { ...text, nullable: true }, { type: ['string', 'null'] }],
    [
      'in 3.1, makes a reference nullable by a variant',
      keywords.spelledFor31,
      { ...ref('Icon'), nullable: true },
      { oneOf: [ref('Icon'), { type: 'null' }] },
    ],
  ]
  test.each(rows)('%s', (_title, rule, before, after) => expect(rule(before)).toEqual(after))
})

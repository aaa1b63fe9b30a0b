import { expect, test } from 'vitest'
import { findings, withOperation, withSchemas } from '../support/spectral.ts'

const plan = { since: '2026-01-15', replacement: 'the field next to it', removal_not_before: '2027-01-15' }

test('the rule deprecations accepts a deprecation with its date, replacement and end', async () => {
  expect(await findings('deprecations', withSchemas({ Note: { deprecated: true, 'x-deprecation': plan } }))).toEqual([])
  const old = { operationId: 'listNotes', deprecated: true, 'x-deprecation': { ...plan, replacement: 'searchNotes' } }
  const paths = { '/v1/notes': { get: old }, '/v1/search': { get: { operationId: 'searchNotes' } } }
  expect(await findings('deprecations', { openapi: '3.1.1', paths })).toEqual([])
})

test.each([
  ['nothing', undefined, 'deprecated: true needs x-deprecation'],
  ['a malformed date', { ...plan, since: '2026-02' }, 'x-deprecation.since is not a date (YYYY-MM-DD)'],
  ['no end', { ...plan, removal_not_before: undefined }, 'x-deprecation.removal_not_before is not a date (YYYY-MM-DD)'],
  [
    'an end before it begins',
    { ...plan, removal_not_before: '2026-01-15' },
    'x-deprecation.removal_not_before is not after since',
  ],
  ['no replacement', { ...plan, replacement: '' }, 'x-deprecation.replacement is missing'],
])('the rule deprecations rejects a deprecation with %s', async (_, deprecation, message) => {
  const document = withSchemas({ Note: { deprecated: true, ...(deprecation && { 'x-deprecation': deprecation }) } })
  expect(await findings('deprecations', document)).toEqual([message])
})

test('the rule deprecations rejects a replacement that is not an operation, and a plan without a deprecation', async () => {
  expect(await findings('deprecations', withOperation({ deprecated: true, 'x-deprecation': plan }))).toEqual([
    'x-deprecation.replacement names the field next to it, which is not an operation to use',
  ])
  expect(await findings('deprecations', withSchemas({ Note: { 'x-deprecation': plan } }))).toEqual([
    'x-deprecation is present without deprecated: true',
  ])
})

import { expect, test } from 'vitest'
import { findings, withOperation, withSchemas } from '../support/spectral.ts'

test('the rule property-names accepts names in snake_case, and headers in their own spelling', async () => {
  expect(await findings('property-names', withSchemas({ Note: { properties: { created_time: {}, heading_1: {} } } }))).toEqual([])
  expect(await findings('property-names', withOperation({ parameters: [{ name: 'Service-Version', in: 'header' }] }))).toEqual([])
})

test('the rule property-names rejects other spellings of properties and parameters', async () => {
  expect(await findings('property-names', withSchemas({ Note: { items: { properties: { createdTime: {} } } } }))).toEqual([
    'Property createdTime is not snake_case',
  ])
  expect(await findings('property-names', withOperation({ parameters: [{ name: 'page-size', in: 'query' }] }))).toEqual([
    'Parameter page-size is not snake_case',
  ])
})

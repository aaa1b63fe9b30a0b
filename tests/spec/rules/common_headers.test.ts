import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const version = { name: 'Service-Version', in: 'header' }
const beta = { name: 'Service-Beta', in: 'header' }

test('accepts both headers, on the path item or the operation', async () => {
  expect(await findings('common-headers', withOperation({ parameters: [beta] }, { parameters: [version] }))).toEqual([])
})

test('rejects a missing one', async () => {
  expect(await findings('common-headers', withOperation({}, { parameters: [version] }))).toEqual([
    'listNotes lacks the header Service-Beta',
  ])
})

test('ignores OAuth', async () => {
  expect(await findings('common-headers', withOperation({ 'x-credentials': 'client' }))).toEqual([])
})

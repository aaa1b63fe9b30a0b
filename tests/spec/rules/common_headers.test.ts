import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const version = { name: 'Service-Version', in: 'header' }
const beta = { name: 'Service-Beta', in: 'header' }

test('the rule common-headers accepts the version and beta headers on the path item or the operation', async () => {
  expect(await findings('common-headers', withOperation({ parameters: [beta] }, { parameters: [version] }))).toEqual([])
})

test('the rule common-headers rejects an operation without the version or the beta header', async () => {
  expect(await findings('common-headers', withOperation({}, { parameters: [version] }))).toEqual([
    'listNotes lacks the header Service-Beta',
  ])
})

test('the rule common-headers ignores the headers of OAuth operations', async () => {
  expect(await findings('common-headers', withOperation({ 'x-credentials': 'client' }))).toEqual([])
})

/** The service of `npm run dev` may send webhooks to this machine, unless its environment says otherwise. */

import { expect, it } from 'vitest'
import { serviceSettings } from '../../scripts/dev/service_settings.ts'
import { parseConfig } from '../../server/config.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

it.each([
  [{}, LOOPBACK],
  [{ WEBHOOK_PRIVATE_HOSTS: 'hooks.internal' }, ['hooks.internal']],
  [{ WORKSPACE_WEBHOOK_PRIVATE_HOSTS: 'hooks.internal:8443' }, ['hooks.internal:8443']],
  [{ WEBHOOK_PRIVATE_HOSTS: '' }, []],
])('with the settings %o, webhooks may be sent to %o', (environment, hosts) => {
  const settings = serviceSettings(environment, '4000', 'itk_of_a_session_0001')
  expect(parseConfig({ ...environment, ...settings }).webhookPrivateHosts).toEqual(hosts)
})

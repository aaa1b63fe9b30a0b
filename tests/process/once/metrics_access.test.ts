import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../harness/server.ts'

const access: readonly [
  settings: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  isShown: boolean,
][] = [
  [{}, {}, true],
  [{}, { 'X-Forwarded-For': '127.0.0.1' }, false],
  [{}, { Forwarded: 'for=127.0.0.1' }, false],
  [{}, { Via: '1.1 proxy' }, false],
  [{ METRICS: 'off' }, {}, false],
  [{ METRICS: 'token', METRICS_TOKEN: 'scrape_token_of_tests' }, {}, false],
  [{ METRICS: 'token', METRICS_TOKEN: 'scrape_token_of_tests' }, { Authorization: 'Bearer scrape_token_of_testx' }, false],
  [{ METRICS: 'token', METRICS_TOKEN: 'scrape_token_of_tests' }, { Authorization: 'Bearer scrape_token_of_tests' }, true],
  [
    { METRICS: 'token', METRICS_TOKEN: 'scrape_token_of_tests' },
    { Authorization: 'Bearer scrape_token_of_tests', 'X-Forwarded-For': '192.0.2.1' },
    true,
  ],
]

describe.each(access)('/metrics with %j, requested with %j', (settings, headers, isShown) => {
  it(isShown ? 'is shown' : 'is refused like an unknown path', async () => {
    const server = await startTestServer(settings)
    try {
      const response = await server.caller(undefined, undefined).page('/metrics', 'GET', headers)
      if (isShown)
        expect({ status: response.status, isText: response.text.includes('workspace_requests_total') }).toEqual({
          status: 200,
          isText: true,
        })
      else
        expect({ status: response.status, code: JSON.parse(response.text).code }).toEqual({
          status: 400,
          code: 'invalid_request_url',
        })
    } finally {
      await server.stop()
    }
  })
})

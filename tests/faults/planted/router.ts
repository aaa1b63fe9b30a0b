import { faultsIn, type Fault } from '../fault.ts'

const TESTS = ['stubs/router.test.ts', 'stubs/own_backend.test.ts']

/** The router for other backends, and the execution of the service's own requests. */
export const router: readonly Fault[] = [
  ...faultsIn('http/steps/step.ts', TESTS, [
    [
      'callers without a token get 503 for an operation without a handler',
      "  'authenticate',\n  'version',\n  'handler',\n",
      "  'handler',\n  'authenticate',\n  'version',\n",
    ],
  ]),
  ...faultsIn('http/create_router.ts', TESTS, [
    ['a router accepts older release dates', 'readVersion(headers, SERVED_RELEASES)', 'readVersion(headers)'],
    ['a handler receives no file', '{ ...body, ...files }', '{ ...body }'],
    [
      'an unexpected error is not reported to onFault',
      '    if (response.statusCode === 500) deps.onFault(thrown, requestId)\n',
      '',
    ],
    ['the router responds to requests for HTML pages', "    if (credentials === 'none') return next()\n", ''],
    [
      'operations of OAuth clients count as implemented',
      "filter(({ credentials }) => credentials !== 'none')",
      "filter(({ credentials }) => credentials === 'bearer')",
    ],
  ]),
  ...faultsIn('http/steps/validate_newest.ts', TESTS, [
    ['a handler receives the query without conversion', 'betas))\n', 'betas), { query: call.query })\n'],
    ['a form without a file is accepted', '    requireFiles(call)\n', ''],
  ]),
  ...faultsIn('http/steps/read_client_version.ts', TESTS, [
    ['OAuth clients must send a version', 'if (version !== undefined) context.version', 'context.version'],
  ]),
]

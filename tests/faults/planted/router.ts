import { faultsIn, type Fault } from '../fault.ts'

const TESTS = ['stubs/router.test.ts', 'stubs/own_backend.test.ts']

/** The router for other backends, and the execution of the service's own requests. */
export const router: readonly Fault[] = [
  ...faultsIn('http/steps/step.ts', TESTS, [
    [
      'strangers learn of an operation without a handler',
      "  'authenticate',\n  'version',\n  'handler',\n",
      "  'handler',\n  'authenticate',\n  'version',\n",
    ],
  ]),
  ...faultsIn('http/create_router.ts', TESTS, [
    ['a router takes older releases', 'readVersion(headers, SERVED_RELEASES)', 'readVersion(headers)'],
    ['a handler gets no file', '{ ...body, ...files }', '{ ...body }'],
    ['a fault goes out and nobody hears of it', '    if (response.statusCode === 500) deps.onFault(thrown, requestId)\n', ''],
    ['the router responds to requests of pages for people', "    if (credentials === 'none') return next()\n", ''],
    [
      'operations of OAuth clients count as implemented',
      "filter(({ credentials }) => credentials !== 'none')",
      "filter(({ credentials }) => credentials === 'bearer')",
    ],
  ]),
  ...faultsIn('http/steps/validate_newest.ts', TESTS, [
    ['a handler gets the query as it came', 'betas))\n', 'betas), { query: call.query })\n'],
    ['a form needs no file', '    requireFiles(call)\n', ''],
  ]),
  ...faultsIn('http/steps/read_client_version.ts', TESTS, [
    ['OAuth clients have to name a version', 'if (version !== undefined) context.version', 'context.version'],
  ]),
]

import { faultsIn, type Fault } from '../fault.ts'

const TESTS = ['stubs/router.test.ts', 'stubs/own_backend.test.ts']

/** The router for backends of others, and what carries out the requests of our own. */
export const router: readonly Fault[] = [
  ...faultsIn('http/create_router.ts', TESTS, [
    [
      'strangers learn of an operation without a handler',
      '  const caller = await parts.authenticate(request, operation)\n',
      '  if (!parts.handlers[operation.id]) throw withoutHandler(operation)\n  const caller = await parts.authenticate(request, operation)\n',
    ],
    ['a router takes older releases', 'now: Date.now() }, SERVED_RELEASES)', 'now: Date.now() })'],
    ['a handler gets the query as it came', '{ ...checked, body:', '{ ...checked, query, body:'],
    ['a handler gets no file', '{ ...body, ...files }', '{ ...body }'],
    ['a form needs no file', '  requireFiles(operation, { files })\n', ''],
    [
      'a fault goes out and nobody hears of it',
      '    if (response.statusCode === 500) parts.onFault(thrown, exchange.requestId)\n',
      '',
    ],
    ['pages for people are answered by the router', "    if (route.operation.credentials === 'none') return next()\n", ''],
    [
      'operations of OAuth clients count as implemented',
      "filter(({ credentials }) => credentials !== 'none')",
      "filter(({ credentials }) => credentials === 'bearer')",
    ],
    ['OAuth clients have to name a version', 'version === undefined ? newestRelease : parseVersion(', 'parseVersion('],
  ]),
]

import { faultsIn, type Fault } from '../fault.ts'

/** Sign-in, and the pages and forms of OAuth in browsers. */
export const signIn: readonly Fault[] = [
  ...faultsIn(
    'domain/people/password_rules.ts',
    ['cli/passwords.test.ts'],
    [
      [
        'the name in the address with a digit behind it is a good password',
        'return [plain, bare].some((text) => text === address || text === name)',
        'return plain === address || plain === name',
      ],
      [
        'the alphabet backwards is a good password',
        "return ROWS.some((row) => row.includes(plain) || [...row].reverse().join('').includes(plain))",
        'return ROWS.some((row) => row.includes(plain))',
      ],
      [
        'four different characters are too few',
        'new Set(plain).size < DIFFERENT_MIN ||',
        'new Set(plain).size <= DIFFERENT_MIN ||',
      ],
    ],
  ),
  ...faultsIn(
    'http/oauth/sign_in.ts',
    ['limits/rate.test.ts'],
    [
      [
        'guessing links costs nothing',
        '    await deps.rateLimiter.chargeFailedAuthentication(networkOf(context.remote.address))\n',
        '',
      ],
      [
        'a wrong password is not counted with the other failures of its address',
        '    await deps.rateLimiter.chargeFailedAuthentication(address)\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'http/oauth/sign_in.ts',
    ['oauth/sign_in.test.ts', 'oauth/retrieveAuthorizationPage.consent.test.ts'],
    [
      [
        'any form of any browser signs out',
        "  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {",
        '  if (!session.secret) {',
      ],
      [
        'the form token gets into the address of the consent page',
        "new Set(['csrf_token', 'decision'])",
        "new Set(['decision'])",
      ],
      ['signing out leaves the session open', '  await deps.database.write((db) => closeSession(db, session.secret))\n', ''],
    ],
  ),
  ...faultsIn(
    'http/oauth/targets.ts',
    ['oauth/sign_in.test.ts', 'oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      ['the consent page cannot return to an address of IPv6', "hostname.startsWith('[') ? protocol : origin", 'origin'],
      ['the return address keeps its fragment', ".split('#', 1)[0]?", ''],
    ],
  ),
  ...faultsIn(
    'http/steps/step.ts',
    ['oauth/client_authentication.test.ts', 'oauth/createToken.bad_input.test.ts'],
    [
      [
        'a connection that may not be used is refused before its request is checked',
        "  'body',\n  'idempotencyKey',\n  'validate',\n  'client',\n",
        "  'client',\n  'body',\n  'idempotencyKey',\n  'validate',\n",
      ],
    ],
  ),
  ...faultsIn(
    'http/steps/charge_oauth_client.ts',
    ['oauth/client_authentication.test.ts', 'oauth/createToken.bad_input.test.ts'],
    [
      [
        'all clients share one budget',
        'await rateLimiter.chargeClient(caller.clientId ?? caller.id)',
        'await rateLimiter.chargeClient(caller.workspaceId)',
      ],
    ],
  ),
  ...faultsIn(
    'http/oauth/send_oauth_error.ts',
    ['oauth/createToken.bad_input.test.ts'],
    [
      [
        'a message repeats the code or token that was sent',
        '{ message: `${path} ${claim}.` }',
        '{ message: `${path} ${claim}, instead was ${JSON.stringify(value)}.` }',
      ],
    ],
  ),
  ...faultsIn(
    'http/oauth/oauth_body.ts',
    ['oauth/createToken.exchange.test.ts'],
    [['a field of a form without a value has one', "if (value !== '') fields.set(name,", 'fields.set(name,']],
  ),
  ...faultsIn(
    'http/oauth/cookies.ts',
    ['oauth/sign_in.test.ts'],
    [['over HTTPS a cookie of a sibling is read', 'const value = sent[fullName(name, isSecure)]', 'const value = sent[name]']],
  ),
]

import { faultsIn, type Fault } from '../fault.ts'

/** Sign-in, and the pages and forms of OAuth in browsers. */
export const signIn: readonly Fault[] = [
  ...faultsIn(
    'domain/people/password_rules.ts',
    ['cli/passwords.test.ts'],
    [
      [
        'the name of the email address with a digit is accepted as a password',
        'return [plain, bare].some((text) => text === address || text === name)',
        'return plain === address || plain === name',
      ],
      [
        'the reversed alphabet is accepted as a password',
        "return ROWS.some((row) => row.includes(plain) || [...row].reverse().join('').includes(plain))",
        'return ROWS.some((row) => row.includes(plain))',
      ],
      [
        'a password of four different characters is refused',
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
        'attempts to guess links are not counted',
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
        'signing out requires no form token',
        "  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {",
        '  if (!session.secret) {',
      ],
      ['the address of the consent page contains the form token', "new Set(['csrf_token', 'decision'])", "new Set(['decision'])"],
      ['signing out does not end the session', '    await closeSession(db, secret)\n', ''],
    ],
  ),
  ...faultsIn(
    'http/oauth/targets.ts',
    ['oauth/sign_in.test.ts', 'oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      ['the consent page cannot redirect to an IPv6 address', "hostname.startsWith('[') ? protocol : origin", 'origin'],
      ['the return address keeps its fragment', ".split('#', 1)[0]?", ''],
    ],
  ),
  ...faultsIn(
    'http/steps/step.ts',
    ['oauth/client_authentication.test.ts', 'oauth/createToken.bad_input.test.ts'],
    [
      [
        'a disabled connection is reported before an invalid request',
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
        'all clients share one rate limit',
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
        'an error contains the code or token that was sent',
        '{ message: `${path} ${claim}.` }',
        '{ message: `${path} ${claim}, instead was ${JSON.stringify(value)}.` }',
      ],
    ],
  ),
  ...faultsIn(
    'http/oauth/oauth_body.ts',
    ['oauth/createToken.exchange.test.ts'],
    [['a form field without a value counts as present', "if (value !== '') fields.set(name,", 'fields.set(name,']],
  ),
  ...faultsIn(
    'http/oauth/cookies.ts',
    ['oauth/sign_in.test.ts'],
    [
      [
        'a cookie of a sibling domain is accepted over HTTPS',
        'const value = sent[fullName(name, isSecure)]',
        'const value = sent[name]',
      ],
    ],
  ),
]

import { faultsIn, type Fault } from '../fault.ts'

/** OAuth: authorizations, codes and tokens. */
export const oauth: readonly Fault[] = [
  ...faultsIn(
    'domain/oauth/exchange.ts',
    ['oauth/createToken.exchange.test.ts', 'oauth/createToken.bad_input.test.ts'],
    [
      [
        'a reused code does not revoke the tokens of its first use',
        'if (code.familyId !== null) await endFamily(db, code.workspaceId, code.familyId, now)\n    return invalidGrant',
        'return invalidGrant',
      ],
      [
        'another client can revoke tokens by sending a used code',
        "if (code.connectionId !== client.id) throw invalidGrant('The authorization code was not issued to this client.')",
        "if (code.usedTime === null && code.connectionId !== client.id) throw invalidGrant('The authorization code was not issued to this client.')",
      ],
      ['a code is valid at its expiry time', 'if (code.expiresTime <= now) throw', 'if (code.expiresTime < now) throw'],
      [
        'the exchange may omit the redirect URI although several are registered',
        'const isRequired = code.redirectUriSent || client.redirectUris.length > 1',
        'const isRequired = code.redirectUriSent',
      ],
      [
        'the exchange accepts any registered redirect URI',
        'if (sent !== undefined && sent !== code.redirectUri)',
        'if (sent !== undefined && !client.redirectUris.includes(sent))',
      ],
      [
        'the code verifier may be omitted',
        "  if (verifier === undefined)\n    throw invalidRequest('body.code_verifier should be defined: the authorization request had a code_challenge.')\n",
        '  if (verifier === undefined) return\n',
      ],
      [
        'a former member counts as a member while in another workspace',
        'if (!memberships.some(({ workspace_id: id }) => id === code.workspaceId))',
        'if (memberships.length === 0)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/exchange.ts',
    ['oauth/template.test.ts', 'oauth/reauthorization.test.ts'],
    [
      [
        'a returning bot stays removed',
        '    if (known.left_time !== null) await setLeft(db, code.workspaceId, known.id, null)\n    return known.id',
        '    return known.id',
      ],
      [
        'the copy of the template is not shared with the bot',
        '  await insertGrant(db, workspaceId, botId, copyId, now)\n  return copyId',
        '  return copyId',
      ],
      [
        'everybody in the workspace sees the copy of the template',
        '  await makePrivate(db, workspaceId, copyId, personId, now)\n',
        '',
      ],
      [
        'each authorization creates another bot',
        'const known = await findAuthorizedBot(db, code.workspaceId, client.id, code.personId)',
        'const known = await findAuthorizedBot(db, client.workspaceId, client.id, code.personId)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/client_credentials.ts',
    ['oauth/client_authentication.test.ts'],
    [
      [
        'only one client secret is valid during a rotation',
        'return matches.includes(true) ? client : undefined',
        'return matches[0] ? client : undefined',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/decide.ts',
    ['oauth/createAuthorization.test.ts', 'oauth/template.test.ts'],
    [
      [
        'pages chosen beside the template are shared without a check',
        'const pageIds = decision.takesTemplate ? [] : [...new Set(decision.pageIds.map(canonicalId))]',
        'const pageIds = [...new Set(decision.pageIds.map(canonicalId))]',
      ],
      ['one permitted page shares the others that were chosen', 'if (picks.length < pageIds.length)', 'if (picks.length === 0)'],
      [
        'a template that is in the trash can still be chosen',
        'if (templatePageId !== null && (await findCopyablePage(db, workspaceId, templatePageId))) return',
        'if (templatePageId !== null) return',
      ],
      [
        'the code does not record that the request named a redirect URI',
        'redirectUriSent: request.redirectUriSent,',
        'redirectUriSent: false,',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/decide.ts',
    ['oauth/code_sweeping.test.ts'],
    [
      [
        'a used code is deleted when it expires',
        'return dropEndedCodes(db, now - CODES_KEPT_MS, limit)',
        'return dropEndedCodes(db, now, limit)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/consent.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts', 'oauth/createAuthorization.test.ts'],
    [
      [
        'a decision may name a workspace where the connection is not allowed',
        '  if (!isInScope(request, workspaceId)) throw outOfScope(request)\n',
        '',
      ],
      [
        'a decision may name a workspace where the member may not install',
        'if (!membership || !mayInstallIn(membership)) throw notAllowed(request)',
        'if (!membership) throw notAllowed(request)',
      ],
      [
        'a connection that is allowed in no workspace is allowed in all',
        'return client.allowedWorkspaces === null || client.allowedWorkspaces.includes(workspaceId)',
        'return !client.allowedWorkspaces?.length || client.allowedWorkspaces.includes(workspaceId)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/request.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      [
        'a redirect URI matches by its beginning',
        'if (!client.redirectUris.includes(uri))',
        'if (!client.redirectUris.some((known) => uri.startsWith(known)))',
      ],
      [
        'a disabled connection can be authorized',
        "if (!client || client.kind !== 'public' || client.disabledTime !== null) {",
        "if (!client || client.kind !== 'public') {",
      ],
      ['a state of 2,000 characters is refused', 'state.length > STATE_LENGTH_MAX', 'state.length >= STATE_LENGTH_MAX'],
      ['a challenge without a method counts as S256', "if (method !== 'S256')", "if (method !== undefined && method !== 'S256')"],
      [
        'the first of two challenges applies',
        "  'code_challenge',\n  'code_challenge_method',\n",
        "  'code_challenge_method',\n",
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/refusals.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts'],
    [['a redirect URI that ends in a question mark gets an ampersand', "(/[?&]$/.test(redirectUri) ? '' : '&')", "'&'"]],
  ),
  ...faultsIn(
    'domain/oauth/refresh.ts',
    ['oauth/createToken.refresh.test.ts', 'oauth/reauthorization.test.ts'],
    [
      [
        'a suspended authorization can be refreshed',
        "    if (!(await findTokenOwner(db, digest)))\n      throw invalidGrant('The authorization of this refresh token is suspended: its workspace or member is missing.')\n",
        '',
      ],
      [
        'reuse of a token from a replaced pair has no consequence',
        'if (token.spent_time === null && token.revoked_time === null) {',
        'if (token.spent_time === null) {',
      ],
      [
        'a lost token pair stays valid beside its replacement',
        "    await endPair(db, workspaceId, id, generation, 'revoked', now)\n",
        '',
      ],
      ['any earlier refresh token returns a new pair', 'return token.generation === family.generation - 1 && !(', 'return !('],
      [
        'a lost response can be repeated although its tokens were used',
        'return token.generation === family.generation - 1 && !(await isPairUsed(db, family.workspace_id, family.id, family.generation))',
        'return token.generation === family.generation - 1',
      ],
      [
        'the time for a retry is counted from the first token',
        'if (token.spent_time === null || now - token.spent_time > RETRY_MS) return false',
        'if (token.spent_time === null || now - token.created_time > RETRY_MS) return false',
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/inspect.ts',
    ['oauth/introspectToken.test.ts', 'oauth/revokeToken.test.ts'],
    [
      [
        'revoking an expired token of another client reveals that it existed',
        'else if (await findTokenOwner(db, digest))',
        'else if (pair || (await findTokenOwner(db, digest)))',
      ],
      [
        'a client can introspect tokens of others',
        'if (!owner || !pair || pair.connection_id !== client.id) return { active: false }',
        'if (!owner || !pair) return { active: false }',
      ],
    ],
  ),
  ...faultsIn(
    'store/tokens.ts',
    ['access/token_changes.test.ts', 'oauth/introspectToken.test.ts', 'oauth/revokeToken.test.ts'],
    [
      [
        'a token that is revoked after its look-up is accepted',
        'coalesce(used_time, ${now}) where digest = ${digest} and revoked_time is null`',
        'coalesce(used_time, ${now}) where digest = ${digest}`',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/authenticate.ts',
    ['oauth/personal_tokens.test.ts', 'access/token_changes.test.ts'],
    [
      [
        'a personal token is active at its expiry time in introspection',
        'expiresTime !== null && expiresTime <= now',
        'expiresTime !== null && expiresTime < now',
      ],
    ],
  ),
  ...faultsIn(
    'domain/administration/redirect_uris.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      [
        'a host name that begins like a loopback address counts as one',
        "(isIPv4(host) && host.startsWith('127.'))",
        "host.startsWith('127.')",
      ],
      ['a redirect URI may contain a password without a user', "host.includes('@')", "url.username !== ''"],
      ['a redirect URI may end in an empty fragment', "if (uri.includes('#')) return", "if (url.hash !== '') return"],
    ],
  ),
]

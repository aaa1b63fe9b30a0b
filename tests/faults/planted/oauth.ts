import { faultsIn, type Fault } from '../fault.ts'

/** OAuth: authorizations, codes and tokens. */
export const oauth: readonly Fault[] = [
  ...faultsIn(
    'domain/oauth/exchange.ts',
    ['oauth/createToken.exchange.test.ts', 'oauth/createToken.bad_input.test.ts'],
    [
      [
        'a second use of a code leaves the tokens of the first alive',
        'if (code.familyId !== null) await endFamily(db, code.workspaceId, code.familyId, now)\n    return invalidGrant',
        'return invalidGrant',
      ],
      [
        'another client ends the tokens of a code by sending it once more',
        "if (code.connectionId !== client.id) throw invalidGrant('The authorization code was not issued to this client.')",
        "if (code.usedTime === null && code.connectionId !== client.id) throw invalidGrant('The authorization code was not issued to this client.')",
      ],
      ['a code works in the moment in which it ends', 'if (code.expiresTime <= now) throw', 'if (code.expiresTime < now) throw'],
      [
        'with several redirect URIs the exchange need not name one',
        'const isRequired = code.redirectUriSent || client.redirectUris.length > 1',
        'const isRequired = code.redirectUriSent',
      ],
      [
        'the exchange may name any redirect URI that is registered',
        'if (sent !== undefined && sent !== code.redirectUri)',
        'if (sent !== undefined && !client.redirectUris.includes(sent))',
      ],
      [
        'the verifier of a challenge may be left out',
        "  if (verifier === undefined)\n    throw invalidRequest('body.code_verifier should be defined: the authorization request carried a code_challenge.')\n",
        '  if (verifier === undefined) return\n',
      ],
      [
        'a member who left is taken for one as long as there is another workspace',
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
        'a bot that comes back stays away',
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
        'a connection of another workspace gets one bot more each time',
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
        'while a secret is replaced only one of the two works',
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
        'pages that are picked beside the template are shared unseen',
        'const pageIds = decision.takesTemplate ? [] : [...new Set(decision.pageIds.map(canonicalId))]',
        'const pageIds = [...new Set(decision.pageIds.map(canonicalId))]',
      ],
      [
        'one pick that may be shared brings in those that may not',
        'if (picks.length < pageIds.length)',
        'if (picks.length === 0)',
      ],
      [
        'a template that is in the trash can still be chosen',
        'if (templatePageId !== null && (await findCopyablePage(db, workspaceId, templatePageId))) return',
        'if (templatePageId !== null) return',
      ],
      [
        'the decision does not carry over that the redirect URI was named',
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
        'a used code is forgotten as soon as it has ended',
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
        'a decision may name a workspace for which the connection is not meant',
        '  if (!isInScope(request, workspaceId)) throw outOfScope(request)\n',
        '',
      ],
      [
        'a decision may name a workspace in which the member may not install',
        'if (!membership || !mayInstallIn(membership)) throw notAllowed(request)',
        'if (!membership) throw notAllowed(request)',
      ],
      [
        'a connection for no workspace is one for all',
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
        'what begins like a registered redirect URI is taken for it',
        'if (!client.redirectUris.includes(uri))',
        'if (!client.redirectUris.some((known) => uri.startsWith(known)))',
      ],
      [
        'a disabled connection can be authorized',
        "if (!client || client.kind !== 'public' || client.disabledTime !== null) {",
        "if (!client || client.kind !== 'public') {",
      ],
      ['a state of 2,000 characters is too long', 'state.length > STATE_LENGTH_MAX', 'state.length >= STATE_LENGTH_MAX'],
      [
        'a challenge without a method counts as one by S256',
        "if (method !== 'S256')",
        "if (method !== undefined && method !== 'S256')",
      ],
      ['of two challenges the first counts', "  'code_challenge',\n  'code_challenge_method',\n", "  'code_challenge_method',\n"],
    ],
  ),
  ...faultsIn(
    'domain/oauth/refusals.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      [
        'a redirect URI that ends in its question mark gets an ampersand behind it',
        "(/[?&]$/.test(redirectUri) ? '' : '&')",
        "'&'",
      ],
    ],
  ),
  ...faultsIn(
    'domain/oauth/refresh.ts',
    ['oauth/createToken.refresh.test.ts', 'oauth/reauthorization.test.ts'],
    [
      [
        'an authorization that rests is refreshed',
        "    if (!(await findTokenOwner(db, digest)))\n      throw invalidGrant('The authorization of this refresh token is suspended: its workspace or member is missing.')\n",
        '',
      ],
      [
        'reuse of a token from a replaced pair has no consequence',
        'if (token.spent_time === null && token.revoked_time === null) {',
        'if (token.spent_time === null) {',
      ],
      [
        'a pair that was lost lives on beside the one in its place',
        "    await endPair(db, workspaceId, id, generation, 'revoked', now)\n",
        '',
      ],
      ['any earlier refresh token brings another pair', 'return token.generation === family.generation - 1 && !(', 'return !('],
      [
        'a lost response can be repeated although its tokens were used',
        'return token.generation === family.generation - 1 && !(await isPairUsed(db, family.workspace_id, family.id, family.generation))',
        'return token.generation === family.generation - 1',
      ],
      [
        'a retry is reckoned from the first of the tokens',
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
        'a client that revokes a dead token of another client learns that it is one',
        'else if (await findTokenOwner(db, digest))',
        'else if (pair || (await findTokenOwner(db, digest)))',
      ],
      [
        'a client can look into tokens of others',
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
        'a token that was revoked between look-up and first use is taken',
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
        'a personal token works in the moment in which it ends',
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
        'a name that begins like a loopback address passes for one',
        "(isIPv4(host) && host.startsWith('127.'))",
        "host.startsWith('127.')",
      ],
      ['a password without a user may stand in a redirect URI', "host.includes('@')", "url.username !== ''"],
      ['a redirect URI may end in an empty fragment', "if (uri.includes('#')) return", "if (url.hash !== '') return"],
    ],
  ),
]

import { faultsIn, type Fault } from '../fault.ts'

/** Access: sign-in, visibility, rights, and their administration by operators. */
export const access: readonly Fault[] = [
  ...faultsIn(
    'store/access.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'writing: the rule for everybody precedes the rule for the member',
        'order by a.start, a.depth desc, case when r.subject_id = ${userId} then 1 else 0 end`',
        'order by a.start, a.depth desc, case when r.subject_id = ${userId} then 0 else 1 end`',
      ],
      [
        'writing: the furthest rule above decides',
        'order by a.start, a.depth desc, case when r.subject_id = ${userId} then 1 else 0 end`',
        'order by a.start, a.depth, case when r.subject_id = ${userId} then 1 else 0 end`',
      ],
    ],
  ),
  ...faultsIn(
    'store/access.ts',
    ['operations/search/search.test.ts'],
    [
      [
        'search: the rule for everybody precedes the rule for the member',
        'if (subject_id === userId || !rules.has(item_id)) rules.set(item_id, level)',
        'if (subject_id !== userId || !rules.has(item_id)) rules.set(item_id, level)',
      ],
    ],
  ),
  ...faultsIn(
    'store/access.ts',
    ['operations/data_sources/queryDataSource.test.ts'],
    [
      [
        'a share of a database does not reach its data sources',
        ' or ${b}.page_id is null then ${b}.parent_id',
        ' then ${b}.parent_id',
      ],
    ],
  ),
  ...faultsIn(
    'store/visibility.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'reading: the rule for everybody precedes the rule for the member',
        'case when r.subject_id = ${workspaceId} then 1 else 0 end limit 1',
        'case when r.subject_id = ${workspaceId} then 0 else 1 end limit 1',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/search/title_visibility.ts',
    ['operations/search/search.test.ts'],
    [
      [
        'a search finds pages two levels below the trash',
        'trashed: above.trashed || ancestor.inTrash,',
        'trashed: ancestor.inTrash,',
      ],
      [
        'a search with access to the whole workspace finds pages below the trash',
        'if (!(isWhole && this.#inTrash)) await this.#findAbove(rows)',
        'if (!isWhole) await this.#findAbove(rows)',
      ],
      [
        'a search applies the rule above an item before that of the item',
        '(rules.get(id) ?? this.#levels.get(parentId)) !== ',
        '(this.#levels.get(parentId) ?? rules.get(id)) !== ',
      ],
      [
        'a search does not find the shared page itself',
        'return new Set([...idsOf(granted), ...(await grantedAmong(this.#db, this.#viewer, others))])',
        'return idsOf(granted.concat(others.length < 0 ? rows : []))',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/sharing.ts',
    ['oauth/reauthorization.test.ts'],
    [
      [
        'unsharing applies to the first bot of a connection only',
        'found = (await deleteGrant(db, workspaceId, botId, itemId)) || found',
        'found = found || (await deleteGrant(db, workspaceId, botId, itemId))',
      ],
      [
        'sharing applies to the first bot of a connection only',
        '  for (const botId of await botsOf(db, workspaceId, recipient)) {\n    await insertGrant(',
        '  for (const botId of (await botsOf(db, workspaceId, recipient)).slice(0, 1)) {\n    await insertGrant(',
      ],
      [
        'a block that is not a page can be shared',
        "return block?.type === 'child_page' || block?.type === 'child_database'",
        'return block !== undefined',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/sharing.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'removing a rule leaves the item closed',
        'if (level === null) await deleteRule(db, workspaceId, itemId, subjectId)',
        "if (level === null) await setRule(db, workspaceId, itemId, subjectId, 'none', now)",
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/sharing.ts',
    ['cli/members_and_access.test.ts'],
    [
      [
        'closing a page keeps the rules of other members',
        '    await deleteRule(db, workspaceId, itemId, subject)\n',
        '    if (subject === workspaceId) await deleteRule(db, workspaceId, itemId, subject)\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/sharing.ts',
    ['oauth/token_kinds.test.ts'],
    [
      [
        'a bot does not see the top-level page that it created for its person',
        "  if (tokenKind === 'access') await insertGrant(",
        "  if (tokenKind === 'installation') await insertGrant(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/sharing.ts',
    ['oauth/personal_tokens.test.ts'],
    [
      [
        'a top-level page of a member is open to everybody',
        '  if (personId === undefined) return\n',
        "  if (personId === undefined || tokenKind !== 'access') return\n",
      ],
    ],
  ),
  ...faultsIn(
    'store/visibility.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'a database closed to a member is listed on its open page',
        "and (b.type not in ('child_page', 'child_database') or",
        "and (b.type not in ('child_page') or",
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/authenticate.ts',
    ['oauth/personal_tokens.test.ts'],
    [
      ['a personal token is valid at its expiry time', 'expiresTime <= now', 'expiresTime < now'],
      [
        'a personal token keeps working for members who may no longer have one',
        '  if (!(await holdsTokens(db, owner.workspace_id, owner.user_id, role, owner.token_holders))) return undefined\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/authenticate.ts',
    ['oauth/createToken.refresh.test.ts'],
    [
      [
        'the first use of an access token is not recorded',
        "const isUnused = owner.kind === 'access' && owner.used_time === null",
        'const isUnused = false',
      ],
      [
        'the API accepts a refresh token',
        "if (!owner || owner.kind === 'refresh') return undefined",
        'if (!owner) return undefined',
      ],
    ],
  ),
  ...faultsIn(
    'domain/people/authenticate.ts',
    ['operations/async_tasks/retrieveAsyncTask.test.ts', 'operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'work continues for a member who may no longer have a token',
        '  return (await holdsTokens(db, workspaceId, userId, role, owner.token_holders))\n    ? ',
        '  return owner.token_holders.length > 0\n    ? ',
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/membership.ts',
    ['oauth/personal_tokens.test.ts'],
    [
      [
        'members of a group hold tokens although only owners may',
        "return policy === 'groups' && isInTokenGroup(",
        'return isInTokenGroup(',
      ],
      [
        'guests hold tokens',
        "export function isFullMember(role: Role): boolean {\n  return role === 'owner' || role === 'member'",
        "export function isFullMember(role: Role): boolean {\n  return role !== 'restricted'",
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/membership.ts',
    ['oauth/retrieveAuthorizationPage.request.test.ts'],
    [
      [
        'a restricted member installs connections',
        "(role === 'member' && installers === 'members')",
        "(role !== 'guest' && installers === 'members')",
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/capability.ts',
    ['oauth/personal_tokens.test.ts'],
    [
      [
        'any kind of token calls any operation',
        'if (!operation.tokenKinds.includes(actor.tokenKind)) {',
        'if (operation.tokenKinds.length === 0) {',
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/capability.ts',
    ['access/sharing.test.ts'],
    [
      [
        'one of two required capabilities is enough',
        'return rule.all.find((capability) => !actor.capabilities.has(capability))',
        'return rule.all.some((capability) => actor.capabilities.has(capability)) ? undefined : rule.all[0]',
      ],
      [
        'the error names only one of two alternative capabilities',
        'return rule.any.length === 1 ? rule.any[0] : rule.any',
        'return rule.any[0]',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/references.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [['a comment on a hidden page can be mentioned', ": visible.has(commented.get(id) ?? '')", ': commented.has(id)']],
  ),
  ...faultsIn(
    'domain/content/references.ts',
    ['operations/blocks/appendBlockChildren.block_types.test.ts', 'operations/blocks/appendBlockChildren.rich_text.test.ts'],
    [
      ['a data source id is accepted as a block id', "if (!found || type === 'data_source' || ", 'if (!found || '],
      [
        'a page id is accepted as a database id',
        "(kind === 'database' && type !== BLOCK_TYPE_OF.database)",
        "(kind === 'database' && type === undefined)",
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/failures.ts',
    ['operations/blocks/retrieveBlock.test.ts'],
    [['a 404 does not say which connection lacks the share', '    additionalData: { integration_id: connectionId },\n', '']],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['oauth/reauthorization.test.ts'],
    [
      ['a removed connection gets its shares back', '  await deleteGrantsOf(db, workspaceId, botId)\n', ''],
      ['tokens of a removed connection become valid again', '  await endFamiliesOf(db, workspaceId, botId, now)\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['cli/connections.test.ts'],
    [['the old installation token stays valid after a rotation', '  await revokeTokens(db, workspaceId, bot.id, now)\n', '']],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['operations/users/retrieveMe.test.ts'],
    [
      ['renaming a connection removes its icon', 'avatarOf(iconUrl)', 'avatarOf(changes.iconUrl)'],
      [
        'renaming a connection does not rename its bots',
        'connectionId, name, avatarOf',
        'connectionId, connection.name, avatarOf',
      ],
    ],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['oauth/retrieveAuthorizationPage.consent.test.ts'],
    [
      [
        'a database is accepted as the template of a connection',
        "if (page?.type !== 'child_page')\n    throw new AdministrationError(\"The template",
        'if (!page)\n    throw new AdministrationError("The template',
      ],
    ],
  ),
  ...faultsIn(
    'domain/administration/people.ts',
    ['oauth/personal_tokens.test.ts'],
    [
      [
        'a returning member gets the earlier role',
        '    await setRole(db, settings.workspaceId, id, settings.role)\n    return id\n',
        '    return id\n',
      ],
      ['administration lists former members', 'if (!member || member.left_time !== null) throw', 'if (!member) throw'],
    ],
  ),
  ...faultsIn(
    'domain/administration/people.ts',
    ['oauth/sign_in.test.ts'],
    [['a new password does not end sessions', '  await deleteSessionsOf(db, account.id)\n', '']],
  ),
  ...faultsIn(
    'domain/administration/redirect_uris.ts',
    ['cli/connections.test.ts'],
    [
      [
        'a host that begins like a loopback address counts as one',
        "(isIPv4(host) && host.startsWith('127.'))",
        "host.startsWith('127.')",
      ],
      [
        'a redirect URI is accepted twice',
        '  if (new Set(uris).size < uris.length) throw',
        '  if (new Set(uris).size < 1 && uris.length > 0) throw',
      ],
    ],
  ),
]

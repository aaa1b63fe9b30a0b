import { faultsIn, type Fault } from '../fault.ts'

/** Access: sign-in, visibility, rights, and their administration by operators. */
export const access: readonly Fault[] = [
  ...faultsIn(
    'store/access.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'a rule for everybody overrules that for the member, where writing is concerned',
        'order by a.start, a.depth desc, case when r.subject_id = ${userId} then 1 else 0 end`',
        'order by a.start, a.depth desc, case when r.subject_id = ${userId} then 0 else 1 end`',
      ],
      [
        'the rule furthest above decides, where writing is concerned',
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
        'a search takes the rule for everybody before that for the member',
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
        'a rule for everybody overrules that for the member, where reading is concerned',
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
        'a search finds what lies two levels below the trash',
        'trashed: above.trashed || ancestor.inTrash,',
        'trashed: ancestor.inTrash,',
      ],
      [
        'who sees the whole workspace finds what lies below the trash',
        'if (!(isWhole && this.#inTrash)) await this.#findAbove(rows)',
        'if (!isWhole) await this.#findAbove(rows)',
      ],
      [
        'a search heeds the rule above before the own one of an item',
        '(rules.get(id) ?? this.#levels.get(parentId)) !== ',
        '(this.#levels.get(parentId) ?? rules.get(id)) !== ',
      ],
      [
        'a search does not find the very page that was shared',
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
        'of several bots of a connection, only the first loses what is unshared',
        'found = (await deleteGrant(db, workspaceId, botId, itemId)) || found',
        'found = found || (await deleteGrant(db, workspaceId, botId, itemId))',
      ],
      [
        'of several bots of a connection, only the first is given what is shared',
        '  for (const botId of await botsOf(db, workspaceId, recipient)) {\n    await insertGrant(',
        '  for (const botId of (await botsOf(db, workspaceId, recipient)).slice(0, 1)) {\n    await insertGrant(',
      ],
      [
        'a bare block can be shared',
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
        'a rule that is taken away leaves a closed door',
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
        'a page that is closed stays open to members with a rule of their own',
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
        'a bot does not see the page it made at the top for its person',
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
        'what a member makes at the top is open to everybody',
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
      ['a personal token works in the very moment of its end', 'expiresTime <= now', 'expiresTime < now'],
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
        'the first use of an access token is not noted',
        "const isUnused = owner.kind === 'access' && owner.used_time === null",
        'const isUnused = false',
      ],
      [
        'a refresh token opens the API',
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
        'a group may hold tokens under the policy that only owners may',
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
        'one of two capabilities that are both needed is enough',
        'return rule.all.find((capability) => !actor.capabilities.has(capability))',
        'return rule.all.some((capability) => actor.capabilities.has(capability)) ? undefined : rule.all[0]',
      ],
      [
        'where either of two capabilities would do, only one is named',
        'return rule.any.length === 1 ? rule.any[0] : rule.any',
        'return rule.any[0]',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/references.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [['a link to a comment on a hidden page can be made', ": visible.has(commented.get(id) ?? '')", ': commented.has(id)']],
  ),
  ...faultsIn(
    'domain/content/references.ts',
    ['operations/blocks/appendBlockChildren.block_types.test.ts', 'operations/blocks/appendBlockChildren.rich_text.test.ts'],
    [
      ['a data source is taken for a block', "if (!found || type === 'data_source' || ", 'if (!found || '],
      [
        'a page is taken for a database',
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
      ['a connection that was removed comes back with all it had', '  await deleteGrantsOf(db, workspaceId, botId)\n', ''],
      [
        'the tokens of a removed connection work again once it is back',
        '  await endFamiliesOf(db, workspaceId, botId, now)\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['cli/connections.test.ts'],
    [['a new installation token leaves the old one alive', '  await revokeTokens(db, workspaceId, bot.id, now)\n', '']],
  ),
  ...faultsIn(
    'domain/administration/connections.ts',
    ['operations/users/retrieveMe.test.ts'],
    [
      ['a connection that is renamed loses its picture', 'avatarOf(iconUrl)', 'avatarOf(changes.iconUrl)'],
      [
        'a connection that is renamed keeps bots of the old name',
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
        'a page of another kind serves as template of a connection',
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
        'somebody who comes back has the role of old',
        '    await setRole(db, settings.workspaceId, id, settings.role)\n    return id\n',
        '    return id\n',
      ],
      [
        'somebody who left is a member still, to administration',
        'if (!member || member.left_time !== null) throw',
        'if (!member) throw',
      ],
    ],
  ),
  ...faultsIn(
    'domain/administration/people.ts',
    ['oauth/sign_in.test.ts'],
    [['a new password leaves the sessions of the old one', '  await deleteSessionsOf(db, account.id)\n', '']],
  ),
  ...faultsIn(
    'domain/administration/redirect_uris.ts',
    ['cli/connections.test.ts'],
    [
      [
        'a host that begins like a loopback address is one',
        "(isIPv4(host) && host.startsWith('127.'))",
        "host.startsWith('127.')",
      ],
      [
        'the same redirect URI may stand twice',
        '  if (new Set(uris).size < uris.length) throw',
        '  if (new Set(uris).size < 1 && uris.length > 0) throw',
      ],
    ],
  ),
]
